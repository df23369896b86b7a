import { afterEach, describe, expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import { describeBeforeChange } from './describe-before-change.ts';
import { describePartials } from './describe-partials.ts';
import { describeObserve } from './describe-observe.ts';
import { describeFind } from './describe-find.ts';
import { describeRawNames } from './describe-raw-names.ts';
import { describeReservedNames } from './describe-reserved-names.ts';
import { describeTransfers } from './describe-transfers.ts';
import { describeWrites } from './describe-writes.ts';
import type { Storage } from '../storage.ts';
import {
  bytesOf,
  entriesOf,
  once,
  type OpenStorage,
  path,
  readText,
  refused,
  treeOf,
} from './storage-testing.ts';

/**
 * The tests that every {@link Storage} has to pass. With `readsOnly` those of writes, transfers and searches are left
 * out, for a storage that differs from another one in its reads.
 */
export function describeStorage(name: string, open: OpenStorage, { readsOnly = false } = {}): void {
  describe(name, () => {
    const opened: Storage[] = [];
    const start = async (files?: Record<string, string>): Promise<Storage> => {
      const storage = await open(files);
      opened.push(storage);
      return storage;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((storage) => storage.close()));
    });

    if (!readsOnly) {
      describeWrites(start);
      describePartials(start);
      describeTransfers(start);
      describeFind(start);
      describeObserve(start);
      describeBeforeChange(start);
    }
    describeRawNames(start);
    describeReservedNames(start);

    describe('stat', () => {
      test('returns the metadata of files, folders and the root', async () => {
        const storage = await start({ '/docs/a.txt': 'hello' });
        const before = BigInt(Date.now() - 60_000) * 1_000_000n;
        expect(await storage.stat(path('/docs/a.txt'))).toMatchObject({
          name: 'a.txt',
          kind: 'file',
          size: 5,
          isSymlink: false,
        });
        expect((await storage.stat(path('/docs/a.txt')))?.modifiedNs).toBeGreaterThan(before);
        expect(await storage.stat(path('/docs'))).toMatchObject({ name: 'docs', kind: 'folder' });
        expect(await storage.stat(path('/'))).toMatchObject({ name: '', kind: 'folder' });
      });

      test.each(['/nothing', '/docs/nothing', '/nothing/at/all', '/docs/a.txt/below'])(
        'returns null for %s',
        async (missing) => {
          const storage = await start({ '/docs/a.txt': 'hello' });
          expect(await storage.stat(path(missing))).toBeNull();
        },
      );
    });

    describe('statOrList', () => {
      test('returns a file without a listing, and a folder with its listing', async () => {
        const storage = await start({ '/docs/b.txt': 'hello', '/docs/a/': '' });
        const file = await storage.statOrList(path('/docs/b.txt'));
        expect(file).toEqual({ entry: await storage.stat(path('/docs/b.txt')), listing: null });
        const folder = await storage.statOrList(path('/docs'));
        expect(folder?.entry).toMatchObject({ name: 'docs', kind: 'folder' });
        expect(folder?.listing?.names).toEqual(['a', 'b.txt']);
        const entries = folder?.listing ? await entriesOf(folder.listing) : [];
        expect(entries).toEqual(await entriesOf(await storage.list(path('/docs'))));
      });

      test('returns null without an entry', async () => {
        const storage = await start({ '/docs/a.txt': 'hello' });
        expect(await storage.statOrList(path('/docs/nothing'))).toBeNull();
        expect(await storage.statOrList(path('/docs/a.txt/below'))).toBeNull();
      });

      test('throws the error of a guard that refuses the path', async () => {
        const storage = await start({ '/docs/a.txt': 'hello' });
        const guarded = storage.guarded((checked) => {
          if (checked === '/docs') throw new AppError('forbidden');
        });
        await expect(guarded.statOrList(path('/docs'))).rejects.toEqual(refused('forbidden'));
      });
    });

    describe('list', () => {
      test('returns folders before files, both in natural order, with their metadata', async () => {
        const storage = await start({ '/b10.txt': 'xx', '/B2.txt': 'x', '/z/inner': '', '/a/': '' });
        const listing = await storage.list(path('/'));
        expect(listing.names).toEqual(['a', 'z', 'B2.txt', 'b10.txt']);
        expect(listing.folderCount).toBe(2);
        expect(listing.folder).toMatchObject({ name: '', kind: 'folder' });
        const entries = await entriesOf(listing);
        expect(entries.map(({ kind }) => kind)).toEqual(['folder', 'folder', 'file', 'file']);
        expect(entries[3]).toMatchObject({ name: 'b10.txt', size: 2, isSymlink: false });
        expect(entries[3]?.modifiedMs).toBeGreaterThan(Date.now() - 60_000);
        expect(Number.isInteger(entries[3]?.modifiedMs)).toBe(true);
      });

      test('returns no names and no batches for an empty folder', async () => {
        const listing = await (await start({ '/empty/': '' })).list(path('/empty'));
        expect(listing.names).toEqual([]);
        expect(await entriesOf(listing)).toEqual([]);
      });

      test('rejects a file and a missing folder', async () => {
        const storage = await start({ '/a.txt': '' });
        await expect(storage.list(path('/a.txt'))).rejects.toEqual(refused('not_a_folder'));
        await expect(storage.list(path('/nothing'))).rejects.toEqual(refused('not_found'));
      });

      test('throws the reason of an aborted signal', async () => {
        const storage = await start({ '/a.txt': '' });
        await expect(
          storage.list(path('/'), { signal: AbortSignal.abort(new Error('left')) }),
        ).rejects.toThrow('left');
      });
    });

    describe('openFile', () => {
      test('reads any part of a file', async () => {
        const file = await (await start({ '/a.txt': 'hello world' })).openFile(path('/a.txt'));
        const buffer = new Uint8Array(5);
        expect(await file.read(buffer, 6)).toBe(5);
        expect(new TextDecoder().decode(buffer)).toBe('world');
        expect(await file.read(buffer, 11)).toBe(0);
        expect(await file.read(buffer, 9)).toBe(2);
        await file.close();
      });

      test('returns different fingerprints for two files and for two states of one file', async () => {
        const storage = await start({ '/a.txt': 'same', '/b.txt': 'same' });
        const fingerprintAt = async (at: string): Promise<string> => {
          const file = await storage.openFile(path(at));
          await file.close();
          return file.fingerprint;
        };
        const before = await fingerprintAt('/a.txt');
        expect(await fingerprintAt('/a.txt')).toBe(before);
        expect(await fingerprintAt('/b.txt')).not.toBe(before);
        await storage.write(path('/a.txt'), bytesOf('SAME'), { mode: 'replace' });
        expect(await fingerprintAt('/a.txt')).not.toBe(before);
      });

      test('keeps reading the old bytes after the file was replaced', async () => {
        const storage = await start({ '/a.txt': 'old' });
        const file = await storage.openFile(path('/a.txt'));
        await storage.write(path('/a.txt'), bytesOf('new!'), { mode: 'replace' });
        const buffer = new Uint8Array(8);
        expect(new TextDecoder().decode(buffer.subarray(0, await file.read(buffer, 0)))).toBe('old');
        expect(file.entry.size).toBe(3);
        await file.close();
        expect(await readText(storage, '/a.txt')).toBe('new!');
      });

      test('rejects a folder and a missing file', async () => {
        const storage = await start({ '/docs/': '' });
        await expect(storage.openFile(path('/docs'))).rejects.toEqual(refused('is_folder'));
        await expect(storage.openFile(path('/nothing'))).rejects.toEqual(refused('not_found'));
      });
    });

    describe('remove', () => {
      test('removes files and whole trees', async () => {
        const storage = await start({ '/a.txt': 'a', '/docs/x/y/z.txt': 'z', '/docs/1': '1', '/kept': 'k' });
        await storage.remove(path('/a.txt'));
        await storage.remove(path('/docs'));
        expect(await treeOf(storage)).toEqual({ '/kept': 'k' });
      });

      test('rejects the root and missing entries', async () => {
        const storage = await start({ '/a.txt': 'a' });
        await expect(storage.remove(path('/'))).rejects.toEqual(refused('root_is_protected'));
        await expect(storage.remove(path('/nothing'))).rejects.toEqual(refused('not_found'));
        await expect(storage.remove(path('/nothing/below'))).rejects.toEqual(refused('not_found'));
        expect(await treeOf(storage)).toEqual({ '/a.txt': 'a' });
      });

      test('removes very deep trees', async () => {
        const storage = await start({ [`${'/d'.repeat(200)}/end.txt`]: 'x' });
        await storage.remove(path('/d'));
        expect(await treeOf(storage)).toEqual({});
      });
    });

    describe('walk', () => {
      test('returns parents before children and nothing above the folder', async () => {
        const storage = await start({ '/a/b/c.txt': 'c', '/a/d.txt': 'd', '/e.txt': 'e' });
        const seen: string[] = [];
        for await (const { path: walked } of storage.walk(path('/a'))) seen.push(walked);
        expect(seen.toSorted()).toEqual(['/a/b', '/a/b/c.txt', '/a/d.txt']);
        expect(seen.indexOf('/a/b')).toBeLessThan(seen.indexOf('/a/b/c.txt'));
      });

      test('skips entries that the caller refuses, with their contents', async () => {
        const storage = await start({ '/a/b/c.txt': 'c', '/a/d.txt': 'd', '/e.txt': 'e' });
        const seen: string[] = [];
        for await (const { path: walked } of storage.walk(path('/'), { accept: (below) => below !== '/a/b' }))
          seen.push(walked);
        expect(seen.toSorted()).toEqual(['/a', '/a/d.txt', '/e.txt']);
      });

      test('rejects a file and a missing folder', async () => {
        const storage = await start({ '/e.txt': 'e' });
        await expect(treeOf(storage, '/e.txt')).rejects.toEqual(refused('not_a_folder'));
        await expect(treeOf(storage, '/nothing')).rejects.toEqual(refused('not_found'));
      });
    });

    test('usage returns the used and the total bytes', async () => {
      const storage = await start({ '/a.txt': 'abc' });
      const { total, used } = await storage.usage(path('/'));
      expect(total).toBeGreaterThan(0);
      expect(used).toBeGreaterThan(0);
      expect(used).toBeLessThanOrEqual(total);
      await expect(storage.usage(path('/nothing'))).rejects.toEqual(refused('not_found'));
    });

    describe('within', () => {
      test('returns the same storage with a folder as its root', async () => {
        const storage = await start({ '/users/alice/a.txt': 'a', '/users/alice2/b.txt': 'b' });
        const alice = await storage.within(path('/users/alice'));
        expect(await treeOf(alice)).toEqual({ '/a.txt': 'a' });
        await alice.write(path('/new.txt'), bytesOf('n'), { mode: 'create' });
        expect(await readText(storage, '/users/alice/new.txt')).toBe('n');
        await expect(alice.remove(path('/'))).rejects.toEqual(refused('root_is_protected'));
        expect(await alice.stat(path('/'))).toMatchObject({ name: '', kind: 'folder' });
        await alice.close();
        expect(await readText(storage, '/users/alice/new.txt')).toBe('n');
      });

      test('rejects a file and a missing folder', async () => {
        const storage = await start({ '/a.txt': 'a' });
        await expect(storage.within(path('/a.txt'))).rejects.toEqual(refused('not_a_folder'));
        await expect(storage.within(path('/nothing'))).rejects.toEqual(refused('not_found'));
      });
    });

    describe('guarded', () => {
      test('calls the guard for every entry before it is read or changed', async () => {
        const storage = await start({ '/docs/secret/deny.txt': 'd', '/docs/ok.txt': 'o' });
        const checked: string[] = [];
        const guarded = storage.guarded((real) => {
          checked.push(real);
          if (real.startsWith('/docs/secret')) throw new Error('denied');
        });
        await expect(guarded.stat(path('/docs/secret/deny.txt'))).rejects.toThrow('denied');
        await expect(guarded.openFile(path('/docs/secret/deny.txt'))).rejects.toThrow('denied');
        await expect(
          guarded.write(path('/docs/secret/new'), bytesOf('x'), { mode: 'create' }),
        ).rejects.toThrow('denied');
        await expect(guarded.createFolder(path('/docs/secret/x/y'))).rejects.toThrow('denied');
        await expect(guarded.remove(path('/docs'))).rejects.toThrow('denied');
        await expect(guarded.copy(path('/docs'), path('/copy'), once)).rejects.toThrow('denied');
        await expect(guarded.move(path('/docs'), path('/moved'), once)).rejects.toThrow('denied');
        expect(await treeOf(storage)).toEqual({
          '/docs/': '',
          '/docs/secret/': '',
          '/docs/secret/deny.txt': 'd',
          '/docs/ok.txt': 'o',
        });
        expect(await readText(guarded, '/docs/ok.txt')).toBe('o');
        expect(checked).toContain('/docs/ok.txt');
      });

      test('reports paths of a narrower storage relative to its own root', async () => {
        const storage = await start({ '/users/alice/a.txt': 'a' });
        const checked: string[] = [];
        const guarded = storage.guarded((real) => checked.push(real));
        await (await guarded.within(path('/users/alice'))).stat(path('/a.txt'));
        expect(checked).toContain('/users/alice/a.txt');
      });
    });

    describe('names of unfinished files', () => {
      const reserved = `.filestead-${'0'.repeat(32)}.part`;

      test('can neither be created nor opened', async () => {
        const storage = await start({ '/a.txt': 'a' });
        await expect(storage.write(path(`/${reserved}`), bytesOf('x'), { mode: 'either' })).rejects.toEqual(
          refused('forbidden'),
        );
        await expect(storage.createFolder(path(`/${reserved}/x`))).rejects.toEqual(refused('forbidden'));
        await expect(storage.move(path('/a.txt'), path(`/${reserved}`), once)).rejects.toEqual(
          refused('forbidden'),
        );
        await expect(storage.copy(path('/a.txt'), path(`/${reserved}`), once)).rejects.toEqual(
          refused('forbidden'),
        );
        expect(await storage.stat(path(`/${reserved}`))).toBeNull();
        await expect(storage.remove(path(`/${reserved}`))).rejects.toEqual(refused('not_found'));
      });
    });
  });
}
