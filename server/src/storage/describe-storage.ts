import { virtualPath } from '@filestead/contract/virtual-path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '@filestead/contract/errors';
import { type AppError } from '../http/app-error.ts';
import { batchKinds, type Entry, type FolderListing, type Storage } from './storage.ts';

/** Opens a storage with `files` by their paths; a path that ends with a slash is an empty folder. */
export type OpenStorage = (files?: Record<string, string>) => Promise<Storage>;

export const path = virtualPath;

export async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** Sends `text` and breaks off. */
export async function* breaksAfter(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
  throw new Error('the sender left');
}

export async function readText(storage: Storage, file: string): Promise<string> {
  const opened = await storage.openFile(path(file));
  try {
    const buffer = new Uint8Array(opened.entry.size + 1);
    const length = await opened.read(buffer, 0);
    return new TextDecoder().decode(buffer.subarray(0, length));
  } finally {
    await opened.close();
  }
}

/** All facts of a listing, as entries. */
export async function entriesOf(
  listing: FolderListing,
): Promise<(Omit<Entry, 'modifiedNs' | 'kind'> & { kind: string; modifiedMs: number })[]> {
  const entries = [];
  let next = 0;
  for await (const batch of listing.batches()) {
    expect(batch.first).toBe(next);
    next += batch.count;
    for (let i = 0; i < batch.count; i++) {
      entries.push({
        name: listing.names[batch.first + i] ?? '',
        kind: batchKinds[batch.kinds[i] ?? 0] ?? '',
        size: batch.sizes[i] ?? -1,
        modifiedMs: batch.modifiedMs[i] ?? -1,
        mode: batch.modes[i] ?? -1,
        isSymlink: batch.links[i] === 1,
      });
    }
  }
  expect(next).toBe(listing.names.length);
  return entries;
}

export const namesIn = async (storage: Storage, folder: string): Promise<readonly string[]> =>
  (await storage.list(path(folder))).names;

/** Everything below the root: files with their text, folders with a trailing slash. */
export async function treeOf(storage: Storage, top = '/'): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for await (const { path: place, entry } of storage.walk(path(top))) {
    if (entry.kind === 'folder') tree[`${place}/`] = '';
    else tree[place] = entry.kind === 'file' ? await readText(storage, place) : `(${entry.kind})`;
  }
  return tree;
}

export const refused = (code: ErrorCode): Partial<AppError> =>
  expect.objectContaining({ name: 'AppError', code });

const once = { overwrite: false };
const over = { overwrite: true };

