import { execFileSync } from 'node:child_process';
import { mkdirSync, opendirSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect } from 'vitest';
import { hasTool, pipeThrough, unpack } from '../fixtures/archive-reading.ts';
import { decodeSnappyFrames } from '../fixtures/snappy-frames.ts';
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

/** More than all buffers between the file and the client, so that packing waits for the client in the middle of the file. */
const big = Buffer.alloc(24 * 1024 * 1024, 1);

attack(
  'AR-09',
  async ({ folder, request }) => {
    const outside = join(folder, 'out');
    mkdirSync(home('changing'));
    for (let index = 0; index < 7; index++) writeFileSync(home(`changing/f${index}`), 'before');
    // Entries are packed in the order of the disk, of which all are read before the first file.
    const order = Array.from({ length: 7 }, () => '');
    const directory = opendirSync(home('changing'));
    for (let index = 0; index < 7; index++) order[index] = directory.readSync()?.name ?? '';
    directory.closeSync();
    const [first = '', grown = '', linked = '', moved = '', replaced = '', emptied = '', same = ''] = order;
    writeFileSync(home(`changing/${first}`), big);
    const change = async (): Promise<void> => {
      await writeFile(home(`changing/${grown}`), 'much more than before');
      await unlink(home(`changing/${linked}`));
      await symlink(join(outside, 'canary-out.txt'), home(`changing/${linked}`));
      await rename(home(`changing/${moved}`), home('changing/elsewhere'));
      await unlink(home(`changing/${replaced}`));
      await mkdir(home(`changing/${replaced}`));
      await writeFile(home(`changing/${emptied}`), '');
    };
    const whole = await request('alice', 'GET', '/api/raw/changing/?algo=tar', { whilePaused: change });
    expect(whole.status).toBe(200);
    const packed = unpack(whole.body, 'tar');
    expect([...packed].map(([name, { content }]) => [name, content?.slice(0, 30)]).sort()).toEqual(
      [
        [first, big.toString('latin1', 0, 30)],
        [grown, 'much more than before'],
        [emptied, ''],
        [same, 'before'],
      ].sort(),
    );

    // A requested folder that has become a link out of the scope cuts the archive off: neither it nor an end follows.
    writeFileSync(home('big.bin'), big);
    mkdirSync(home('swapped'));
    const swap = async (): Promise<void> => {
      await rmdir(home('swapped'));
      await symlink(join(outside, 'dir'), home('swapped'));
    };
    const target = '/api/raw/?files=big.bin,swapped&algo=tar';
    const cut = await request('alice', 'GET', target, { whilePaused: swap });
    expect(cut.status).toBe(200);
    const tarBlock = 512;
    expect(cut.body.length).toBeLessThanOrEqual(tarBlock + big.length);
  },
  { changes: ['root/users/alice'] },
);
