import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formerServer, formerUser, writeFormerDatabase } from '../../../test/fixtures/filebrowser-data.ts';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { shellWord } from './start-line.ts';

let cli: TestCli;
let top: string;
beforeEach(async () => {
  cli = await openCli();
  top = join(cli.folder, '..');
});
afterEach(() => cli.remove());

/** Returns the words into which a shell splits a line. */
const wordsIn = (line: string): string[] =>
  execFileSync('bash', ['-c', String.raw`printf '%s\0' ${line}`], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
    .split('\0')
    .slice(0, -1);

/**
 * Imports with these flags, runs the start line in a shell of another folder, and returns the configuration
 * that the server would read.
 */
async function startedAfter(server: object, ...flags: string[]): Promise<{ config: Config; out: string }> {
  await writeFile(
    join(top, 'filebrowser.db'),
    writeFormerDatabase({
      users: [formerUser({ perm: { admin: true } })],
      server: formerServer({ ...server }),
    }),
  );
  const out = await cli.succeed('import-filebrowser', join(top, 'filebrowser.db'), ...flags);
  const [, line = ''] = /start with:\n {2}(filestead .*)$/m.exec(out) ?? [];
  const [program, ...args] = wordsIn(line);
  expect(program).toBe('filestead');
  return { config: await readConfig({ args, env: {}, cwd: '/', home: '/' }), out };
}

test('the start line of an import contains the folder and the data of this machine and works in any folder', async () => {
  const root = join(top, "Ann's files & $HOME");
  const data = join(top, 'data of filestead');
  await mkdir(root);
  const { config, out } = await startedAfter(
    { root: '/srv', log: '/var/log/fb 1.log', port: '8099' },
    '--root',
    root,
    '--data',
    data,
  );
  expect(config).toMatchObject({ root, data, database: join(data, 'filestead.db'), port: 8099 });
  expect(config.log).toBe('/var/log/fb 1.log');
  expect(out).toContain(`start-up option root: was /srv in File Browser; it is ${root} here`);
});

test('the start line contains the folder that File Browser served if no other was chosen', async () => {
  const { config, out } = await startedAfter({ root: '/mnt/photos' }, '--data', join(top, 'data'));
  expect(config).toMatchObject({ root: '/mnt/photos', data: join(top, 'data') });
  expect(out).toContain('start-up option root: is /mnt/photos as in File Browser; change it');
});

test('the start line contains a given database and configuration file', async () => {
  await writeFile(join(top, 'my.yaml'), 'sessionIdle: 1h\n');
  const database = join(top, 'elsewhere', 'own.db');
  const { config } = await startedAfter({}, '--database', database, '--config', '../my.yaml');
  expect(config).toMatchObject({ database, sessionIdleMs: 3_600_000 });
});

test('any text is quoted as a single word for a shell', () => {
  for (const text of [
    'plain',
    "it's",
    '$HOME `x` "y" \\',
    '~',
    '*',
    'ü',
    'x'.repeat(5_000),
    'a\nb\t\u001b[31m',
    '\u202egnp.exe',
    "'\n\\",
  ]) {
    expect(wordsIn(shellWord(text))).toEqual([text]);
    expect(shellWord(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});
