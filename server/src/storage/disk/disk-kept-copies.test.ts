import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { idOfStoredName } from '../kept/kept-names.ts';
import { causeOf, keep, recordsOf, restored } from '../testing/kept-testing.ts';
import { path, refused, treeOf } from '../testing/storage-testing.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';
import { syscalls } from './paths/syscalls.ts';
import { isTemporaryName } from './paths/temporary-names.ts';

const disks = temporaryDisks();

describe('an entry that cannot be renamed into a store', () => {
  const { rename } = syscalls;
  /** Refuses to rename entries into the store, as overlayfs does for folders of its lower layer. */
  beforeEach(() => {
    const refuse = (...[from, to]: Parameters<typeof rename>): Promise<void> =>
      idOfStoredName(basename(String(to))) !== null && !isTemporaryName(basename(String(from)))
        ? Promise.reject(Object.assign(new Error('EXDEV'), { code: 'EXDEV' }))
        : rename(from, to);
    syscalls.rename = refuse as typeof rename;
  });
  afterEach(() => {
    syscalls.rename = rename;
  });
  const files = { '/d/a.txt': 'a', '/d/inner/b.txt': 'b', '/c.txt': 'c' };

  test('stays where it is, unless it may be copied', async () => {
    const { storage } = await disks.open({ files });
    for (const name of ['/d', '/c.txt']) {
      const removal = storage.remove(path(name), { keep: causeOf() });
      await expect(removal).rejects.toEqual(refused('keep_needs_copy'));
    }
    expect(await treeOf(storage)).toMatchObject(files);
    expect((await recordsOf(storage)).filter(({ kind }) => kind === 'keep')).toEqual([]);
  });

  test('is copied into the store on request, and restored from there', async () => {
    const { storage } = await disks.open({ files });
    const before = await treeOf(storage);
    const progress: number[] = [];
    const onProgress = ({ entries }: { entries: number }): void => void progress.push(entries);
    const entries = [
      await keep(storage, '/d', { copies: true, onProgress }),
      await keep(storage, '/c.txt', { copies: true }),
    ];
    expect(await treeOf(storage)).toEqual({});
    expect(progress.at(-1)).toBe(3);
    const records = await recordsOf(storage);
    expect(records.flatMap((record) => (record.kind === 'keep' ? [record.entry.id] : []))).toEqual(
      entries.map(({ id }) => id),
    );
    expect(await storage.stores()).toMatchObject([{ entries: 2, withoutRecord: 0, withoutEntry: 0 }]);
    syscalls.rename = rename;
    for (const entry of entries) await storage.restore(entry, entry.place, restored);
    expect(await treeOf(storage)).toEqual(before);
  });

  test('stays complete when the copy cannot be completed', async () => {
    const { storage } = await disks.open({ files });
    const before = await treeOf(storage);
    const refuse = (...[from, to]: Parameters<typeof rename>): Promise<void> => {
      if (idOfStoredName(basename(String(to))) === null) return rename(from, to);
      const code = isTemporaryName(basename(String(from))) ? 'ENOSPC' : 'EXDEV';
      return Promise.reject(Object.assign(new Error(code), { code }));
    };
    syscalls.rename = refuse as typeof rename;
    for (const name of ['/d', '/c.txt']) {
      const removal = storage.remove(path(name), { keep: causeOf(), copies: true });
      await expect(removal).rejects.toEqual(refused('storage_full'));
    }
    expect(await treeOf(storage)).toEqual(before);
    expect(await storage.stores()).toMatchObject([{ entries: 0, withoutEntry: 0 }]);
  });
});
