import { describe, expect, test, vi } from 'vitest';
import type { Entry, WriteOptions } from '../storage.ts';
import {
  breaksAfter,
  bytesOf,
  namesIn,
  type OpenStorage,
  path,
  readText,
  refused,
  treeOf,
} from './storage-testing.ts';

/** The tests of writing files and creating folders that every storage has to pass. */
export function describeWrites(start: OpenStorage): void {
  describe('write', () => {
    test('writes a file from many small and empty chunks', async () => {
      const storage = await start();
      const pieces = Array.from({ length: 3000 }, (_, i) => (i % 7 === 0 ? '' : `${i},`));
      const entry = await storage.write(path('/a.txt'), bytesOf(...pieces), { mode: 'create' });
      expect(entry).toMatchObject({
        name: 'a.txt',
        kind: 'file',
        size: pieces.join('').length,
        isSymlink: false,
      });
      expect(await readText(storage, '/a.txt')).toBe(pieces.join(''));
      // The rename that follows sets the time of the last status change.
      const { changedNs: _changedNs, ...metadata } = entry;
      expect(await storage.stat(path('/a.txt'))).toMatchObject(metadata);
    });

    test('writes large files', async () => {
      const storage = await start();
      const piece = 'x'.repeat(700_000);
      const entry = await storage.write(path('/big'), bytesOf(piece, piece, piece, piece, 'end'), {
        mode: 'create',
      });
      expect(entry.size).toBe(2_800_003);
      expect((await readText(storage, '/big')).endsWith('xend')).toBe(true);
    });

    test('writes an empty file', async () => {
      const storage = await start();
      expect(await storage.write(path('/a.txt'), bytesOf(), { mode: 'either' })).toMatchObject({
        size: 0,
        kind: 'file',
      });
    });

    test('accepts existing and missing files as the mode allows', async () => {
      const storage = await start({ '/old.txt': 'old' });
      await expect(storage.write(path('/old.txt'), bytesOf('x'), { mode: 'create' })).rejects.toEqual(
        refused('already_exists'),
      );
      await expect(storage.write(path('/new.txt'), bytesOf('x'), { mode: 'replace' })).rejects.toEqual(
        refused('not_found'),
      );
      expect(await treeOf(storage)).toEqual({ '/old.txt': 'old' });
      await storage.write(path('/old.txt'), bytesOf('b'), { mode: 'either' });
      await storage.write(path('/new.txt'), bytesOf('c'), { mode: 'either' });
      expect(await treeOf(storage)).toEqual({ '/old.txt': 'b', '/new.txt': 'c' });
    });

    test.each(['create', 'replace', 'either'] as const)('never replaces a folder (%s)', async (mode) => {
      const storage = await start({ '/docs/a.txt': 'a' });
      const code = mode === 'create' ? 'already_exists' : 'is_folder';
      await expect(storage.write(path('/docs'), bytesOf('x'), { mode })).rejects.toEqual(refused(code));
      await expect(storage.write(path('/'), bytesOf('x'), { mode })).rejects.toEqual(refused(code));
      expect(await treeOf(storage)).toEqual({ '/docs/': '', '/docs/a.txt': 'a' });
    });

    test('changes nothing when the source fails', async () => {
      const storage = await start({ '/notes.txt': 'old' });
      await expect(storage.write(path('/notes.txt'), breaksAfter('ne'), { mode: 'either' })).rejects.toThrow(
        'the sender left',
      );
      await expect(storage.write(path('/new.txt'), breaksAfter('ne'), { mode: 'either' })).rejects.toThrow(
        'the sender left',
      );
      expect(await treeOf(storage)).toEqual({ '/notes.txt': 'old' });
      expect(await namesIn(storage, '/')).toEqual(['notes.txt']);
    });

    test('shows the new file only once it is complete', async () => {
      const storage = await start({ '/notes.txt': 'old' });
      async function* looking(): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode('x'.repeat(3_000_000));
        expect(await namesIn(storage, '/')).toEqual(['notes.txt']);
        expect(await readText(storage, '/notes.txt')).toBe('old');
        yield new TextEncoder().encode('y');
      }
      await storage.write(path('/notes.txt'), looking(), { mode: 'replace' });
      expect((await storage.stat(path('/notes.txt')))?.size).toBe(3_000_001);
    });

    test.each([
      ['a small file', 1],
      ['a large file', 1_000_000],
    ])('rejects %s without asking or changing anything', async (_, announcedBytes) => {
      const storage = await start({ '/a.txt': 'a' });
      const source = vi.fn(() => bytesOf('x')[Symbol.asyncIterator]());
      const beforeChange = vi.fn(() => Promise.resolve());
      const options = { announcedBytes, beforeChange };
      const write = (name: string, more: Pick<WriteOptions, 'mode' | 'confirm'>) =>
        storage.write(path(name), { [Symbol.asyncIterator]: source }, { ...options, ...more });
      await expect(write('/a.txt', { mode: 'create' })).rejects.toEqual(refused('already_exists'));
      await expect(write('/new.txt', { mode: 'replace' })).rejects.toEqual(refused('not_found'));
      const confirm = (): never => {
        throw new Error('no');
      };
      await expect(write('/a.txt', { mode: 'either', confirm })).rejects.toThrow('no');
      await expect(write('/new.txt', { mode: 'either', confirm })).rejects.toThrow('no');
      expect(beforeChange).not.toHaveBeenCalled();
      expect(await treeOf(storage)).toEqual({ '/a.txt': 'a' });
      expect(await namesIn(storage, '/')).toEqual(['a.txt']);
      // A small file may be read first.
      if (announcedBytes > 1) expect(source).not.toHaveBeenCalled();
    });

    test('calls confirm again with the entry that exists at the end', async () => {
      const storage = await start({ '/a.txt': 'first' });
      async function* slow(): AsyncGenerator<Uint8Array> {
        await storage.write(path('/a.txt'), bytesOf('second'), { mode: 'replace' });
        yield new TextEncoder().encode('third');
      }
      const confirm = (current: Entry | null): void => {
        if (current?.size !== 5) throw new Error('changed meanwhile');
      };
      await expect(storage.write(path('/a.txt'), slow(), { mode: 'replace', confirm })).rejects.toThrow(
        'changed meanwhile',
      );
      expect(await treeOf(storage)).toEqual({ '/a.txt': 'second' });
    });

    test('lets exactly one of several writers create a name', async () => {
      const storage = await start();
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, i) =>
          storage.write(path('/a.txt'), bytesOf(`writer ${i}`), { mode: 'create' }),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toEqual(refused('already_exists'));
      expect(await namesIn(storage, '/')).toEqual(['a.txt']);
    });

    test('readers see one complete version while writers replace it', async () => {
      const storage = await start({ '/a.txt': '0'.repeat(100_000) });
      const writers = Array.from({ length: 8 }, (_, i) =>
        storage.write(path('/a.txt'), bytesOf(`${i}`.repeat(50_000), `${i}`.repeat(50_000)), {
          mode: 'replace',
        }),
      );
      const readers = Array.from({ length: 20 }, async () => {
        const text = await readText(storage, '/a.txt');
        expect(text).toBe((text[0] ?? '').repeat(100_000));
      });
      await Promise.all([...writers, ...readers]);
    });

    test('creates missing parents only with createParents', async () => {
      const storage = await start({ '/a.txt': 'a' });
      await expect(storage.write(path('/x/y/z.txt'), bytesOf('z'), { mode: 'create' })).rejects.toEqual(
        refused('not_found'),
      );
      await expect(
        storage.write(path('/a.txt/z.txt'), bytesOf('z'), { mode: 'create', createParents: true }),
      ).rejects.toEqual(refused('not_a_folder'));
      await storage.write(path('/x/y/z.txt'), bytesOf('z'), { mode: 'create', createParents: true });
      expect(await treeOf(storage)).toEqual({ '/a.txt': 'a', '/x/': '', '/x/y/': '', '/x/y/z.txt': 'z' });
    });

    test('ends an aborted write while its source is silent', async () => {
      const storage = await start({ '/a.txt': 'old' });
      const abort = new AbortController();
      async function* silent(): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode('new');
        abort.abort(new Error('left'));
        await new Promise(() => undefined);
        yield new TextEncoder().encode('never');
      }
      await expect(
        storage.write(path('/a.txt'), silent(), { mode: 'either', signal: abort.signal }),
      ).rejects.toThrow('left');
      expect(await treeOf(storage)).toEqual({ '/a.txt': 'old' });
    });

    test('accepts names of 255 bytes', async () => {
      const storage = await start();
      for (const long of ['a'.repeat(255), `${'😀'.repeat(63)}abc`]) {
        await storage.write(path(`/${long}`), bytesOf('x'), { mode: 'create' });
        expect(await readText(storage, `/${long}`)).toBe('x');
      }
    });
  });

  describe('createFolder', () => {
    test('creates a folder and its parents, and does not change an existing one', async () => {
      const storage = await start({ '/docs/a.txt': 'a' });
      await storage.createFolder(path('/x/y'));
      await storage.createFolder(path('/docs'));
      await storage.createFolder(path('/'));
      expect(await treeOf(storage)).toEqual({ '/docs/': '', '/docs/a.txt': 'a', '/x/': '', '/x/y/': '' });
    });

    test('rejects the name of a file, and a file as a parent', async () => {
      const storage = await start({ '/a.txt': 'a' });
      await expect(storage.createFolder(path('/a.txt'))).rejects.toEqual(refused('already_exists'));
      await expect(storage.createFolder(path('/a.txt/b'))).rejects.toEqual(refused('not_a_folder'));
    });

    test('creates one folder when called many times at once', async () => {
      const storage = await start();
      await Promise.all(Array.from({ length: 10 }, () => storage.createFolder(path('/a/b/c'))));
      expect(await treeOf(storage)).toEqual({ '/a/': '', '/a/b/': '', '/a/b/c/': '' });
    });
  });
}
