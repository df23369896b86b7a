import { expect, test } from 'vitest';
import { forEachConcurrently } from './for-each-concurrently.ts';

test('each item is used once with its index, and only so many at once', async () => {
  const calls: [item: string, index: number][] = [];
  const ends: (() => void)[] = [];
  const done = forEachConcurrently(['a', 'b', 'c'], 2, async (item, index) => {
    calls.push([item, index]);
    await new Promise<void>((resolve) => void ends.push(resolve));
  });
  await Promise.resolve();
  expect(calls).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
  ends[1]?.();
  await expect.poll(() => calls).toHaveLength(3);
  expect(calls[2]).toEqual(['c', 2]);
  for (const end of ends) end();
  await done;
});

test('there may be fewer items than calls at once', async () => {
  const items: number[] = [];
  await forEachConcurrently(new Set([7]), 4, async (item) => void items.push(item));
  expect(items).toEqual([7]);
});

test('no further call begins after one has failed', async () => {
  const begun: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error('failed');
  };
  await expect(forEachConcurrently([1, 2, 3, 4, 5], 2, work)).rejects.toThrow('failed');
  await Promise.resolve();
  expect(begun.length).toBeLessThan(5);
});
