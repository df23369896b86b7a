import { expect, test } from 'vitest';
import { openTestClock } from '../../test/test-clock.ts';
import type { UserContext } from '../access/user-context.ts';
import type { EventStream } from '../http/response/event-stream.ts';
import { Feeds } from './feeds.ts';
import type { LiveFolders } from './live-folders.ts';

test('all users together have at most 1,024 streams', () => {
  const folders = { visibilityKeyOf: () => '' } as unknown as LiveFolders;
  const feeds = new Feeds(folders, openTestClock());
  const closes: (() => void)[] = [];
  for (let index = 0; index < 1_024; index++) {
    const userId = Math.floor(index / 20);
    const userContext = { user: { id: userId }, sessionId: 's' } as unknown as UserContext;
    const listeners: (() => void)[] = [];
    const stream = {
      onDrain: () => undefined,
      onClose: (listener: () => void) => void listeners.push(listener),
      close: () => undefined,
    } as unknown as EventStream;
    closes.push(() => {
      for (const listener of listeners) listener();
    });
    feeds.assertRoomFor(userId);
    feeds.open(userContext, stream);
  }
  expect(() => feeds.assertRoomFor(1_000)).toThrow('too many open streams');
  closes[0]?.();
  expect(() => feeds.assertRoomFor(1_000)).not.toThrow();
  feeds.close();
});
