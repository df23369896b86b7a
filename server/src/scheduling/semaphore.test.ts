import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Calls that end on request, and the order in which they began. */
function calls() {
  const started: number[] = [];
  const endings: (() => void)[] = [];
  const call = (id: number) => async (): Promise<number> => {
    started.push(id);
    await new Promise<void>((resolve) => (endings[id] = resolve));
    return id;
  };
  return { started, call, end: (id: number) => endings[id]?.() };
}

test('limits concurrent calls and runs the others in order', async () => {
  const { started, call, end } = calls();
  const semaphore = new Semaphore(2);
  const results = [0, 1, 2, 3].map((id) => semaphore.run(call(id)));
  expect(started).toEqual([0, 1]);
  end(1);
  await expect(results[1]).resolves.toBe(1);
  // A new call does not overtake a waiting one.
  results.push(semaphore.run(call(4)));
  await expect.poll(() => started).toEqual([0, 1, 2]);
  for (const id of [0, 2]) end(id);
  await expect.poll(() => started).toEqual([0, 1, 2, 3, 4]);
  for (const id of [3, 4]) end(id);
  await expect(Promise.all(results)).resolves.toEqual([0, 1, 2, 3, 4]);
});

test('passes the slot of a failed call to the next', async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error('no')));
  const next = semaphore.run(() => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
  await expect(semaphore.run(() => Promise.resolve('again'))).resolves.toBe('again');
});
