import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  dayMs,
  gibibyte,
  hourMs,
  minuteMs,
  openTestDisk,
  type TestDisk,
} from '../../test/fixtures/retention-testing.ts';

let disk: TestDisk;
beforeEach(async () => {
  disk = await openTestDisk();
});
afterEach(() => disk.close());

/** Confirms the free space and runs a sweep. Returns the ids of the remaining entries. */
async function sweep(): Promise<string[]> {
  await disk.confirm();
  await disk.keeper.sweep();
  return disk.left();
}
const brake = (): string | undefined => disk.keeper.brakeOf(rootPath)?.kind;
/** Adds entries that are too recent to be removed, so that a fifth of the store, the limit of an hour, is large. */
const addRecent = (): Promise<void> =>
  disk.add(
    ...Array.from({ length: 20 }, (_, index) => ({
      id: `recent${index + 10}`,
      ageMs: dayMs,
      bytes: 5 * gibibyte,
    })),
  );
const withoutRecent = (ids: readonly string[]): string[] => ids.filter((id) => !id.startsWith('recent'));

describe('a disk that lacks space', () => {
  beforeEach(addRecent);

  test('nothing is removed while a tenth of the disk, or 50 GiB, is free', async () => {
    await disk.add({ id: 'old', ageMs: 20 * dayMs });
    disk.state.free = 50 * gibibyte;
    expect(withoutRecent(await sweep())).toEqual(['old']);
    disk.state.total = 100 * gibibyte;
    disk.state.free = 10 * gibibyte;
    expect(withoutRecent(await sweep())).toEqual(['old']);
    disk.state.free -= 1;
    expect(withoutRecent(await sweep())).toEqual([]);
    expect(disk.keeper.lastPurgeOf(rootPath)).toMatchObject({
      cause: 'low_space',
      entries: 1,
      bytes: gibibyte,
      reasons: { old_deletion: 1 },
    });
  });

  test('removes as much as is missing and a tenth more, the oldest first', async () => {
    await disk.add(...[8, 9, 10, 11, 12, 13].map((days) => ({ id: `d${days}`, ageMs: days * dayMs })));
    disk.state.free = 48 * gibibyte;
    expect(withoutRecent(await sweep())).toEqual(['d10', 'd8', 'd9']);
  });

  test('removes expired entries first, and never entries within the guaranteed time', async () => {
    await disk.add({ id: 'expired', ageMs: 31 * dayMs }, { id: 'older', ageMs: 29 * dayMs });
    disk.state.free = 50 * gibibyte - 1;
    expect(withoutRecent(await sweep())).toEqual(['older']);
    disk.state.free = 0;
    const left = await sweep();
    expect(withoutRecent(left)).toEqual([]);
    expect(left).toHaveLength(20);
    expect(disk.log.warn).toHaveBeenCalledWith(
      expect.objectContaining({ largestUsers: [{ userId: 1, entries: 20, bytes: 100 * gibibyte }] }),
      expect.stringContaining('nothing more can be removed'),
    );
  });

  test('frees names on file systems that limit their number', async () => {
    await disk.add({ id: 'one', ageMs: 9 * dayMs, bytes: 1 }, { id: 'two', ageMs: 8 * dayMs, bytes: 1 });
    disk.state.names = { total: 1_000, free: 50 };
    expect(withoutRecent(await sweep())).toEqual(['one', 'two']);
    disk.state.names = { total: 1_000, free: 49 };
    expect(withoutRecent(await sweep())).toEqual([]);
    expect(disk.keeper.lastPurgeOf(rootPath)?.cause).toBe('low_names');
  });

  test('the free space is measured again after a folder of unknown size', async () => {
    await disk.add(
      { id: 'folder', ageMs: 9 * dayMs, bytes: null },
      { id: 'file', ageMs: 8 * dayMs, bytes: gibibyte },
    );
    disk.state.free = 50 * gibibyte - 1;
    const { remove } = disk.database.trash;
    disk.database.trash.remove = async (ids) => {
      if (ids.includes('folder')) disk.state.free += 10 * gibibyte;
      await remove(ids);
    };
    expect(withoutRecent(await sweep())).toEqual(['file']);
  });

  test('limits the kept entries to the configured size', async () => {
    await disk.add({ id: 'old', ageMs: 9 * dayMs }, { id: 'older', ageMs: 10 * dayMs });
    disk.state.keptSize = 101 * gibibyte;
    expect(withoutRecent(await sweep())).toEqual([]);
    expect(disk.keeper.lastPurgeOf(rootPath)?.cause).toBe('size_limit');
    disk.state.keptSize = 10 * gibibyte;
    expect(await sweep()).toHaveLength(20);
  });
});

