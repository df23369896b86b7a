import { type VirtualPath, parsePath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, it } from 'vitest';
import type { UserContext } from './user-context.ts';
import { type FileChange, openFileEvents } from './file-events.ts';

const userContext: UserContext = {
  get user(): never {
    throw new Error('these tests do not read the user');
  },
  sessionId: 's',
  refresh: () => Promise.reject(new Error('these tests do not refresh')),
  storage: () => Promise.reject(new Error('no storage')),
};
const path = (value: string): VirtualPath => parsePath(value).path;
const change: FileChange = { event: 'rename', userContext, path: path('/a'), destination: path('/b') };

describe('file events', () => {
  it('notify listeners before and after, in order, with the final destination', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({
      before: async ({ destination }) => void calls.push(`before ${destination}`),
      after: async ({ destination }) => void calls.push(`after ${destination}`),
    });
    const result = await events.run(
      change,
      async () => {
        calls.push('work');
        return path('/b(1)');
      },
      (to) => to,
    );
    expect(result).toBe('/b(1)');
    expect(calls).toEqual(['before /b', 'work', 'after /b(1)']);
  });

  it('let a listener cancel the change', async () => {
    const events = openFileEvents();
    let isDone = false;
    events.subscribe({ before: () => Promise.reject(new Error('not today')) });
    await expect(
      events.run(change, async () => {
        isDone = true;
      }),
    ).rejects.toThrow('not today');
    expect(isDone).toBe(false);
  });

  it('notify listeners of several changes around one step', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({
      before: async ({ path: at }) => void calls.push(`before ${at}`),
      after: async ({ path: at }) => void calls.push(`after ${at}`),
    });
    await events.runTogether([change, { ...change, path: path('/c') }], async () => void calls.push('work'));
    expect(calls).toEqual(['before /a', 'before /c', 'work', 'after /a', 'after /c']);
  });

  it('cancel all changes of a step when a listener refuses one', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({
      before: async ({ path: at }) => {
        if (at === '/c') throw new Error('not this one');
      },
      aborted: async ({ path: at }) => void calls.push(`aborted ${at}`),
    });
    const work = async () => void calls.push('work');
    await expect(events.runTogether([change, { ...change, path: path('/c') }], work)).rejects.toThrow(
      'not this one',
    );
    expect(calls).toEqual(['aborted /a']);
  });

  it('do not report a failed change as complete', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({ after: async () => void calls.push('after') });
    await expect(events.run(change, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    expect(calls).toEqual([]);
  });

  it('notify the other listeners although one fails', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({ after: () => Promise.reject(new Error('broken')) });
    events.subscribe({ after: async () => void calls.push('second') });
    await expect(events.run(change, async () => 1)).rejects.toThrow('broken');
    expect(calls).toEqual(['second']);
  });
});

describe('a change whose checks are part of its work', () => {
  it('notifies listeners once, with the requested and the final destination', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({
      before: async ({ destination }) => void calls.push(`before ${destination}`),
      after: async ({ destination }) => void calls.push(`after ${destination}`),
    });
    await events.runWhenReady(
      change,
      async (begin) => {
        await begin(path('/b(1)'));
        await begin(path('/b(2)'));
        return path('/b(2)');
      },
      (to) => to,
    );
    expect(calls).toEqual(['before /b(1)', 'after /b(2)']);
  });

  it('notifies no listener of a refused change, or one without effect', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({
      before: async () => void calls.push('before'),
      after: async () => void calls.push('after'),
    });
    await expect(events.runWhenReady(change, () => Promise.reject(new Error('denied')))).rejects.toThrow(
      'denied',
    );
    await events.runWhenReady(change, async () => undefined);
    expect(calls).toEqual([]);
  });

  it('notifies listeners when it fails after it has started', async () => {
    const events = openFileEvents();
    const calls: string[] = [];
    events.subscribe({
      after: async () => void calls.push('after'),
      aborted: async ({ event, path }) => void calls.push(`${event} ${path}`),
    });
    await expect(
      events.runWhenReady(change, async (begin) => {
        await begin();
        throw new Error('the disk is full');
      }),
    ).rejects.toThrow('the disk is full');
    expect(calls).toEqual([`${change.event} ${change.path}`]);
    await expect(events.runWhenReady(change, () => Promise.reject(new Error('denied')))).rejects.toThrow();
    expect(calls).toHaveLength(1);
  });

  it('fails when a listener cancels it', async () => {
    const events = openFileEvents();
    let isDone = false;
    events.subscribe({
      before: () => Promise.reject(new Error('not today')),
      aborted: async () => void (isDone = true),
    });
    await expect(
      events.runWhenReady(change, async (begin) => {
        await begin();
        isDone = true;
      }),
    ).rejects.toThrow('not today');
    expect(isDone).toBe(false);
  });
});
