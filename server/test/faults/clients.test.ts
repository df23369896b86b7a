import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from './client.ts';
import { type Build, buildServer, type RealServer, startRealServer } from './real-server.ts';
import { openPathsBelow } from '../open-paths.ts';
import { contentOf, readTree } from './trees.ts';

const MiB = 1024 * 1024;
const content = contentOf('content', 24 * MiB);
let build: Build;
let top: string;
let root: string;
let server: RealServer;
const client = new Client();
beforeAll(async () => {
  build = await buildServer();
  top = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-clients-')));
  root = join(top, 'root');
  mkdirSync(join(root, 'd'), { recursive: true });
  mkdirSync(join(top, 'data'), { mode: 0o700 });
  writeFileSync(join(root, 'a.bin'), content);
  for (let count = 0; count < 300; count += 1) writeFileSync(join(root, 'd', `${count}.txt`), String(count));
  server = await startRealServer({ main: build.main, root, data: join(top, 'data') });
  client.url = server.url;
  client.token = await client.signIn();
});
afterAll(async () => {
  await server.kill();
  rmSync(top, { recursive: true, force: true });
  build.remove();
});

const openPaths = (): string[] => openPathsBelow(top, server.pid).toSorted();
/** Returns the number of connections that their client has closed and the server has not (`CLOSE_WAIT`). */
const leftConnections = (): number => {
  const port = Number(new URL(server.url).port).toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => new RegExp(`^\\s*\\d+: \\w+:${port} \\w+:\\w+ 08 `).test(line)).length;
};
const temporaryFiles = (): string[] => readTree(root).temporary;

/** Sends `text` and disconnects after `ms` without reading the response. */
async function sendAndLeave(text: string | Uint8Array, ms: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(text);
  await sleep(ms);
  socket.destroy();
}

test('clients that disconnect at any stage leave nothing behind and lose nothing', async (context) => {
  if (process.platform !== 'linux') return context.skip('open files are counted in /proc');
  const head = (method: string, path: string, more = ''): string =>
    `${method} /api${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${client.token}\r\n${more}\r\n`;
  const length = `Content-Length: ${MiB}\r\n`;
  const part = contentOf('part', MiB / 2);
  const withPart = (text: string): Buffer => Buffer.concat([Buffer.from(text), part]);
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const stages: [string, string | Uint8Array][] = [
    ['before a byte', ''],
    ['within the headers', head('GET', '/raw/a.bin').slice(0, 30)],
    ['after the headers of an upload', head('POST', '/resources/new.bin', length)],
    ['within an upload', withPart(head('POST', '/resources/new.bin', length))],
    ['within an upload over a file', withPart(head('POST', '/resources/a.bin?override=true', length))],
    ['within a save', withPart(head('PUT', '/resources/a.bin', length))],
    [
      'within a chunk',
      Buffer.concat([Buffer.from(`${head('PUT', '/resources/a.bin', chunked)}100000\r\n`), part]),
    ],
    ['within a download', head('GET', '/raw/a.bin')],
    ['within an archive', head('GET', '/raw/?algo=zip')],
    ['within an archive that is compressed', head('GET', '/raw/?algo=targz')],
    ['within a listing', head('GET', '/resources/d')],
    ['within a search', head('GET', '/search/?query=1')],
    ['within a checksum', head('GET', '/resources/a.bin?checksum=sha512')],
    ['within a copy', head('PATCH', '/resources/a.bin?action=copy&destination=%2Fcopy.bin')],
    ['within the events of jobs', head('GET', '/jobs/events')],
    ['within the events of open folders', head('GET', '/live')],
  ];
  const leaveEverywhere = async (): Promise<void> => {
    for (const [, text] of stages) for (const ms of [3, 60]) await sendAndLeave(text, ms);
  };
  const before = openPaths();
  for (let round = 0; round < 4; round += 1) await leaveEverywhere();
  // The server keeps nothing open below the served folder and its data but what it had open before.
  await expect.poll(openPaths).toEqual(before);
  await expect.poll(leftConnections).toBe(0);
  await expect.poll(temporaryFiles).toEqual([]);
  expect(readFileSync(join(root, 'a.bin')).equals(content)).toBe(true);
  const { tree } = readTree(root);
  expect(tree.has('new.bin')).toBe(false);
  // A copy that was not interrupted is complete.
  if (tree.has('copy.bin')) expect(readFileSync(join(root, 'copy.bin')).equals(content)).toBe(true);
  expect((await client.call('GET', '/resources/d')).status).toBe(200);
  expect(server.output()).not.toMatch(/unexpected error|reply\.sent|"level":(?:50|60)/);
});

