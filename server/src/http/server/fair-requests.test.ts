import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConnectionBurst } from '../../scheduling/connection-burst.ts';
import { scheduleFairly } from './fair-requests.ts';

/** A listener that notes whom it serves, working `workMs` for each without a pause. */
function start(workMs: number, burst = new ConnectionBurst()) {
  const order: string[] = [];
  const listener = scheduleFairly(({ headers, url }) => {
    order.push(`${String(headers['x-auth'] ?? 'nobody')}${url}`);
    const endMs = performance.now() + workMs;
    while (performance.now() < endMs);
  }, burst);
  /** A request arrives. */
  const arrive = (url: string, caller?: string): ServerResponse => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    if (caller !== undefined) request.headers['x-auth'] = caller;
    const response = new ServerResponse(request);
    listener(request, response);
    return response;
  };
  return { order, arrive };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one request is served at once', () => {
  const { order, arrive } = start(0);
  arrive('/1', 'a');
  expect(order).toEqual(['a/1']);
});

test('who asks once does not wait behind all that another asks, and each is served in order', async () => {
  const { order, arrive } = start(5);
  for (let i = 0; i < 20; i++) arrive(`/${i}`, 'many');
  arrive('/a', 'one');
  arrive('/b');
  // The first began at once and took the time of this turn.
  expect(order).toEqual(['many/0']);
  await expect.poll(() => order.length).toBe(22);
  expect(order.slice(0, 5)).toEqual(['many/0', 'many/1', 'one/a', 'nobody/b', 'many/2']);
  expect(order.filter((each) => each.startsWith('many'))).toEqual(
    Array.from({ length: 20 }, (_, i) => `many/${i}`),
  );
});

test('the next turn comes between', async () => {
  const { order, arrive } = start(5);
  for (let i = 0; i < 4; i++) arrive(`/${i}`, 'a');
  const served: number[] = [];
  for (let i = 0; i < 8 && order.length < 4; i++) {
    await nextTurn();
    served.push(order.length);
  }
  expect(new Set(served).size).toBeGreaterThanOrEqual(3);
  expect(order).toHaveLength(4);
});

test('while connections arrive requests wait, but not for good', async () => {
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

test('whoever has left is not served', async () => {
  const { order, arrive } = start(5);
  arrive('/', 'a');
  arrive('/', 'left').destroy();
  const { req } = arrive('/', 'broken');
  req.socket.destroy();
  arrive('/', 'last');
  await expect.poll(() => order.at(-1)).toBe('last/');
  expect(order).toEqual(['a/', 'last/']);
});
