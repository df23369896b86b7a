import { type VirtualPath, parsePath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, it } from 'vitest';
import type { UserContext } from './user-context.ts';
import { type FileChange, openFileEvents } from './file-events.ts';

const userContext: UserContext = {
  get user(): never {
    throw new Error('listeners are not asked about the user here');
  },
  sessionId: 's',
  refresh: () => Promise.reject(new Error('nobody asks')),
  storage: () => Promise.reject(new Error('no storage')),
};
const path = (value: string): VirtualPath => parsePath(value).path;
const change: FileChange = { event: 'rename', userContext, path: path('/a'), destination: path('/b') };

describe('file events', () => {
  it('notify listeners before and after, in order, with the final destination', async () => {
    const events = openFileEvents();
    const heard: string[] = [];
    events.subscribe({
      before: async ({ destination }) => void heard.push(`before ${destination}`),
      after: async ({ destination }) => void heard.push(`after ${destination}`),
    });
    const result = await events.run(
      change,
      async () => {
        heard.push('work');
        return path('/b(1)');
      },
      (to) => to,
    );
    expect(result).toBe('/b(1)');
    expect(heard).toEqual(['before /b', 'work', 'after /b(1)']);
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

  it('do not report a change that failed as made', async () => {
    const events = openFileEvents();
    const heard: string[] = [];
    events.subscribe({ after: async () => void heard.push('after') });
    await expect(events.run(change, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    expect(heard).toEqual([]);
  });

  it('notify the other listeners although one fails', async () => {
    const events = openFileEvents();
    const heard: string[] = [];
    events.subscribe({ after: () => Promise.reject(new Error('broken')) });
    events.subscribe({ after: async () => void heard.push('second') });
    await expect(events.run(change, async () => 1)).rejects.toThrow('broken');
    expect(heard).toEqual(['second']);
  });
});

describe('a change whose checks are part of its work', () => {
  it('notifies listeners once, with the requested and the final destination', async () => {
    const events = openFileEvents();
    const heard: string[] = [];
    events.subscribe({
      before: async ({ destination }) => void heard.push(`before ${destination}`),
      after: async ({ destination }) => void heard.push(`after ${destination}`),
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
    expect(heard).toEqual(['before /b(1)', 'after /b(2)']);
  });

  it('notifies no listener of a refused change, or one without effect', async () => {
    const events = openFileEvents();
    const heard: string[] = [];
    events.subscribe({
      before: async () => void heard.push('before'),
      after: async () => void heard.push('after'),
    });
    await expect(events.runWhenReady(change, () => Promise.reject(new Error('denied')))).rejects.toThrow(
      'denied',
    );
    await events.runWhenReady(change, async () => undefined);
    expect(heard).toEqual([]);
  });

  it('notifies listeners of its failure once it had begun', async () => {
    const events = openFileEvents();
    const heard: string[] = [];
    events.subscribe({
      after: async () => void heard.push('after'),
      aborted: async ({ event, path }) => void heard.push(`${event} ${path}`),
    });
    await expect(
      events.runWhenReady(change, async (begin) => {
        await begin();
        throw new Error('the disk is full');
      }),
    ).rejects.toThrow('the disk is full');
    expect(heard).toEqual([`${change.event} ${change.path}`]);
    await expect(events.runWhenReady(change, () => Promise.reject(new Error('denied')))).rejects.toThrow();
    expect(heard).toHaveLength(1);
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
