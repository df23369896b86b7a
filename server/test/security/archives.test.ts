import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect } from 'vitest';
import { hasTool, pipeThrough, unpack, decodeSnappyFrames } from '../fixtures/archive-reading.ts';
import { prepareStage } from './stage.ts';

const { stage, attack } = prepareStage();
const home = (path: string): string => join(stage().folder, 'root/users/alice', path);
const marker = 'made-by-a-name';

/** The tar formats with the programs that decompress them. */
const tars: readonly (readonly [algo: string, tool: string, open: (bytes: Buffer) => Buffer])[] = [
  ['tar', 'tar', (bytes) => bytes],
  ['targz', 'gzip', (bytes) => gunzipSync(bytes)],
  ['tarbz2', 'bzip2', (bytes) => pipeThrough('bzip2', ['-dc'], bytes)],
  ['tarxz', 'xz', (bytes) => pipeThrough('xz', ['-dc'], bytes)],
  ['tarlz4', 'lz4', (bytes) => pipeThrough('lz4', ['-dc'], bytes)],
  ['tarsz', 'tar', decodeSnappyFrames],
  ['tarzst', 'zstd', (bytes) => pipeThrough('zstd', ['-dcq'], bytes)],
];
/** The member names as stored in a tar, before a program sanitizes them. */
const namesInTar = (bytes: Buffer): string[] =>
  execFileSync('tar', ['--list', '--absolute-names', '--quoting-style=literal', '--file', '-'], {
    input: bytes,
  })
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '');

async function archiveOf(target: string, algo: string): Promise<Buffer> {
  const { status, body } = await stage().request(
    'alice',
    'GET',
    `${target}${target.includes('?') ? '&' : '?'}algo=${algo}`,
  );
  expect(status, `${target} as ${algo}`).toBe(200);
  return body;
}

/** Names that Windows programs would resolve to other folders. */
const oddNames = ['..\\..\\evil.txt', 'a\\b.txt', 'C:\\x', 'C:', '\\\\server\\share', '...', 'ok.txt'];
/** Names that programs could take for options or commands. */
const optionNames = [
  `--checkpoint-action=exec=touch ${marker}`,
  '--checkpoint=1',
  `-TTtouch ${marker}`,
  '-I touch',
  '@x',
  `$(touch ${marker})`,
  `\`touch ${marker}\``,
  `;touch ${marker};`,
  '-rf',
  '--',
];

beforeAll(async () => {
  for (const folder of ['odd', 'options', 'special', 'lists', 'many']) await mkdir(home(folder));
  for (const name of oddNames) writeFileSync(home(`odd/${name}`), 'x');
  for (const name of optionNames) writeFileSync(home(`options/${name}`), 'x');
  await symlink(join(stage().folder, 'out/canary-out.txt'), home('special/esc'));
  await symlink(join(stage().folder, 'out/dir'), home('special/d'));
  await symlink('../docs/ok.txt', home('special/within'));
  execFileSync('mkfifo', [home('special/pipe')]);
  await new Promise<void>((resolve) => {
    const server = createServer().listen(home('special/socket'), () => server.unref() && resolve());
  });
  for (const name of ['a,b', 'a+b', 'a%b', 'a b', 'plain']) writeFileSync(home(`lists/${name}`), name);
});

attack('AR-01', async () => {
  const seen = new Set<string>();
  for (const [algo, tool, open] of tars) {
    if (!hasTool(tool)) continue;
    for (const name of namesInTar(open(await archiveOf('/api/raw/odd/', algo)))) seen.add(name);
  }
  const zip = await archiveOf('/api/raw/odd/', 'zip');
  // The central directory's names: 46 bytes of record before each (APPNOTE 4.3.12).
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4)) {
    seen.add(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  }
  expect(seen.size).toBeGreaterThanOrEqual(oddNames.length);
  for (const name of seen) {
    expect(name.split(/[\\/]/), name).not.toContain('..');
    expect(name).not.toMatch(/^[\\/]|\\|^[A-Za-z]:[\\/]/);
  }
});

attack('AR-03', async () => {
  for (const [algo, tool, open] of tars) {
    if (!hasTool(tool)) continue;
    const bytes = open(await archiveOf('/api/raw/special/', algo));
    const listed = execFileSync('tar', ['--list', '--verbose', '--file', '-'], { input: bytes }).toString();
    // Files and folders only: no links, no devices, no pipes.
    for (const line of listed.trim().split('\n')) expect(line).toMatch(/^[-d]/);
    expect(namesInTar(bytes).map((name) => name.replace(/\/$/, ''))).toEqual(['within']);
  }
  const zip = unpack(await archiveOf('/api/raw/special/', 'zip'), 'zip');
  expect([...zip.keys()]).toEqual(['within']);
});

attack('AR-05', async ({ request }) => {
  const list = async (files: string): Promise<string> => {
    const { status, body, headers } = await request(
      'alice',
      'GET',
      `/api/raw/lists/?files=${files}&algo=tar`,
    );
    if (status !== 200) return String(status);
    return /\.tar"?/.test(headers['content-disposition'] ?? '')
      ? namesInTar(body).join('|')
      : `file ${body.toString()}`;
  };
  for (const everything of ['', ',', ',,', '.']) expect(await list(everything)).toContain('plain');
  expect(await list('a%252Cb')).toMatch(/a,b/);
  expect(await list('plain,plain')).not.toMatch(/plain.*plain/);
  expect(await list('none')).toBe('404');
  expect(await list('%25zz')).toBe('400');
  expect(await list(Array.from({ length: 3_000 }, (_, n) => `none${n}`).join())).toBe('404');
  expect(await list('x'.repeat(1_000_000))).toBe('431');
});

attack('AR-07', async ({ folder }) => {
  for (const [algo, tool, open] of tars) {
    if (!hasTool(tool)) continue;
    const names = namesInTar(open(await archiveOf('/api/raw/options/', algo)));
    expect(names.sort()).toEqual([...optionNames].sort());
  }
  await archiveOf('/api/raw/options/', 'zip');
  const everything = execFileSync('find', [
    folder,
    process.cwd(),
    '-maxdepth',
    '4',
    '-name',
    `${marker}*`,
    '-not',
    '-path',
    '*/node_modules/*',
  ]).toString();
  expect(everything).toBe('');
});

attack(
  'AR-09',
  async ({ request, folder }) => {
    const big = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let n = 0; n < 6; n++) await writeFile(home(`many/f${n}.bin`), big);
    const secret = join(folder, 'out/canary-out.txt');
    const packing = request('alice', 'GET', '/api/raw/many/?algo=tar');
    await writeFile(home('many/f1.bin'), 'shrunk');
    await writeFile(home('many/f2.bin'), Buffer.concat([big, big]));
    await unlink(home('many/f3.bin'));
    await symlink(secret, home('many/f3.bin'));
    await chmod(home('many/f4.bin'), 0o000);
    await rename(home('many/f5.bin'), home('many/g5.bin'));
    const { status, body } = await packing;
    expect(status).toBe(200);
    const isWhole = body.subarray(-1024).equals(Buffer.alloc(1024));
    // Either the archive is complete, or its end is missing.
    if (isWhole) expect(() => namesInTar(body)).not.toThrow();
    expect(readFileSync(secret, 'utf8')).toHaveLength(32);
    await chmod(home('many/f4.bin'), 0o600);
  },
  { changes: ['root/users/alice'] },
);
