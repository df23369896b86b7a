import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';
import { ConnectionBurst } from './connection-burst.ts';

const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('data transfers wait while connections arrive and continue after the first iteration without a new one', async () => {
  const burst = new ConnectionBurst();
  const semaphore = new Semaphore(2, burst);
  let done = 0;
  burst.arrived();
  const transfers = [1, 2, 3].map(() => semaphore.run(async () => void done++));
  for (let i = 0; i < 3; i++) {
    burst.arrived();
    await nextIteration();
    expect(done).toBe(0);
  }
  await Promise.all(transfers);
  expect(done).toBe(3);
  expect(burst.settled()).toBeNull();
});

test('endless connections do not delay transfers indefinitely', async () => {
  const burst = new ConnectionBurst();
  let isArriving = true;
  const arrive = (): void => {
    burst.arrived();
    if (isArriving) setImmediate(arrive);
  };
  arrive();
  const semaphore = new Semaphore(1, burst);
  for (let i = 0; i < 3; i++) await semaphore.run(async () => undefined);
  isArriving = false;
});
