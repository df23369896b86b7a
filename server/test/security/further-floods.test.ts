import { connect, type Socket } from 'node:net';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Share } from '@filestead/contract/shares';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { prepareStage } from './stage.ts';

// Downloads that are started and never read keep their resources as long as the client is connected.
const { stage } = prepareStage({ config: { archivesAtOnce: '8' } });
const bigBytes = 64 * 1024 * 1024;
const sockets: Socket[] = [];
let share: Share;

beforeAll(async () => {
  await stage().addUser('giver', { share: true, download: true });
  const big = join(stage().app.root, 'users/giver/docs/big.bin');
  writeFileSync(big, '');
  truncateSync(big, bigBytes);
  share = await stage().share('giver', '/docs');
  stage().letRead('', 'root/users/giver/docs');
  return () => rmSync(big, { force: true });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends a request and reads only the first chunk. Resolves to the status. */
function begin(target: string, token = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(stage().port, '127.0.0.1');
    sockets.push(socket);
    const auth = token === '' ? '' : `X-Auth: ${token}\r\n`;
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n`);
    socket.once('data', (data: Buffer) => {
      socket.pause();
      resolve(Number(data.toString('latin1').split(' ')[1]));
    });
    socket.once('error', reject);
  });
}

test('unread downloads of visitors do not block archives of users', async () => {
  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn++) statuses.push(await begin(`/api/public/dl/${share.hash}?algo=tar`));
  expect(statuses).toEqual([200, 200, 503, 503, 503, 503]);
  expect(await stage().status('alice', 'GET', '/api/raw/docs/?algo=zip')).toBe(200);
});

test('unread downloads of one user do not block archives of others', async () => {
  const statuses: number[] = [];
  for (let turn = 0; turn < 8; turn++) {
    statuses.push(await begin('/api/raw/docs/?algo=tar', stage().token('giver')));
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 503, 503]);
  expect(await stage().status('alice', 'GET', '/api/raw/docs/?algo=zip')).toBe(200);
});