describe('versions on a full disk', () => {
  beforeEach(addRecent);
  const save = (id: string, ageMs: number, userId = 1, file = '/report.txt') => ({
    id,
    path: file,
    ageMs,
    act: 'save' as const,
    userId,
  });

  test('states that their author replaced within a day are removed before deleted entries', async () => {
    await disk.add({ id: 'deleted', ageMs: 20 * dayMs });
    // Alice replaced Bob’s state with the first of three states, two of which she replaced herself.
    await disk.add(save('bob', 3 * hourMs, 1), save('alice1', 2 * hourMs, 1), save('alice2', hourMs, 1));
    disk.state.free = 50 * gibibyte - 1;
    expect(withoutRecent(await sweep())).toEqual(['alice2', 'bob', 'deleted']);
    disk.state.free = 50 * gibibyte - 1;
    expect(withoutRecent(await sweep())).toEqual(['bob', 'deleted']);
    expect(disk.keeper.lastPurgeOf(rootPath)?.reasons).toEqual({ short_lived: 1 });
  });

  test('a file that its author deleted within a day is removed before older deletions', async () => {
    await disk.add({ id: 'deleted', ageMs: 20 * dayMs });
    await disk.created('/new.txt', 3 * hourMs);
    await disk.add(
      { id: 'short', path: '/new.txt', ageMs: 2 * hourMs },
      { id: 'other', path: '/other.txt', ageMs: 2 * hourMs },
    );
    disk.state.free = 50 * gibibyte - 1;
    expect(withoutRecent(await sweep())).toEqual(['deleted', 'other']);
    expect(disk.keeper.lastPurgeOf(rootPath)?.reasons).toEqual({ short_lived: 1 });
  });

  test('a coarser thinning comes next, and old versions are removed before old deletions', async () => {
    await disk.add({ id: 'deleted', ageMs: 25 * dayMs });
    await disk.add(...[20, 15, 12, 9, 8].map((days, index) => save(`v${days}`, days * dayMs, index)));
    disk.state.free = 0;
    expect(withoutRecent(await sweep())).toEqual(['v8', 'v9']);
  });

  test('the state at the beginning of the guaranteed time is never removed, however often a file is replaced', async () => {
    await disk.add(save('good', 5 * dayMs + minuteMs, 3));
    for (let index = 0; index < 200; index++)
      await disk.add({ ...save(`junk${index}`, 5 * dayMs - index * minuteMs, 3), bytes: 1024 });
    disk.state.free = 0;
    expect(withoutRecent(await sweep())).toContain('good');
    for (let hour = 0; hour < 5; hour++) {
      disk.clock.advance(hourMs);
      await sweep();
    }
    expect(withoutRecent(await disk.left())).toEqual(['good']);
  });

  test('annotated versions are not removed', async () => {
    await disk.add(...[20, 15, 12, 9].map((days) => save(`v${days}`, days * dayMs, days)));
    await disk.database.versions.update('v20', { keepsForever: true });
    await disk.database.versions.update('v15', { label: 'final' });
    disk.state.free = 0;
    expect(withoutRecent(await sweep())).toEqual(['v12', 'v15', 'v20', 'v9']);
  });
});

