import { connect, type Socket } from 'node:net';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('an upload that makes no progress is ended after two minutes and leaves nothing', async () => {
  const token = await app.signIn('admin');
  const received = new Promise<Socket>((resolve) => {
    app.instance.server.prependOnceListener('request', ({ socket }: { socket: Socket }) => resolve(socket));
  });
  const client = connect({ host: '127.0.0.1', port: Number(new URL(app.url).port) });
  const ended = new Promise<void>((resolve) => client.on('close', () => resolve()));
  client.on('error', () => undefined);
  client.write(
    `POST /api/resources/half.txt HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nContent-Length: 10\r\n\r\nhello`,
  );
  const socket = await received;
  await expect.poll(() => socket.timeout).toBe(120_000);
  socket.emit('timeout');
  await ended;
  await expect
    .poll(async () => (await readdir(app.root)).filter((name) => !/^\.filestead$/.test(name)))
    .toEqual([]);
});
