import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isYieldDue, yieldToEventLoop, Yielder } from './event-loop.ts';

const work = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('all long work together gets one turn, and a new one afterwards', async () => {
  await yieldToEventLoop();
  expect(isYieldDue()).toBe(false);
  work(10);
  expect(isYieldDue()).toBe(true);
  await yieldToEventLoop();
  expect(isYieldDue()).toBe(false);
});

test('however many wait, others come in between, and the first who asked is the first to go on', async () => {
  const waiting = 100;
  const resumed: number[] = [];
  const all = Array.from({ length: waiting }, async (_, id) => {
    await yieldToEventLoop();
    resumed.push(id);
  });
  const seen: number[] = [];
  while (resumed.length < waiting) {
    await turnOfTheLoop();
    seen.push(resumed.length);
  }
  await Promise.all(all);
  expect(resumed).toEqual(Array.from({ length: waiting }, (_, id) => id));
  expect(seen.length).toBeGreaterThan(10);
});

test('a loop of small steps looks at the clock now and then', async () => {
  await yieldToEventLoop();
  isYieldDue();
  const yielder = new Yielder();
  expect(yielder.isDue()).toBe(false);
  work(10);
  let steps = 1;
  while (!yielder.isDue()) steps++;
  expect(steps).toBeLessThanOrEqual(64);
  await yielder.yield();
  expect(isYieldDue()).toBe(false);
});
