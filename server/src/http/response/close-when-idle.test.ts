import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForDrain } from './wait-for-drain.ts';
import { writeChunk } from './send-bytes.ts';
import { idleTimeoutMs } from './close-when-idle.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Far more bytes than any socket buffers. */
const oversized = Buffer.alloc(64 * 1024 * 1024);

/** A response to a client that reads only on request. */
async function startResponse() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const client = connect(address.port, '127.0.0.1');
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return {
    client,
    response,
    end: () => {
      client.destroy();
      server.close();
    },
  };
}

test.each([
  ['bytes', (response: ServerResponse) => writeChunk(response, oversized)],
  [
    'texts',
    async (response: ServerResponse) => {
      response.write(oversized);
      await waitForDrain(response, response);
      return false;
    },
  ],
])(
  'a client that stops reading %s is disconnected after the timeout, and no work waits for it',
  async (_, send) => {
    const { response, end } = await startResponse();
    const sent = send(response);
    vi.advanceTimersByTime(idleTimeoutMs - 1);
    expect(response.destroyed).toBe(false);
    vi.advanceTimersByTime(2);
    expect(response.destroyed).toBe(true);
    await expect(sent).resolves.toBe(false);
    end();
  },
);

test('a client that reads everything is not disconnected', async () => {
  const { client, response, end } = await startResponse();
  client.resume();
  await expect(writeChunk(response, oversized)).resolves.toBe(true);
  vi.advanceTimersByTime(2 * idleTimeoutMs);
  expect(response.destroyed).toBe(false);
  end();
});
