import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EndpointSpec } from '@filestead/contract/endpoint';
import { endpoints } from '@filestead/contract/endpoints';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../start-app.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/reference/api.md'), 'utf8');
/** The blocks of commands with the title above each. */
const examples: { number: number; section: string; script: string }[] = [];
let section = '';
for (const [, title, script] of guide.matchAll(/^## (.*)$|^```sh\n([\s\S]*?)^```$/gm)) {
  if (title !== undefined) section = title;
  if (script !== undefined) examples.push({ number: examples.length + 1, section, script });
}

const hasTools = ['bash', 'curl', 'sed', 'tr'].every((tool) => spawnSync(tool, ['--version']).status === 0);
if (!hasTools) process.stderr.write('bash or curl is missing: the examples of the API guide are not run\n');

/** An error response ends the block. A stream has succeeded when it was read until the time limit. */
const prelude = `
set -e -o pipefail
curl() {
  local status=0
  command curl --silent --show-error --fail --max-time 30 "$@" || status=$?
  [ "$status" = 28 ] && [[ "$*" == *--no-buffer* ]] && return 0
  return "$status"
}
`;

/** Returns a pattern that matches requests to `endpoint`. */
const patternOf = ({ path }: EndpointSpec): RegExp =>
  new RegExp(
    `^${path
      .replace(/\/\*$/, '(?:/.*)?')
      .replaceAll(/\{\w+\}/g, '[^/]+')
      .replaceAll('.json', '\\.json')}$`,
  );

describe.skipIf(!hasTools)('the examples of docs/reference/api.md', () => {
  let app: TestApp;
  let folder: string;
  /** The error of each block; null if it succeeded. */
  const failures: (Error | null)[] = [];

  /** Runs a block in the folder of the examples. */
  async function runBlock(example: string): Promise<void> {
    const token = await app.signIn('admin');
    const script = example
      .replace(/^base=.*$/m, '')
      .replaceAll('%E2%80%A6', encodeURIComponent(testPassword))
      .replaceAll('…', testPassword);
    await promisify(execFile)('bash', ['-c', prelude + script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, base: app.url, token },
    });
  }

  // In the order of the guide, because later blocks use the results of earlier ones.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'filestead-guide-'));
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#369' } })
      .jpeg()
      .toBuffer();
    app = await startApp({
      files: {
        'notes.txt': 'some notes\n',
        'a.txt': 'a',
        'docs/a.txt': 'a',
        'docs/notes.txt': 'more notes\n',
        'docs/photo.jpg': picture,
        'docs/film.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
        'docs/sub/b.txt': 'b',
        'photos/one.jpg': picture,
        'photo.jpg': picture,
        'photo.heic': picture,
        'film.mkv': new Uint8Array([0x1a, 0x45, 0xdf, 0xa3]),
        'film.en.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
        'table.csv': 'a;b\n1;2\n',
        'backup/': '',
      },
      settings: { signup: true },
      config: { catalogue: 'on', catalogueBudget: 'full', contentSearch: 'on' },
    });
    await writeFile(join(folder, 'new.txt'), 'new');
    await writeFile(Buffer.from(`${app.root}/caf\xe9.txt`, 'latin1'), 'coffee');
    for (const { script } of examples) {
      failures.push(
        await runBlock(script).then(
          () => null,
          (error: Error) => error,
        ),
      );
    }
  }, 300_000);
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(examples)('block $number, $section', ({ number }) => {
    expect(failures[number - 1]).toBeNull();
  });

  test('every endpoint except the socket, the endless streams and the check of `doctor` has a successful example', () => {
    const requests = app.log
      .map((line) => JSON.parse(line) as { method?: string; status?: number; msg: string })
      .filter(({ status = 0 }) => status >= 200 && status < 300)
      .map(({ method, msg }) => ({ method, path: msg.slice(0, msg.lastIndexOf(': ')) }));
    const expected = endpoints.filter(
      ({ id }) => !['runCommand', 'followJobs', 'followLive', 'setLiveFolders', 'checkProxy'].includes(id),
    );
    const requested = new Set(
      requests.map(({ method, path }) => {
        const matching = expected.filter(
          (spec) =>
            (spec.method === method || (spec.method === 'GET' && method === 'HEAD')) &&
            patternOf(spec).test(path),
        );
        return matching.toSorted(
          (a, b) => b.path.replace(/[{*].*/, '').length - a.path.replace(/[{*].*/, '').length,
        )[0]?.id;
      }),
    );
    expect(expected.map(({ id }) => id).filter((id) => !requested.has(id))).toEqual([]);
  });
});
