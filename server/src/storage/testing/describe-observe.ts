import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../errors.ts';
import type { FolderObservation, FolderObserver, Storage } from '../storage.ts';
import { bytesOf, type OpenStorage, once, over, path, refused } from './storage-testing.ts';

/** The reports about an observed folder. */
export interface Observed {
  readonly observation: FolderObservation;
  /** All reported names; `*` for a change of any name. */
  readonly names: Set<string>;
  readonly renamed: (readonly [string, string])[];
  readonly ended: () => boolean;
}

/** Observes a folder until the end of the test. */
export async function observed(storage: Storage, folder: string): Promise<Observed> {
  const names = new Set<string>();
  const renamed: (readonly [string, string])[] = [];
  let ends = 0;
  const observer: FolderObserver = {
    onChange(change) {
      for (const name of change.names ?? ['*']) names.add(name);
      renamed.push(...change.renamed);
    },
    onEnd: () => void (ends += 1),
  };
  const observation = await storage.observe(path(folder), observer);
  onTestFinished(() => observation.close());
  return { observation, names, renamed, ended: () => ends === 1 };
}

/** Polled storages need this time to notice a change. */
const pollOptions = { timeout: 8_000, interval: 10 };

/** The tests of `Storage.observe`. */
export function describeObserve(start: OpenStorage): void {
  describe('observe', () => {
    const write = (storage: Storage, file: string, text: string): Promise<unknown> =>
      storage.write(path(file), bytesOf(text), { mode: 'either' });

    test('reports entries that are created, changed, renamed and removed', async () => {
      const storage = await start({ '/docs/old.txt': 'old', '/docs/moved.txt': 'x', '/docs/folder/': '' });
      const { names, ended } = await observed(storage, '/docs');
      await write(storage, '/docs/new.txt', 'new');
      await vi.waitFor(() => expect(names).toContain('new.txt'), pollOptions);
      await write(storage, '/docs/old.txt', 'changed');
      await vi.waitFor(() => expect(names).toContain('old.txt'), pollOptions);
      await storage.move(path('/docs/moved.txt'), path('/docs/to.txt'), once);
      await vi.waitFor(
        () => expect([...names]).toEqual(expect.arrayContaining(['moved.txt', 'to.txt'])),
        pollOptions,
      );
      await storage.remove(path('/docs/folder'));
      await vi.waitFor(() => expect(names).toContain('folder'), pollOptions);
      expect(ended()).toBe(false);
    });

    test('reports neither unfinished files nor changes below subfolders', async () => {
      const storage = await start({ '/docs/inner/deep.txt': 'x' });
      const { names } = await observed(storage, '/docs');
      await storage.move(path('/docs/inner/deep.txt'), path('/docs/inner/moved.txt'), once);
      await write(storage, '/docs/last.txt', 'x');
      await vi.waitFor(() => expect(names).toContain('last.txt'), pollOptions);
      expect([...names].filter((name) => name !== 'last.txt' && name !== 'inner')).toEqual([]);
    });

    test('reports nothing after it was closed', async () => {
      const storage = await start({ '/docs/': '' });
      const closed = await observed(storage, '/docs');
      const open = await observed(storage, '/docs');
      closed.observation.close();
      await write(storage, '/docs/new.txt', 'new');
      await vi.waitFor(() => expect(open.names).toContain('new.txt'), pollOptions);
      expect([...closed.names]).toEqual([]);
    });

    test('ends when the folder is removed, moved away or replaced', async () => {
      const storage = await start({ '/removed/': '', '/moved/': '', '/above/inner/': '' });
      const removed = await observed(storage, '/removed');
      const moved = await observed(storage, '/moved');
      await storage.remove(path('/removed'));
      await storage.move(path('/moved'), path('/elsewhere'), once);
      await vi.waitFor(() => expect([removed.ended(), moved.ended()]).toEqual([true, true]), pollOptions);
      await write(storage, '/elsewhere/secret.txt', 'x');
      const later = await observed(storage, '/elsewhere');
      await write(storage, '/elsewhere/seen.txt', 'x');
      await vi.waitFor(() => expect(later.names).toContain('seen.txt'), pollOptions);
      expect([...moved.names]).not.toContain('secret.txt');
    });

    test('omits names that a guard refuses', async () => {
      const storage = await start({ '/docs/': '' });
      const guarded = storage.guarded((checked) => {
        if (checked === '/docs/secret.txt') throw new AppError('forbidden');
      });
      const { names } = await observed(guarded, '/docs');
      await write(storage, '/docs/secret.txt', 'x');
      await write(storage, '/docs/shown.txt', 'x');
      await vi.waitFor(() => expect(names).toContain('shown.txt'), pollOptions);
      expect([...names]).not.toContain('secret.txt');
    });

    test('reports the entries of the root of an inner storage', async () => {
      const storage = await start({ '/docs/a.txt': 'x' });
      const inner = await storage.within(path('/docs'));
      const { names } = await observed(inner, '/');
      await storage.copy(path('/docs/a.txt'), path('/docs/b.txt'), over);
      await vi.waitFor(() => expect(names).toContain('b.txt'), pollOptions);
      await inner.close();
    });

    test('rejects files, missing folders and refused ones', async () => {
      const storage = await start({ '/docs/a.txt': 'x' });
      const observer = { onChange: () => undefined, onEnd: () => undefined };
      await expect(storage.observe(path('/docs/a.txt'), observer)).rejects.toEqual(refused('not_a_folder'));
      await expect(storage.observe(path('/nothing'), observer)).rejects.toEqual(refused('not_found'));
      const guarded = storage.guarded(() => {
        throw new AppError('forbidden');
      });
      await expect(guarded.observe(path('/docs'), observer)).rejects.toEqual(refused('forbidden'));
    });
  });
}
