import { readdirSync, readlinkSync } from 'node:fs';
import { appendFile, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { hasTool, unpack } from '../../test/fixtures/archive-reading.ts';

const mebibyte = 1024 * 1024;
/** More than all buffers between the file and the client, so that packing waits for the client in the middle of the file. */
const bigBytes = 24 * mebibyte;
/** Content that hardly any format makes smaller. */
const mixedContent = Buffer.from(
  Uint32Array.from({ length: bigBytes / 4 }, (_, index) => index * 2_654_435_761).buffer,
);
let app: TestApp;
let admin: string;

beforeAll(async () => {
  app = await startApp({ files: { '/docs/small.txt': 'small' }, config: { archivesAtOnce: '3' } });
  admin = await app.signIn('admin');
});
// The tests change and remove this file.
beforeEach(() => writeFile(join(app.root, 'docs', 'big.bin'), Buffer.alloc(bigBytes, 7)));
afterAll(() => app.close());

/** A download over a raw socket that reads only on request. */
interface SlowDownload {
  readonly socket: Socket;
  /** Resolves when the head of the response has arrived. */
  readonly started: Promise<void>;
  /** Resumes reading. Resolves to all received bytes once the connection ends. */
  rest(): Promise<Buffer>;
}
/** Starts a download that stops reading after the first chunk. */
function startSlowDownload(path: string): SlowDownload {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(app.url).port) });
  const chunks: Buffer[] = [];
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${admin}\r\nConnection: close\r\n\r\n`);
  const started = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (chunk: Buffer) => {
      chunks.push(chunk);
      socket.pause();
      resolve();
    });
  });
  return {
    socket,
    started,
    rest: () =>
      new Promise((resolve) => {
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        socket.on('error', () => resolve(Buffer.concat(chunks)));
        socket.on('close', () => resolve(Buffer.concat(chunks)));
        socket.resume();
      }),
  };
}

/** Returns the body of a chunked response, and whether its last chunk arrived. */
function bodyOf(response: Buffer): { body: Buffer; isWhole: boolean } {
  const pieces: Buffer[] = [];
  let position = response.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const end = response.indexOf('\r\n', position);
    if (end < 0) return { body: Buffer.concat(pieces), isWhole: false };
    const length = Number.parseInt(response.toString('latin1', position, end), 16);
    if (length === 0) return { body: Buffer.concat(pieces), isWhole: true };
    pieces.push(response.subarray(end + 2, end + 2 + length));
    position = end + 2 + length + 2;
  }
}

/** Returns the files in the served folder that this process has open. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith(`${app.root}/`) ? [target] : [];
    } catch {
      return [];
    }
  });

const big = (): string => join(app.root, 'docs', 'big.bin');

test('a slow reader receives the complete archive when nothing changes', async () => {
  for (const algo of ['zip', 'tar', 'targz', 'tarzst']) {
    const download = startSlowDownload(`/api/raw/docs?algo=${algo}`);
    await download.started;
    const { body, isWhole } = bodyOf(await download.rest());
    expect(isWhole, algo).toBe(true);
    if (algo === 'tar') expect(unpack(body, 'tar').get('big.bin')?.content?.length).toBe(bigBytes);
  }
});

test.each([
  ['shrinks', () => truncate(big(), 20 * mebibyte)],
  ['is emptied', () => truncate(big(), 0)],
  ['grows', () => appendFile(big(), 'more')],
  ['is overwritten in place', () => writeFile(big(), Buffer.alloc(bigBytes, 8))],
] as const)(
  'a file that %s while it is packed never results in an archive that seems complete',
  async (_change, change) => {
    for (const algo of ['zip', 'tar', ...(hasTool('zstd') ? ['tarzst'] : []), 'tarlz4']) {
      await writeFile(big(), mixedContent);
      const download = startSlowDownload(`/api/raw/docs?files=big.bin,small.txt&algo=${algo}`);
      await download.started;
      await change();
      const { body, isWhole } = bodyOf(await download.rest());
      expect(isWhole, algo).toBe(false);
      // Neither the end of a zip nor that of a tar.
      expect(body.includes(Buffer.from('PK\x05\x06', 'latin1')), algo).toBe(false);
      expect(algo === 'tar' && body.subarray(-1024).every((byte) => byte === 0)).toBe(false);
    }
    expect(app.log.join('')).toContain('archive aborted');
    expect(app.log.join('')).not.toContain('unexpected error');
  },
);

test('a file that is replaced or removed while it is packed is sent with its old content', async () => {
  const content = Buffer.alloc(bigBytes, 9);
  for (const change of [
    () => rm(big()),
    async () => {
      await rm(big());
      await symlink('/etc/passwd', big());
    },
  ]) {
    await rm(big(), { force: true });
    await writeFile(big(), content);
    const download = startSlowDownload('/api/raw/docs?files=big.bin,small.txt&algo=tar');
    await download.started;
    await change();
    const { body, isWhole } = bodyOf(await download.rest());
    expect(isWhole).toBe(true);
    expect(unpack(body, 'tar').get('big.bin')?.content).toBe(content.toString('latin1'));
  }
  await rm(big());
  await writeFile(big(), content);
});

test('a selected file that disappears before it is packed aborts the archive; inside a folder it is omitted', async () => {
  await writeFile(join(app.root, 'docs', 'late.txt'), 'late');
  const chosen = startSlowDownload('/api/raw/docs?files=big.bin,late.txt&algo=tar');
  await chosen.started;
  await rm(join(app.root, 'docs', 'late.txt'));
  expect(bodyOf(await chosen.rest()).isWhole).toBe(false);
  const folder = join(app.root, 'docs', 'folder');
  await mkdir(folder);
  await writeFile(join(folder, 'late.txt'), 'late');
  const inFolder = startSlowDownload('/api/raw/docs?files=big.bin,folder&algo=tar');
  await inFolder.started;
  await rm(join(folder, 'late.txt'));
  const { body, isWhole } = bodyOf(await inFolder.rest());
  expect(isWhole).toBe(true);
  expect([...unpack(body, 'tar').keys()].sort()).toEqual(['big.bin', 'folder']);
});

test('a disconnecting client stops the archive at once', async () => {
  for (const algo of ['zip', 'tar', 'targz', 'tarxz', 'tarbz2', 'tarlz4', 'tarsz', 'tarzst', 'tarbr']) {
    // This server sends at most three archives at the same time, so a slot that is not released fails the next round.
    for (let round = 0; round < 4; round++) {
      const download = startSlowDownload(`/api/raw/docs?algo=${algo}`);
      if (round > 0) await download.started;
      download.socket.destroy();
      await expect.poll(openFiles, { message: algo }).toEqual([]);
    }
  }
  const response = await app.fetch('/api/raw/docs?algo=tar', { token: admin });
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(bigBytes);
  expect(app.log.join('')).not.toContain('unexpected error');
}, 60_000);

test('archives beyond the limit are refused with Retry-After', async () => {
  const downloads = Array.from({ length: 3 }, () => startSlowDownload('/api/raw/docs?algo=tar'));
  await Promise.all(downloads.map(({ started }) => started));
  const refused = await app.fetch('/api/raw/docs', { token: admin, headers: { accept: 'application/json' } });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ code: 'too_busy' });
  // Single files and other requests are not affected.
  expect((await app.fetch('/api/raw/docs/small.txt', { token: admin })).status).toBe(200);
  for (const { socket } of downloads) socket.destroy();
  await expect.poll(openFiles).toEqual([]);
  expect((await app.fetch('/api/raw/docs?algo=tar', { token: admin, method: 'HEAD' })).status).toBe(200);
});