describe('brakes', () => {
  beforeEach(async () => {
    await addRecent();
    await disk.add({ id: 'old', ageMs: 20 * dayMs });
    disk.state.free = gibibyte;
  });
  const isOldLeft = async (): Promise<boolean> => (await disk.left()).includes('old');

  test('nothing is removed in the first minute after the start', async () => {
    disk.clock.advance(-hourMs);
    await disk.keeper.sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'starting']);
  });

  test('a disk that lacks space is relieved two minutes after the start', async () => {
    disk.keeper.start();
    await disk.keeper.read();
    disk.clock.advance(2 * minuteMs);
    await expect.poll(isOldLeft).toBe(false);
  });

  test('nothing is removed unless a reading a minute earlier confirms the free space', async () => {
    await disk.keeper.sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'free_space_unclear']);
    await sweep();
    expect([await isOldLeft(), brake()]).toEqual([false, undefined]);
  });

  test.each([
    ['a free space that has fallen by half within a minute', { free: 0 }],
    ['a disk of no size', { total: 0, free: 0 }],
  ])('nothing is removed because of %s', async (_, reading) => {
    disk.state.free = 40 * gibibyte;
    await disk.confirm();
    Object.assign(disk.state, reading, { keptSize: 1 });
    await disk.keeper.sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'free_space_unclear']);
  });

  test('nothing is removed for a day after the clock has jumped', async () => {
    await disk.keeper.read();
    disk.clock.advance(3 * dayMs);
    await sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'clock_jumped']);
    for (let hour = 0; hour < 24; hour++) {
      disk.clock.advance(hourMs);
      await disk.keeper.read();
    }
    await sweep();
    expect(await isOldLeft()).toBe(false);
  });

  test('nothing is removed from a store that is missing', async () => {
    disk.state.problem = 'store_missing';
    await sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'store_missing']);
  });

  test('nothing is removed from another store in the place of the known one', async () => {
    disk.state.isPresent = false;
    await sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'store_missing']);
  });

  test('nothing is removed while the records cannot be read', async () => {
    disk.state.isLedgerReadable = false;
    await sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'ledger_unreadable']);
  });

  test('removals stop when they free nothing', async () => {
    await disk.add({ id: 'older', ageMs: 21 * dayMs, bytes: 19 * gibibyte });
    disk.state.frees = false;
    await sweep();
    expect([await isOldLeft(), brake()]).toEqual([false, 'frees_nothing']);
    await disk.add({ id: 'next', ageMs: 21 * dayMs });
    await sweep();
    expect(await disk.left()).toContain('next');
  });

  test('at most a fifth of a store is removed within an hour, expired entries included', async () => {
    await disk.add(
      ...Array.from({ length: 100 }, (_, index) => ({ id: `o${index + 100}`, ageMs: 20 * dayMs })),
    );
    const bytes = async (): Promise<number> =>
      ((await disk.database.retention.uses(disk.clock.now(), 0)).get(rootPath)?.bytes ?? 0) / gibibyte;
    const before = await bytes();
    await sweep();
    expect(brake()).toBe('too_much_at_once');
    expect(await bytes()).toBe(before - Math.floor(before / 5));
    disk.state.free = gibibyte;
    await sweep();
    expect(await bytes()).toBe(before - Math.floor(before / 5));
    disk.clock.advance(hourMs);
    await sweep();
    expect(await bytes()).toBeLessThan(before - Math.floor(before / 5));
  });

  test('expired entries count towards the fifth', async () => {
    await disk.keeper.expired((await disk.left()).filter((id) => id.startsWith('recent')));
    expect(disk.keeper.lastPurgeOf(rootPath)).toMatchObject({ cause: 'expiry', entries: 20 });
    await sweep();
    expect([await isOldLeft(), brake()]).toEqual([true, 'too_much_at_once']);
  });
});

describe('an upload that needs room', () => {
  const upload = { place: virtualPath('/folder'), fileSystem: '8:1', neededBytes: 52 * gibibyte };
  beforeEach(async () => {
    await addRecent();
    await disk.add(...[8, 9, 10, 11].map((days) => ({ id: `d${days}`, ageMs: days * dayMs })));
    disk.state.free = 50 * gibibyte;
    await disk.confirm();
  });

  test('frees the bytes that it lacks', async () => {
    await disk.keeper.makeRoom(upload);
    expect(disk.state.free).toBe(53 * gibibyte);
    expect(withoutRecent(await disk.left())).toEqual(['d8']);
    expect(disk.keeper.lastPurgeOf(rootPath)?.cause).toBe('upload');
  });

  test('does not free anything on another disk', async () => {
    await disk.keeper.makeRoom({ ...upload, fileSystem: '8:2' });
    expect(disk.state.free).toBe(50 * gibibyte);
  });

  test('waits for ten seconds at most', async () => {
    const { uses } = disk.database.retention;
    let proceed: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    disk.database.retention.uses = async (...args) => {
      await isHeld;
      return uses(...args);
    };
    const waiting = disk.keeper.makeRoom(upload);
    // The timer is set after the disk was measured.
    await new Promise((resolve) => setImmediate(resolve));
    disk.clock.advance(10_000);
    await waiting;
    expect(disk.state.free).toBe(50 * gibibyte);
    proceed();
  });
});
