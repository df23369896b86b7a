import { describe, expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import type { KeptEntry, MergedEntry } from '../kept/kept-entries.ts';
import { causeOf, keep, keptFiles as files, recordsOf, replacing, restored } from './kept-testing.ts';
import { bytesOf, type OpenStorage, path, readText, refused, treeOf } from './storage-testing.ts';

/** The tests of restorations that every storage has to pass. */
export function describeRestored(start: OpenStorage): void {
  describe('a kept entry that is restored', () => {
    test('has its old content at its old place', async () => {
      const storage = await start(files);
      const before = await treeOf(storage);
      const entry = await keep(storage, '/docs');
      await storage.restore(entry, path('/docs'), restored);
      expect(await treeOf(storage)).toEqual(before);
      await expect(storage.kept(entry)).rejects.toEqual(refused('not_found'));
      await expect(storage.restore(entry, path('/again'), restored)).rejects.toEqual(refused('not_found'));
      expect((await recordsOf(storage)).filter(({ kind }) => kind === 'keep')).toEqual([]);
    });

    test('has the metadata of the deleted file', async () => {
      const storage = await start(files);
      const before = await storage.stat(path('/docs/b.txt'));
      await storage.restore(await keep(storage, '/docs/b.txt'), path('/docs/b.txt'), restored);
      // Only the time of the last status change differs.
      const { changedNs: _changedNs, ...metadata } = { ...before };
      expect(await storage.stat(path('/docs/b.txt'))).toMatchObject(metadata);
    });

    test('gets missing parents', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/docs/b.txt');
      await storage.remove(path('/docs'));
      const without = storage.restore(entry, path('/docs/b.txt'), { ...restored, createParents: false });
      await expect(without).rejects.toEqual(refused('not_found'));
      await storage.restore(entry, path('/docs/b.txt'), restored);
      expect(await readText(storage, '/docs/b.txt')).toBe('bb');
    });

    test('does not replace an existing entry', async () => {
      const storage = await start(files);
      const file = await keep(storage, '/a.txt');
      const folder = await keep(storage, '/docs');
      await storage.write(path('/a.txt'), bytesOf('new'), { mode: 'create' });
      await storage.createFolder(path('/docs'));
      await expect(storage.restore(file, path('/a.txt'), restored)).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage.restore(folder, path('/docs'), restored)).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage.restore(file, path('/docs'), replacing)).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage.restore(folder, path('/a.txt'), replacing)).rejects.toEqual(
        refused('already_exists'),
      );
      expect(await readText(storage, '/a.txt')).toBe('new');
    });

    test('replaces a file and keeps the replaced one', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/a.txt');
      await storage.write(path('/a.txt'), bytesOf('new'), { mode: 'create' });
      const notified: KeptEntry[] = [];
      await storage.restore(entry, path('/a.txt'), {
        ...replacing,
        keep: causeOf('restore'),
        onKept: (entries) => notified.push(...entries),
      });
      expect(await readText(storage, '/a.txt')).toBe('a');
      expect(notified).toHaveLength(1);
      expect(notified[0]).toMatchObject({ place: '/a.txt', size: 3, cause: { act: 'restore' } });
      await storage.restore(notified[0] as KeptEntry, path('/b.txt'), restored);
      expect(await readText(storage, '/b.txt')).toBe('new');
    });

    test('is merged into an existing folder', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/docs');
      for (const [name, text] of [
        ['/docs/b.txt', 'new'],
        ['/docs/inner/e.txt', 'e'],
      ] as const)
        await storage.write(path(name), bytesOf(text), { mode: 'create', createParents: true });
      const notified: KeptEntry[] = [];
      const options = { ...replacing, keep: causeOf('restore') };
      await storage.restore(entry, path('/docs'), {
        ...options,
        onKept: (entries) => notified.push(...entries),
      });
      expect(await treeOf(storage, '/docs')).toEqual({
        '/docs/b.txt': 'bb',
        '/docs/empty/': '',
        '/docs/inner/': '',
        '/docs/inner/c.txt': 'ccc',
        '/docs/inner/e.txt': 'e',
      });
      expect(notified.map(({ place }) => place)).toEqual(['/docs/b.txt']);
      await expect(storage.kept(entry)).rejects.toEqual(refused('not_found'));
    });

    test('reports each entry that the merge has changed', async () => {
      const storage = await start({
        ...files,
        '/target/docs/b.txt': 'old',
        '/target/docs/inner/e.txt': 'e',
      });
      for (const verb of ['copy', 'move'] as const) {
        const merged: MergedEntry[] = [];
        const within = await storage.within(path('/'));
        await within[verb](path('/docs'), path('/target/docs'), {
          overwrite: true,
          keep: causeOf(verb),
          onMerged: (entry) => merged.push(entry),
        });
        const isMove = verb === 'move';
        const changed = isMove ? 'moved' : 'created';
        const from = (text: string): string | null => (isMove ? text : null);
        const removed = { act: 'removed', from: null };
        expect(merged).toHaveLength(isMove ? 8 : 5);
        // The copy creates `empty` in the target; the move then merges it into that folder.
        expect(merged).toEqual(
          expect.arrayContaining([
            { act: 'merged', path: '/target/docs', from: null },
            { act: changed, path: '/target/docs/b.txt', from: from('/docs/b.txt') },
            { act: changed, path: '/target/docs/inner/c.txt', from: from('/docs/inner/c.txt') },
            ...(isMove
              ? [
                  { ...removed, path: '/docs/empty' },
                  { ...removed, path: '/docs/inner' },
                ]
              : [{ act: 'created', path: '/target/docs/empty', from: null }]),
          ]),
        );
        if (isMove) expect(merged.at(-1)).toEqual({ ...removed, path: '/docs' });
      }
    });

    test('is checked by guards at its destination, name by name', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/docs');
      const guarded = storage.guarded((checked) => {
        if (checked === '/target/inner/c.txt') throw new AppError('forbidden');
      });
      await expect(guarded.restore(entry, path('/target'), restored)).rejects.toEqual(refused('forbidden'));
      expect(await storage.stat(path('/target'))).toBeNull();
      await guarded.restore(entry, path('/elsewhere'), restored);
      expect(await readText(storage, '/elsewhere/inner/c.txt')).toBe('ccc');
    });

    test('cannot get a reserved name or the root', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/a.txt');
      await expect(storage.restore(entry, path('/'), restored)).rejects.toEqual(refused('root_is_protected'));
      for (const name of ['/.filestead-trash', '/.Filestead-trash/x', '/docs/.filestead-trash'])
        await expect(storage.restore(entry, path(name), restored)).rejects.toEqual(refused('forbidden'));
      const below = storage.restore(entry, path('/other/d.txt/a.txt'), restored);
      await expect(below).rejects.toEqual(refused('not_a_folder'));
    });

    test('stays kept when a check refuses', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/a.txt');
      const refuse = async (): Promise<void> => {
        throw new AppError('hook_failed');
      };
      const attempt = storage.restore(entry, path('/new/a.txt'), { ...restored, beforeChange: refuse });
      await expect(attempt).rejects.toEqual(refused('hook_failed'));
      expect(await storage.stat(path('/new'))).toBeNull();
      await storage.restore(entry, path('/a.txt'), restored);
    });

    test('is restored once by two simultaneous calls', async () => {
      const storage = await start(files);
      const entry = await keep(storage, '/docs');
      const both = await Promise.allSettled(
        ['/x', '/y'].map((to) => storage.restore(entry, path(to), restored)),
      );
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const failure = both.find((outcome) => outcome.status === 'rejected');
      expect(failure?.reason).toEqual(refused('not_found'));
      const texts = Object.values(await treeOf(storage));
      expect(texts.filter((text) => text === 'ccc')).toHaveLength(1);
    });
  });
}
