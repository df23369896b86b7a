import { expect, test } from 'vitest';
import { createSharedWork } from './shared-work.ts';

interface Attempt {
  readonly signal: AbortSignal;
  resolve(value: string): void;
  reject(error: Error): void;
}

/** A work that records its attempts. */
function recorded(): { attempts: Attempt[]; start: (signal: AbortSignal) => Promise<string> } {
  const attempts: Attempt[] = [];
  const start = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => attempts.push({ signal, resolve, reject }));
  return { attempts, start };
}

const never = new AbortController().signal;

test('all who ask at the same time share one work; later ones begin a new one', async () => {
  const shared = createSharedWork<string>();
  const { attempts, start } = recorded();
  const asked = [1, 2, 3].map(() => shared.run('key', never, start));
  const other = shared.run('other', never, start);
  expect(attempts).toHaveLength(2);
  attempts[0]?.resolve('made');
  attempts[1]?.resolve('other');
  expect(await Promise.all(asked)).toEqual(['made', 'made', 'made']);
  expect(await other).toBe('other');
  expect(shared.size).toBe(0);
  const again = shared.run('key', never, start);
  attempts[2]?.resolve('again');
  expect(await again).toBe('again');
});

test('one who leaves does not disturb the others; when the last one leaves the work is told', async () => {
  const shared = createSharedWork<string>();
  const { attempts, start } = recorded();
  const [first, second] = [new AbortController(), new AbortController()];
  const one = shared.run('key', first.signal, start);
  const two = shared.run('key', second.signal, start);
  first.abort(new Error('first left'));
  await expect(one).rejects.toThrow('first left');
  expect(attempts[0]?.signal.aborted).toBe(false);
  second.abort(new Error('second left'));
  await expect(two).rejects.toThrow('second left');
  expect(attempts[0]?.signal.aborted).toBe(true);
});

test('whoever comes while a given-up work is still running waits for it instead of doing it twice', async () => {
  const shared = createSharedWork<string>();
  const { attempts, start } = recorded();
  const leaving = new AbortController();
  const left = shared.run('key', leaving.signal, start);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const lucky = shared.run('key', never, start);
  await new Promise(setImmediate);
  expect(attempts).toHaveLength(1);
  attempts[0]?.resolve('finished all the same');
  expect(await lucky).toBe('finished all the same');
});

test('a given-up work that ends without a result is begun anew', async () => {
  const shared = createSharedWork<string>();
  const { attempts, start } = recorded();
  const leaving = new AbortController();
  const left = shared.run('key', leaving.signal, start);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const next = shared.run('key', never, start);
  attempts[0]?.reject(new Error('given up'));
  await new Promise(setImmediate);
  expect(attempts).toHaveLength(2);
  attempts[1]?.resolve('made');
  expect(await next).toBe('made');
});

test('a failure is everybody’s, and not kept', async () => {
  const shared = createSharedWork<string>();
  const { attempts, start } = recorded();
  const asked = [1, 2].map(() => shared.run('key', never, start));
  attempts[0]?.reject(new Error('broken'));
  for (const one of asked) await expect(one).rejects.toThrow('broken');
  expect(shared.size).toBe(0);
});
