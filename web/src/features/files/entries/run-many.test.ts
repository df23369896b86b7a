import { expect, test } from 'vitest';
import { maxParallelRequests, runMany } from './run-many.ts';

/** Lets other tasks run first. */
const wait = () => new Promise((resolve) => setTimeout(resolve));

test('limits concurrency and returns outcomes in the order of the items', async () => {
  let running = 0;
  let most = 0;
  const progress: number[] = [];
  const outcome = await runMany({
    items: Array.from({ length: 20 }, (_, index) => index),
    run: async (item) => {
      running += 1;
      most = Math.max(most, running);
      await wait();
      running -= 1;
      return item * 2;
    },
    onProgress: (finished) => progress.push(finished),
  });
  expect(most).toBe(maxParallelRequests);
  expect(outcome.done.map(({ result }) => result)).toEqual(
    Array.from({ length: 20 }, (_, index) => index * 2),
  );
  expect(progress.at(-1)).toBe(20);
});

test('continues after a failure', async () => {
  const outcome = await runMany({
    items: ['a', 'b', 'c'],
    run: async (item) => {
      await wait();
      if (item === 'b') throw new Error('no');
      return item;
    },
  });
  expect(outcome.done.map(({ item }) => item)).toEqual(['a', 'c']);
  expect(outcome.failed.map(({ item }) => item)).toEqual(['b']);
});

test('finishes running requests after cancellation and starts no others', async () => {
  const cancel = new AbortController();
  const started: number[] = [];
  const outcome = await runMany({
    items: Array.from({ length: 30 }, (_, index) => index),
    signal: cancel.signal,
    run: async (item) => {
      started.push(item);
      if (item === 5) cancel.abort();
      await wait();
      return item;
    },
  });
  expect(outcome.done.length).toBe(started.length);
  expect(outcome.done.length + outcome.unprocessed.length).toBe(30);
  expect(outcome.unprocessed.length).toBeGreaterThan(15);
});
