import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConnectionBurst } from '../../scheduling/connection-burst.ts';
import { scheduleFairly } from './fair-requests.ts';

/** A listener that records the requests it serves, blocking `workMs` for each. */
function start(workMs: number, burst = new ConnectionBurst()) {
  const order: string[] = [];
  const listener = scheduleFairly(({ headers, url }) => {
    order.push(`${String(headers['x-auth'] ?? 'nobody')}${url}`);
    const endMs = performance.now() + workMs;
    while (performance.now() < endMs);
  }, burst);
  /** Simulates an incoming request. */
  const arrive = (url: string, client?: string): ServerResponse => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    if (client !== undefined) request.headers['x-auth'] = client;
    const response = new ServerResponse(request);
    listener(request, response);
    return response;
  };
  return { order, arrive };
}

const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a single request is served at once', () => {
  const { order, arrive } = start(0);
  arrive('/1', 'a');
  expect(order).toEqual(['a/1']);
});

test("a single request does not wait behind all requests of another client, and each client's order is kept", async () => {
  const { order, arrive } = start(5);
  for (let i = 0; i < 20; i++) arrive(`/${i}`, 'many');
  arrive('/a', 'one');
  arrive('/b');
  // The first began at once and used up the time of this iteration.
  expect(order).toEqual(['many/0']);
  await expect.poll(() => order.length).toBe(22);
  expect(order.slice(0, 5)).toEqual(['many/0', 'many/1', 'one/a', 'nobody/b', 'many/2']);
  expect(order.filter((each) => each.startsWith('many'))).toEqual(
    Array.from({ length: 20 }, (_, i) => `many/${i}`),
  );
});

test('the event loop runs between batches of requests', async () => {
  const { order, arrive } = start(5);
  for (let i = 0; i < 4; i++) arrive(`/${i}`, 'a');
  const served: number[] = [];
  for (let i = 0; i < 8 && order.length < 4; i++) {
    await nextIteration();
    served.push(order.length);
  }
  expect(new Set(served).size).toBeGreaterThanOrEqual(3);
  expect(order).toHaveLength(4);
});

test('further requests wait while sixteen are in progress, until one has been answered', async () => {
  const { order, arrive } = start(0);
  const responses = Array.from({ length: 16 }, (_, i) => arrive(`/${i}`, 'many'));
  arrive('/waits', 'many');
  arrive('/', 'one');
  expect(order).toHaveLength(16);
  responses[0]?.emit('close');
  await expect.poll(() => order.length).toBeGreaterThan(16);
  expect(order[16]).toBe('many/waits');
});

test('requests wait while connections arrive, but not indefinitely', async () => {
  const burst = new ConnectionBurst();
  const { order, arrive } = start(0, burst);
  let isArriving = true;
  const connect = (): void => {
    burst.arrived();
    if (isArriving) setImmediate(connect);
  };
  connect();
  arrive('/', 'a');
  expect(order).toEqual([]);
  await expect.poll(() => order).toEqual(['a/']);
  isArriving = false;
});

test('requests of disconnected clients are not served', async () => {
  const { order, arrive } = start(5);
  arrive('/', 'a');
  arrive('/', 'left').destroy();
  const { req } = arrive('/', 'broken');
  req.socket.destroy();
  arrive('/', 'last');
  await expect.poll(() => order.at(-1)).toBe('last/');
  expect(order).toEqual(['a/', 'last/']);
});
