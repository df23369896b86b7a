import { expect, test } from 'vitest';
import { isAppError } from '../http/app-error.ts';
import { createWorkQueue } from './work-queue.ts';

const never = new AbortController().signal;

/** Works that end when they are told to. */
function controlled(): {
  start: (name: string) => () => Promise<string>;
  end: (name: string) => void;
  started: string[];
} {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    start: (name) => () =>
      new Promise((resolve) => {
        started.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name) => ends.get(name)?.(),
  };
}

test('no more than so many run at once; the others wait in order', async () => {
  const queue = createWorkQueue({ atOnce: 2, maxWaiting: 10 });
  const { start, end, started } = controlled();
  const results = ['a', 'b', 'c', 'd'].map((name) => queue.run(start(name), never));
  await Promise.resolve();
  expect([started, queue.running, queue.waiting]).toEqual([['a', 'b'], 2, 2]);
  end('b');
  await results[1];
  await new Promise(setImmediate);
  expect(started).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await new Promise(setImmediate);
  end('d');
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test('whoever leaves loses the place, and is never started', async () => {
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 10 });
  const { start, end, started } = controlled();
  const first = queue.run(start('first'), never);
  const leaving = new AbortController();
  const left = queue.run(start('left'), leaving.signal);
  const last = queue.run(start('last'), never);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(queue.run(start('too late'), leaving.signal)).rejects.toThrow('gone');
  end('first');
  await first;
  await new Promise(setImmediate);
  end('last');
  await last;
  expect(started).toEqual(['first', 'last']);
});

test('too many waiting are refused, and a failing work frees its place', async () => {
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 1 });
  const failing = queue.run(async () => {
    await new Promise(setImmediate);
    throw new Error('broken');
  }, never);
  const waiting = queue.run(async () => 'done', never);
  const refused = await queue.run(async () => 'never', never).catch((error: unknown) => error);
  expect(isAppError(refused, 'busy')).toBe(true);
  await expect(failing).rejects.toThrow('broken');
  expect(await waiting).toBe('done');
  expect(queue.running).toBe(0);
});
