import { expect, test } from 'vitest';
import { type FairQueue, openFairQueue } from './fair-queue.ts';

/** Adds work of `owner` that ends when it is told to. */
function workIn(queue: FairQueue, started: string[]): (owner: number, name: string) => () => void {
  return (owner, name) => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    queue.add(owner, () => {
      started.push(name);
      return ended;
    });
    return end;
  };
}
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

test('no more than the bounds run, and owners take turns', async () => {
  const queue = openFairQueue({ atOnce: 2, perOwner: 1 });
  const started: string[] = [];
  const add = workIn(queue, started);
  const ends = ['a1', 'a2', 'a3'].map((name) => add(1, name));
  const [endB, endC] = [add(2, 'b1'), add(3, 'c1')];
  expect(started).toEqual(['a1', 'b1']);
  ends[0]?.();
  await settle();
  expect(started).toEqual(['a1', 'b1', 'a2']);
  endB();
  await settle();
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1']);
  ends[1]?.();
  await settle();
  ends[2]?.();
  endC();
  await queue.idle();
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
});

test('work that fails gives its place back', async () => {
  const queue = openFairQueue({ atOnce: 1, perOwner: 1 });
  const done: number[] = [];
  queue.add(1, () => Promise.reject(new Error('no')));
  queue.add(1, async () => void done.push(1));
  await queue.idle();
  expect(done).toEqual([1]);
  await queue.idle();
});
