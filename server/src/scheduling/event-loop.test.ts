import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isYieldDue, yieldToEventLoop, Yielder } from './event-loop.ts';

const work = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('all CPU work together gets one turn per iteration', async () => {
  await yieldToEventLoop();
  expect(isYieldDue()).toBe(false);
  work(10);
  expect(isYieldDue()).toBe(true);
  await yieldToEventLoop();
  expect(isYieldDue()).toBe(false);
});

test('waiting loops resume in order, with other events in between', async () => {
  const waiting = 100;
  const resumed: number[] = [];
  const all = Array.from({ length: waiting }, async (_, id) => {
    await yieldToEventLoop();
    resumed.push(id);
  });
  const seen: number[] = [];
  while (resumed.length < waiting) {
    await nextIteration();
    seen.push(resumed.length);
  }
  await Promise.all(all);
  expect(resumed).toEqual(Array.from({ length: waiting }, (_, id) => id));
  expect(seen.length).toBeGreaterThan(10);
});

test('a loop of small steps reads the clock periodically', async () => {
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
