import { describe, expect, test, vi } from 'vitest';
import { namesIn, once, type OpenStorage, over, path, readText, refused, treeOf } from './storage-testing.ts';

/** The tests of moving and copying that every storage has to pass. */
export function describeTransfers(start: OpenStorage): void {
  describe.each(['move', 'copy'] as const)('Storage.%s', (verb) => {
    const isMove = verb === 'move';

    test(`${isMove ? 'moves' : 'copies'} a file`, async () => {
      const storage = await start({ '/a.txt': 'a', '/docs/': '' });
      await storage[verb](path('/a.txt'), path('/docs/b.txt'), once);
      expect(await treeOf(storage)).toEqual({
        '/docs/': '',
        '/docs/b.txt': 'a',
        ...(isMove ? {} : { '/a.txt': 'a' }),
      });
    });

    test(`${isMove ? 'moves' : 'copies'} a tree`, async () => {
      const storage = await start({ '/a/b/c.txt': 'c', '/a/empty/': '', '/a/d.txt': 'd' });
      await storage[verb](path('/a'), path('/z'), once);
      const tree = await treeOf(storage, '/z');
      expect(tree).toEqual({ '/z/b/': '', '/z/b/c.txt': 'c', '/z/empty/': '', '/z/d.txt': 'd' });
      expect(await storage.stat(path('/a'))).toEqual(isMove ? null : expect.anything());
    });

    test('rejects an existing destination', async () => {
      const files = { '/a.txt': 'a', '/b.txt': 'b', '/x/a': '', '/y/b': '' };
      const storage = await start(files);
      const before = await treeOf(storage);
      await expect(storage[verb](path('/a.txt'), path('/b.txt'), once)).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage[verb](path('/x'), path('/y'), once)).rejects.toEqual(refused('already_exists'));
      await expect(storage[verb](path('/x'), path('/b.txt'), once)).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage[verb](path('/a.txt'), path('/y'), once)).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage[verb](path('/a.txt'), path('/a.txt'), once)).rejects.toEqual(
        refused('already_exists'),
      );
      expect(await treeOf(storage)).toEqual(before);
    });

    test('lets exactly one of several concurrent calls win a name', async () => {
      const storage = await start(Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/${i}`, `${i}`])));
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) => storage[verb](path(`/${i}`), path('/all'), once)),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      expect(await readText(storage, '/all')).toBe(`${winner}`);
      expect(await namesIn(storage, '/')).toHaveLength(isMove ? 8 : 9);
    });

    test('replaces a file with a file with overwrite', async () => {
      const storage = await start({ '/a.txt': 'a', '/b.txt': 'b' });
      await storage[verb](path('/a.txt'), path('/b.txt'), over);
      expect(await readText(storage, '/b.txt')).toBe('a');
    });

    test('never replaces a folder with a file or a file with a folder', async () => {
      const storage = await start({ '/a.txt': 'a', '/x/in.txt': 'x' });
      const before = await treeOf(storage);
      await expect(storage[verb](path('/a.txt'), path('/x'), over)).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage[verb](path('/x'), path('/a.txt'), over)).rejects.toEqual(
        refused('already_exists'),
      );
      expect(await treeOf(storage)).toEqual(before);
    });

    test('merges folders with overwrite and keeps entries that only the destination has', async () => {
      const storage = await start({
        '/from/same.txt': 'new',
        '/from/only-from.txt': 'f',
        '/from/sub/deep/new.txt': 'n',
        '/to/same.txt': 'old',
        '/to/only-to.txt': 't',
        '/to/sub/kept.txt': 'k',
      });
      await storage[verb](path('/from'), path('/to'), over);
      expect(await treeOf(storage, '/to')).toEqual({
        '/to/same.txt': 'new',
        '/to/only-from.txt': 'f',
        '/to/only-to.txt': 't',
        '/to/sub/': '',
        '/to/sub/kept.txt': 'k',
        '/to/sub/deep/': '',
        '/to/sub/deep/new.txt': 'n',
      });
      expect(await storage.stat(path('/from'))).toEqual(isMove ? null : expect.anything());
    });

    test('changes nothing when a merge has a conflict deep inside', async () => {
      const storage = await start({
        '/from/1.txt': '1',
        '/from/s/clash/x': 'x',
        '/to/s/clash': 'file',
        '/from/s/a': 'a',
        '/to/s/a/': '',
      });
      const before = await treeOf(storage);
      await expect(storage[verb](path('/from'), path('/to'), over)).rejects.toEqual(
        refused('already_exists'),
      );
      expect(await treeOf(storage)).toEqual(before);
    });

    test('rejects a folder as its own destination', async () => {
      const storage = await start({ '/a/b/': '' });
      await expect(storage[verb](path('/a'), path('/a/b/c'), once)).rejects.toEqual(
        refused('moves_into_itself'),
      );
      await expect(storage[verb](path('/a'), path('/a'), over)).rejects.toEqual(refused('moves_into_itself'));
      expect(await treeOf(storage)).toEqual({ '/a/': '', '/a/b/': '' });
    });

    test('rejects the root as source and destination', async () => {
      const storage = await start({ '/a/': '' });
      await expect(storage[verb](path('/'), path('/a/b'), once)).rejects.toEqual(
        refused('root_is_protected'),
      );
      await expect(storage[verb](path('/a'), path('/'), over)).rejects.toEqual(refused('root_is_protected'));
    });

    test('rejects a missing source, and creates missing parents only with createParents', async () => {
      const storage = await start({ '/a.txt': 'a' });
      await expect(storage[verb](path('/nothing'), path('/b'), once)).rejects.toEqual(refused('not_found'));
      await expect(storage[verb](path('/a.txt'), path('/x/y/b'), once)).rejects.toEqual(refused('not_found'));
      await storage[verb](path('/a.txt'), path('/x/y/b'), { overwrite: false, createParents: true });
      expect(await readText(storage, '/x/y/b')).toBe('a');
    });

    test('reports progress and stops when the signal is aborted', async () => {
      const storage = await start({ '/a/1': '1', '/a/2': '22' });
      const onProgress = vi.fn();
      await storage[verb](path('/a'), path('/b'), { ...once, onProgress });
      expect(onProgress).toHaveBeenCalled();
      const signal = AbortSignal.abort(new Error('left'));
      await expect(storage[verb](path('/b'), path('/c'), { ...once, signal })).rejects.toThrow('left');
      expect(await storage.stat(path('/c'))).toBeNull();
    });
  });

  test('move changes the case of a name in one step', async () => {
    const storage = await start({ '/readme.txt': 'r', '/docs/a': 'a' });
    await storage.move(path('/readme.txt'), path('/README.txt'), once);
    await storage.move(path('/docs'), path('/Docs'), once);
    expect(await treeOf(storage)).toEqual({ '/README.txt': 'r', '/Docs/': '', '/Docs/a': 'a' });
  });

  test('copies keep the time of the original', async () => {
    const storage = await start({ '/a/b.txt': 'b' });
    const { modifiedNs } = (await storage.stat(path('/a/b.txt'))) ?? { modifiedNs: 0n };
    await storage.copy(path('/a'), path('/c'), once);
    const copied = (await storage.stat(path('/c/b.txt')))?.modifiedNs ?? 0n;
    // Times are set as floating-point seconds, which are precise to microseconds.
    expect(Number(copied - modifiedNs) / 1e3).toBeCloseTo(0, -1);
  });
}
