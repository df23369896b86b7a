import { describe, expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import type { KeptEntry } from '../kept/kept-entries.ts';
import { describeReplaced } from './describe-replaced.ts';
import { describeRestored } from './describe-restored.ts';
import { causeOf, keep, keptFiles as files, recordsOf, restored, time } from './kept-testing.ts';
import { bytesOf, namesIn, type OpenStorage, path, readText, refused, treeOf } from './storage-testing.ts';

/** The tests of kept entries that every storage has to pass. */
export function describeKept(start: OpenStorage): void {
  describe('a kept entry', () => {
    test('has the record of a deleted file', async () => {
      const storage = await start(files);
      const before = await storage.stat(path('/docs/b.txt'));
      const entry = await keep(storage, '/docs/b.txt');
      expect(entry).toMatchObject({
        store: '/',
        folder: '2026-11-21T10',
        storedName: `${entry.id} b.txt`,
        place: '/docs/b.txt',
        kind: 'file',
        size: 2,
        modifiedNs: String(before?.modifiedNs),
        keptAt: time,
        cause: { act: 'delete', userId: 1, session: 'session', time },
      });
      expect(entry.id).toMatch(/^[\w-]{22}$/);
      expect(await storage.stat(path('/docs/b.txt'))).toBeNull();
      expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
    });

    test('is not visible in the tree', async () => {
      const storage = await start(files);
      await keep(storage, '/docs');
      await keep(storage, '/a.txt');
      expect(await treeOf(storage)).toEqual({ '/other/': '', '/other/d.txt': 'd' });
      expect(await namesIn(storage, '/')).toEqual(['other']);
    });

    test('is reported to the listener once', async () => {
      const storage = await start(files);
      const notified: KeptEntry[] = [];
      const entry = await keep(storage, '/docs', { onKept: (entries) => notified.push(...entries) });
      expect(notified).toEqual([entry]);
    });

    test('can be read below its original name when it is a file', async () => {
      const storage = await start(files);
      const kept = await storage.kept(await keep(storage, '/docs/b.txt'));
      try {
        expect(await kept.stat(path('/b.txt'))).toMatchObject({ name: 'b.txt', kind: 'file', size: 2 });
        expect(await readText(kept, '/b.txt')).toBe('bb');
        expect(await kept.stat(path('/a.txt'))).toBeNull();
        await expect(kept.list(path('/'))).rejects.toEqual(refused('not_found'));
      } finally {
        await kept.close();
      }
    });

    test('can be read as a tree when it is a folder', async () => {
      const storage = await start(files);
      const kept = await storage.kept(await keep(storage, '/docs'));
      try {
        expect(await treeOf(kept)).toEqual({
          '/b.txt': 'bb',
          '/empty/': '',
          '/inner/': '',
          '/inner/c.txt': 'ccc',
        });
      } finally {
        await kept.close();
      }
    });

    test('cannot be changed through its storage', async () => {
      const storage = await start(files);
      const kept = await storage.kept(await keep(storage, '/docs'));
      try {
        const write = kept.write(path('/b.txt'), bytesOf('x'), { mode: 'either' });
        await expect(write).rejects.toEqual(refused('forbidden'));
        await expect(kept.remove(path('/b.txt'))).rejects.toEqual(refused('forbidden'));
        await expect(kept.createFolder(path('/new'))).rejects.toEqual(refused('forbidden'));
        const move = kept.move(path('/b.txt'), path('/c.txt'), { overwrite: true });
        await expect(move).rejects.toEqual(refused('forbidden'));
        await expect(kept.stores()).rejects.toEqual(refused('forbidden'));
        expect(await readText(kept, '/b.txt')).toBe('bb');
      } finally {
        await kept.close();
      }
    });

    test('is checked by guards under its original path', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/docs');
      const checked: string[] = [];
      const guarded = storage.guarded((checkedPath) => {
        checked.push(checkedPath);
        if (checkedPath.startsWith('/docs/inner')) throw new AppError('forbidden');
      });
      const kept = await guarded.kept(entry);
      try {
        expect(await readText(kept, '/b.txt')).toBe('bb');
        expect(checked).toContain('/docs/b.txt');
        await expect(kept.openFile(path('/inner/c.txt'))).rejects.toEqual(refused('forbidden'));
      } finally {
        await kept.close();
      }
    });

    test('of a file is checked by guards under its original path', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/docs/b.txt');
      const guarded = storage.guarded((checkedPath) => {
        if (checkedPath === '/docs/b.txt') throw new AppError('forbidden');
      });
      const read = async (): Promise<unknown> => (await guarded.kept(entry)).openFile(path('/b.txt'));
      await expect(read()).rejects.toEqual(refused('forbidden'));
    });

    test('belongs to the storages that contain its place', async () => {
      const storage = await start(files);
      const [docs, other] = [await storage.within(path('/docs')), await storage.within(path('/other'))];
      try {
        const entry = await keep(docs, '/inner');
        expect(entry.place).toBe('/docs/inner');
        expect(docs.fromPlace(entry.place)).toBe('/inner');
        expect(docs.toPlace(path('/inner'))).toBe('/docs/inner');
        expect(other.fromPlace(entry.place)).toBeNull();
        await expect(other.kept(entry)).rejects.toEqual(refused('not_found'));
        await expect(other.restore(entry, path('/x'), restored)).rejects.toEqual(refused('not_found'));
        await expect(other.purge([entry])).rejects.toEqual(refused('not_found'));
        const kept = await docs.kept(entry);
        expect(await treeOf(kept)).toEqual({ '/c.txt': 'ccc' });
        await kept.close();
        await docs.restore(entry, path('/inner'), restored);
        expect(await readText(docs, '/inner/c.txt')).toBe('ccc');
      } finally {
        await Promise.all([docs.close(), other.close()]);
      }
    });

    test('keeps a name of 255 bytes', async () => {
      const name = `${'ä'.repeat(120)}${'x'.repeat(11)}.txt`;
      const storage = await start({ [`/${name}`]: 'long' });
      const entry = await keep(storage, `/${name}`);
      expect(Buffer.byteLength(entry.storedName)).toBeLessThanOrEqual(223);
      await storage.restore(entry, path(`/${name}`), restored);
      expect(await namesIn(storage, '/')).toEqual([name]);
    });

    test('is not the root', async () => {
      const storage = await start(files);
      await expect(storage.remove(path('/'), { keep: causeOf() })).rejects.toEqual(
        refused('root_is_protected'),
      );
      await expect(storage.remove(path('/missing'), { keep: causeOf() })).rejects.toEqual(
        refused('not_found'),
      );
    });

    test('does not exist when a check refuses the deletion', async () => {
      const storage = await start(files);
      const refuse = async (): Promise<void> => {
        throw new AppError('hook_failed');
      };
      const removal = storage.remove(path('/docs'), { keep: causeOf(), beforeChange: refuse });
      await expect(removal).rejects.toEqual(refused('hook_failed'));
      const guarded = storage.guarded((checked) => {
        if (checked === '/docs/inner/c.txt') throw new AppError('forbidden');
      });
      await expect(guarded.remove(path('/docs'), { keep: causeOf() })).rejects.toEqual(refused('forbidden'));
      expect(await readText(storage, '/docs/inner/c.txt')).toBe('ccc');
      expect(await recordsOf(storage)).toEqual([]);
    });

    test('is deleted once by two simultaneous deletions', async () => {
      const storage = await start(files);
      const both = await Promise.allSettled([keep(storage, '/docs'), keep(storage, '/docs')]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const failure = both.find((outcome) => outcome.status === 'rejected');
      expect(failure?.reason).toEqual(refused('not_found'));
      expect((await recordsOf(storage)).filter(({ kind }) => kind === 'keep')).toHaveLength(1);
    });

    describe('purged', () => {
      test('no longer exists', async () => {
        const storage = await start(files);
        const entries = [await keep(storage, '/docs'), await keep(storage, '/a.txt')];
        const ids = entries.map(({ id }) => id);
        expect(await storage.purge(entries)).toEqual({ purged: ids, failed: [] });
        for (const entry of entries) await expect(storage.kept(entry)).rejects.toEqual(refused('not_found'));
        expect((await recordsOf(storage)).filter(({ kind }) => kind === 'keep')).toEqual([]);
        expect((await storage.stores())[0]).toMatchObject({ entries: 0, withoutRecord: 0, withoutEntry: 0 });
      });

      test('can be purged again', async () => {
        const storage = await start(files);
        const entry = await keep(storage, '/docs');
        await storage.purge([entry]);
        expect(await storage.purge([entry])).toEqual({ purged: [entry.id], failed: [] });
      });

      test('is resumed after it was aborted', async () => {
        const storage = await start(files);
        const entries = [await keep(storage, '/a.txt'), await keep(storage, '/docs')];
        const abort = new AbortController();
        const pace = async (): Promise<void> => abort.abort();
        const purge = storage.purge(entries, { signal: abort.signal, pace });
        await expect(purge).rejects.toThrow();
        const doomed = (await recordsOf(storage)).filter(({ kind }) => kind === 'doom');
        expect(doomed.length).toBeGreaterThanOrEqual(1);
        expect((await storage.purge(entries)).purged).toEqual(entries.map(({ id }) => id));
        expect((await storage.stores())[0]).toMatchObject({ entries: 0 });
      });
    });

    test('is read from the ledger', async () => {
      const storage = await start(files);
      const first = await keep(storage, '/docs');
      const second = await keep(storage, '/a.txt');
      const third = await keep(storage, '/other');
      await storage.restore(second, path('/a.txt'), restored);
      const kept = (await recordsOf(storage)).flatMap((record) =>
        record.kind === 'keep' ? [record.entry] : [],
      );
      expect(kept.toSorted((a, b) => a.place.localeCompare(b.place))).toEqual([first, third]);
    });

    test('is counted in the report of its store', async () => {
      const storage = await start(files);
      await keep(storage, '/docs');
      await keep(storage, '/other/d.txt');
      const [report] = await storage.stores();
      expect(report).toMatchObject({
        store: '/',
        entries: 2,
        fileBytes: 1,
        withoutRecord: 0,
        withoutEntry: 0,
        problem: null,
        foreign: 0,
      });
      expect(report?.free).toBeLessThanOrEqual(report?.total ?? 0);
    });
  });

  describeReplaced(start);
  describeRestored(start);
}