/** Downloads a file and calls a function once the response has begun; returns the content and whether it was complete. */
const downloadDuring = (path: string, meanwhile: () => void): Promise<{ bytes: Buffer; isWhole: boolean }> =>
  new Promise((resolve, reject) => {
    const download = request(
      `${server.url}/api/raw${path}`,
      { headers: { 'x-auth': client.token } },
      (response) => {
        const parts: Buffer[] = [];
        let isWhole = false;
        response.once('readable', () => {
          meanwhile();
          response.on('data', (part: Buffer) => parts.push(part));
        });
        response.on('end', () => (isWhole = response.complete));
        response.on('error', () => undefined);
        response.on('close', () => resolve({ bytes: Buffer.concat(parts), isWhole }));
      },
    );
    download.on('error', reject);
    download.end();
  });

test('a download of a file that shrinks, grows or vanishes ends correctly', async () => {
  const place = join(root, 'changing.bin');
  const plantAgain = (): void => writeFileSync(place, content);
  plantAgain();
  const shrunk = await downloadDuring('/changing.bin', () => truncateSync(place, 8 * MiB));
  // Missing bytes are not replaced: the connection is closed.
  expect(shrunk.isWhole).toBe(false);
  expect(server.output()).toContain('the file became shorter while it was sent');
  expect(content.subarray(0, shrunk.bytes.length).equals(shrunk.bytes)).toBe(true);
  plantAgain();
  const grown = await downloadDuring('/changing.bin', () => appendFileSync(place, 'more'));
  expect(grown).toMatchObject({ isWhole: true });
  expect(grown.bytes.equals(content)).toBe(true);
  plantAgain();
  const vanished = await downloadDuring('/changing.bin', () => rmSync(place));
  expect(vanished.bytes.equals(content)).toBe(true);
  expect((await client.send('GET', '/raw/changing.bin')).status).toBe(404);
});

test('a folder can be listed, searched, packed, copied and deleted while it changes', async () => {
  const folder = join(root, 'busy');
  mkdirSync(folder);
  const stop = new AbortController();
  const change = async (): Promise<void> => {
    for (let round = 0; !stop.signal.aborted; round += 1) {
      for (let name = 0; name < 40; name += 1) {
        const place = join(folder, `${name}`);
        if ((round + name) % 3 === 0) rmSync(place, { recursive: true, force: true });
        else if ((round + name) % 3 === 1) writeFileSync(place, contentOf(place, 1000));
        else {
          rmSync(place, { force: true });
          mkdirSync(place, { recursive: true });
        }
      }
      await sleep(1);
    }
  };
  const changing = change();
  try {
    for (let round = 0; round < 15; round += 1) {
      for (const [method, path] of [
        ['GET', '/resources/busy'],
        ['GET', '/recursive/busy'],
        ['GET', '/search/busy?query=1'],
        ['PATCH', `/resources/busy?action=copy&destination=%2Fcopy-${round}`],
        ['DELETE', `/resources/copy-${round}`],
      ] as const) {
        const response = await client.send(method, path);
        await response.arrayBuffer();
        expect(response.status, `${method} ${path}`).toBe(200);
      }
      // An archive that cannot be completed is aborted.
      await client
        .send('GET', '/raw/busy?algo=zip')
        .then((response) => response.arrayBuffer())
        .catch(() => undefined);
    }
  } finally {
    stop.abort();
    await changing;
  }
  expect((await client.call('DELETE', '/resources/busy')).status).toBe(200);
  expect(temporaryFiles()).toEqual([]);
  expect(server.output()).not.toMatch(/unexpected error|reply\.sent|"level":(?:50|60)/);
});