/** What every storage owes (see {@link Storage}). */
export function describeStorage(name: string, open: OpenStorage): void {
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

    describe('stat', () => {
      test('tells what is there', async () => {
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
        'says null for %s',
        async (missing) => {
          const storage = await start({ '/docs/a.txt': 'hello' });
          expect(await storage.stat(path(missing))).toBeNull();
        },
      );
    });

    describe('list', () => {
      test('gives folders first, both in natural order, with their facts', async () => {
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

      test('an empty folder has no names and no batches', async () => {
        const listing = await (await start({ '/empty/': '' })).list(path('/empty'));
        expect(listing.names).toEqual([]);
        expect(await entriesOf(listing)).toEqual([]);
      });

      test('refuses what is no folder', async () => {
        const storage = await start({ '/a.txt': '' });
        await expect(storage.list(path('/a.txt'))).rejects.toEqual(refused('not_a_folder'));
        await expect(storage.list(path('/nothing'))).rejects.toEqual(refused('not_found'));
      });

      test('an aborted listing ends with the reason', async () => {
        const storage = await start({ '/a.txt': '' });
        await expect(
          storage.list(path('/'), { signal: AbortSignal.abort(new Error('left')) }),
        ).rejects.toThrow('left');
      });
    });

    describe('openFile', () => {
      test('reads any part', async () => {
        const file = await (await start({ '/a.txt': 'hello world' })).openFile(path('/a.txt'));
        const buffer = new Uint8Array(5);
        expect(await file.read(buffer, 6)).toBe(5);
        expect(new TextDecoder().decode(buffer)).toBe('world');
        expect(await file.read(buffer, 11)).toBe(0);
        expect(await file.read(buffer, 9)).toBe(2);
        await file.close();
      });

      test('goes on giving the old bytes when the file is replaced', async () => {
        const storage = await start({ '/a.txt': 'old' });
        const file = await storage.openFile(path('/a.txt'));
        await storage.write(path('/a.txt'), bytesOf('new!'), { mode: 'replace' });
        const buffer = new Uint8Array(8);
        expect(new TextDecoder().decode(buffer.subarray(0, await file.read(buffer, 0)))).toBe('old');
        expect(file.entry.size).toBe(3);
        await file.close();
        expect(await readText(storage, '/a.txt')).toBe('new!');
      });

      test('refuses what is no file', async () => {
        const storage = await start({ '/docs/': '' });
        await expect(storage.openFile(path('/docs'))).rejects.toEqual(refused('is_folder'));
        await expect(storage.openFile(path('/nothing'))).rejects.toEqual(refused('not_found'));
      });
    });

    describe('write', () => {
      test('makes a file of many small and empty pieces', async () => {
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
        expect(await storage.stat(path('/a.txt'))).toEqual(entry);
      });

      test('makes large files', async () => {
        const storage = await start();
        const piece = 'x'.repeat(700_000);
        const entry = await storage.write(path('/big'), bytesOf(piece, piece, piece, piece, 'end'), {
          mode: 'create',
        });
        expect(entry.size).toBe(2_800_003);
        expect((await readText(storage, '/big')).endsWith('xend')).toBe(true);
      });

      test('makes an empty file', async () => {
        const storage = await start();
        expect(await storage.write(path('/a.txt'), bytesOf(), { mode: 'either' })).toMatchObject({
          size: 0,
          kind: 'file',
        });
      });

      test('modes: create, replace, either', async () => {
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

      test.each(['create', 'replace', 'either'] as const)(
        'never takes the place of a folder (%s)',
        async (mode) => {
          const storage = await start({ '/docs/a.txt': 'a' });
          const code = mode === 'create' ? 'already_exists' : 'is_folder';
          await expect(storage.write(path('/docs'), bytesOf('x'), { mode })).rejects.toEqual(refused(code));
          await expect(storage.write(path('/'), bytesOf('x'), { mode })).rejects.toEqual(refused(code));
          expect(await treeOf(storage)).toEqual({ '/docs/': '', '/docs/a.txt': 'a' });
        },
      );

      test('a write that breaks off leaves everything as it was', async () => {
        const storage = await start({ '/notes.txt': 'old' });
        await expect(
          storage.write(path('/notes.txt'), breaksAfter('ne'), { mode: 'either' }),
        ).rejects.toThrow('the sender left');
        await expect(storage.write(path('/new.txt'), breaksAfter('ne'), { mode: 'either' })).rejects.toThrow(
          'the sender left',
        );
        expect(await treeOf(storage)).toEqual({ '/notes.txt': 'old' });
        expect(await namesIn(storage, '/')).toEqual(['notes.txt']);
      });

      test('shows nothing under the name until the file is whole', async () => {
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

      test('refuses before it asks for the first byte', async () => {
        const storage = await start({ '/a.txt': 'a' });
        const source = vi.fn(() => bytesOf('x')[Symbol.asyncIterator]());
        await expect(
          storage.write(path('/a.txt'), { [Symbol.asyncIterator]: source }, { mode: 'create' }),
        ).rejects.toEqual(refused('already_exists'));
        const confirm = (): never => {
          throw new Error('no');
        };
        await expect(
          storage.write(path('/a.txt'), { [Symbol.asyncIterator]: source }, { mode: 'either', confirm }),
        ).rejects.toThrow('no');
        expect(source).not.toHaveBeenCalled();
      });

      test('asks again about what is there by then', async () => {
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

      test('of several writers of one new name exactly one wins', async () => {
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

      test('parents are made on request only', async () => {
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

      test('an abort ends a write whose source keeps silent', async () => {
        const storage = await start({ '/a.txt': 'old' });
        const abort = new AbortController();
        async function* silent(): AsyncGenerator<Uint8Array> {
          yield new TextEncoder().encode('new');
          abort.abort(new Error('left'));
          if (name.startsWith('disk')) await new Promise(() => undefined);
          yield new TextEncoder().encode('never');
        }
        await expect(
          storage.write(path('/a.txt'), silent(), { mode: 'either', signal: abort.signal }),
        ).rejects.toThrow('left');
        expect(await treeOf(storage)).toEqual({ '/a.txt': 'old' });
      });

      test('names with 255 bytes are fine', async () => {
        const storage = await start();
        for (const long of ['a'.repeat(255), `${'😀'.repeat(63)}abc`]) {
          await storage.write(path(`/${long}`), bytesOf('x'), { mode: 'create' });
          expect(await readText(storage, `/${long}`)).toBe('x');
        }
      });
    });

    describe('createFolder', () => {
      test('makes a folder and its parents, and leaves an existing one as it is', async () => {
        const storage = await start({ '/docs/a.txt': 'a' });
        await storage.createFolder(path('/x/y'));
        await storage.createFolder(path('/docs'));
        await storage.createFolder(path('/'));
        expect(await treeOf(storage)).toEqual({ '/docs/': '', '/docs/a.txt': 'a', '/x/': '', '/x/y/': '' });
      });

      test('refuses the name of a file, and a file as a parent', async () => {
        const storage = await start({ '/a.txt': 'a' });
        await expect(storage.createFolder(path('/a.txt'))).rejects.toEqual(refused('already_exists'));
        await expect(storage.createFolder(path('/a.txt/b'))).rejects.toEqual(refused('not_a_folder'));
      });

      test('many at once make one', async () => {
        const storage = await start();
        await Promise.all(Array.from({ length: 10 }, () => storage.createFolder(path('/a/b/c'))));
        expect(await treeOf(storage)).toEqual({ '/a/': '', '/a/b/': '', '/a/b/c/': '' });
      });
    });

    describe.each(['move', 'copy'] as const)('%s', (verb) => {
      const isMove = verb === 'move';

      test('takes a file', async () => {
        const storage = await start({ '/a.txt': 'a', '/docs/': '' });
        await storage[verb](path('/a.txt'), path('/docs/b.txt'), once);
        expect(await treeOf(storage)).toEqual({
          '/docs/': '',
          '/docs/b.txt': 'a',
          ...(isMove ? {} : { '/a.txt': 'a' }),
        });
      });

      test('takes a tree', async () => {
        const storage = await start({ '/a/b/c.txt': 'c', '/a/empty/': '', '/a/d.txt': 'd' });
        await storage[verb](path('/a'), path('/z'), once);
        const tree = await treeOf(storage, '/z');
        expect(tree).toEqual({ '/z/b/': '', '/z/b/c.txt': 'c', '/z/empty/': '', '/z/d.txt': 'd' });
        expect(await storage.stat(path('/a'))).toEqual(isMove ? null : expect.anything());
      });

      test('refuses what exists', async () => {
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

      test('of several at once onto one name exactly one wins', async () => {
        const storage = await start(
          Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/${i}`, `${i}`])),
        );
        const results = await Promise.allSettled(
          Array.from({ length: 8 }, (_, i) => storage[verb](path(`/${i}`), path('/all'), once)),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        const winner = results.findIndex(({ status }) => status === 'fulfilled');
        expect(await readText(storage, '/all')).toBe(`${winner}`);
        expect(await namesIn(storage, '/')).toHaveLength(isMove ? 8 : 9);
      });

      test('replaces a file by a file on request', async () => {
        const storage = await start({ '/a.txt': 'a', '/b.txt': 'b' });
        await storage[verb](path('/a.txt'), path('/b.txt'), over);
        expect(await readText(storage, '/b.txt')).toBe('a');
      });

      test('never replaces a folder by a file or a file by a folder', async () => {
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

      test('merges folders on request and loses nothing that only the destination has', async () => {
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

      test('a merge with a clash deep inside touches nothing', async () => {
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

      test('refuses a folder that would hold itself', async () => {
        const storage = await start({ '/a/b/': '' });
        await expect(storage[verb](path('/a'), path('/a/b/c'), once)).rejects.toEqual(
          refused('moves_into_itself'),
        );
        await expect(storage[verb](path('/a'), path('/a'), over)).rejects.toEqual(
          refused('moves_into_itself'),
        );
        expect(await treeOf(storage)).toEqual({ '/a/': '', '/a/b/': '' });
      });

      test('protects the root', async () => {
        const storage = await start({ '/a/': '' });
        await expect(storage[verb](path('/'), path('/a/b'), once)).rejects.toEqual(
          refused('root_is_protected'),
        );
        await expect(storage[verb](path('/a'), path('/'), over)).rejects.toEqual(
          refused('root_is_protected'),
        );
      });

      test('tells what is missing, and makes parents on request only', async () => {
        const storage = await start({ '/a.txt': 'a' });
        await expect(storage[verb](path('/nothing'), path('/b'), once)).rejects.toEqual(refused('not_found'));
        await expect(storage[verb](path('/a.txt'), path('/x/y/b'), once)).rejects.toEqual(
          refused('not_found'),
        );
        await storage[verb](path('/a.txt'), path('/x/y/b'), { overwrite: false, createParents: true });
        expect(await readText(storage, '/x/y/b')).toBe('a');
      });

      test('reports progress and ends when aborted', async () => {
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
      // The system takes times as floating-point seconds, which hold microseconds.
      expect(Number(copied - modifiedNs) / 1e3).toBeCloseTo(0, -1);
    });

    describe('remove', () => {
      test('takes files and whole trees', async () => {
        const storage = await start({ '/a.txt': 'a', '/docs/x/y/z.txt': 'z', '/docs/1': '1', '/kept': 'k' });
        await storage.remove(path('/a.txt'));
        await storage.remove(path('/docs'));
        expect(await treeOf(storage)).toEqual({ '/kept': 'k' });
      });

      test('refuses the root and what is not there', async () => {
        const storage = await start({ '/a.txt': 'a' });
        await expect(storage.remove(path('/'))).rejects.toEqual(refused('root_is_protected'));
        await expect(storage.remove(path('/nothing'))).rejects.toEqual(refused('not_found'));
        await expect(storage.remove(path('/nothing/below'))).rejects.toEqual(refused('not_found'));
        expect(await treeOf(storage)).toEqual({ '/a.txt': 'a' });
      });

      test('takes very deep trees', async () => {
        const storage = await start({ [`${'/d'.repeat(200)}/end.txt`]: 'x' });
        await storage.remove(path('/d'));
        expect(await treeOf(storage)).toEqual({});
      });
    });

    describe('walk', () => {
      test('tells parents before children and nothing above', async () => {
        const storage = await start({ '/a/b/c.txt': 'c', '/a/d.txt': 'd', '/e.txt': 'e' });
        const seen: string[] = [];
        for await (const { path: place } of storage.walk(path('/a'))) seen.push(place);
        expect(seen.toSorted()).toEqual(['/a/b', '/a/b/c.txt', '/a/d.txt']);
        expect(seen.indexOf('/a/b')).toBeLessThan(seen.indexOf('/a/b/c.txt'));
      });

      test('leaves out what the caller does not accept, with all it holds', async () => {
        const storage = await start({ '/a/b/c.txt': 'c', '/a/d.txt': 'd', '/e.txt': 'e' });
        const seen: string[] = [];
        for await (const { path: place } of storage.walk(path('/'), { accept: (place) => place !== '/a/b' }))
          seen.push(place);
        expect(seen.toSorted()).toEqual(['/a', '/a/d.txt', '/e.txt']);
      });

      test('refuses what is no folder', async () => {
        const storage = await start({ '/e.txt': 'e' });
        await expect(treeOf(storage, '/e.txt')).rejects.toEqual(refused('not_a_folder'));
        await expect(treeOf(storage, '/nothing')).rejects.toEqual(refused('not_found'));
      });
    });

    test('usage tells used and total bytes', async () => {
      const storage = await start({ '/a.txt': 'abc' });
      const { total, used } = await storage.usage(path('/'));
      expect(total).toBeGreaterThan(0);
      expect(used).toBeGreaterThan(0);
      expect(used).toBeLessThanOrEqual(total);
      await expect(storage.usage(path('/nothing'))).rejects.toEqual(refused('not_found'));
    });

    describe('within', () => {
      test('is the same storage seen from a folder', async () => {
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

      test('refuses what is no folder', async () => {
        const storage = await start({ '/a.txt': 'a' });
        await expect(storage.within(path('/a.txt'))).rejects.toEqual(refused('not_a_folder'));
        await expect(storage.within(path('/nothing'))).rejects.toEqual(refused('not_found'));
      });
    });

    describe('guarded', () => {
      test('asks about every place before anything is done to it', async () => {
        const storage = await start({ '/docs/secret/deny.txt': 'd', '/docs/ok.txt': 'o' });
        const asked: string[] = [];
        const guarded = storage.guarded((place) => {
          asked.push(place);
          if (place.startsWith('/docs/secret')) throw new Error('denied');
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
        expect(asked).toContain('/docs/ok.txt');
      });

      test('sees the inside of a folder from its own root', async () => {
        const storage = await start({ '/users/alice/a.txt': 'a' });
        const asked: string[] = [];
        const guarded = storage.guarded((place) => asked.push(place));
        await (await guarded.within(path('/users/alice'))).stat(path('/a.txt'));
        expect(asked).toContain('/users/alice/a.txt');
      });
    });

    describe('names of unfinished files', () => {
      const reserved = `.filestead-${'0'.repeat(32)}.part`;

      test('can neither be made nor reached', async () => {
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
