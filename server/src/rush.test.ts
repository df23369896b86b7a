import { expect, test } from 'vitest';
import { Semaphore } from './scheduling/semaphore.ts';
import { Rush } from './rush.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what moves bytes waits while connections arrive, turn after turn, and goes on with the first turn without', async () => {
  const rush = new Rush();
  const lane = new Semaphore(2, rush);
  let done = 0;
  rush.arrived();
  const moved = [1, 2, 3].map(() => lane.run(async () => void done++));
  for (let i = 0; i < 3; i++) {
    rush.arrived();
    await nextTurn();
    expect(done).toBe(0);
  }
  await Promise.all(moved);
  expect(done).toBe(3);
  expect(rush.over()).toBeNull();
});

test('connections that never end hold nobody up for good', async () => {
  const rush = new Rush();
  let isArriving = true;
  const arrive = (): void => {
    rush.arrived();
    if (isArriving) setImmediate(arrive);
  };
  arrive();
  const lane = new Semaphore(1, rush);
  for (let i = 0; i < 3; i++) await lane.run(async () => undefined);
  isArriving = false;
});
