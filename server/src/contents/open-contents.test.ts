import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wholeTree } from '../../test/catalogue/whole-tree.ts';
import { openTestClock, type TestClock } from '../../test/test-clock.ts';
import type { FileColumns, FilesResponse, FolderFiles } from '../catalogue/catalogue-protocol.ts';
import { parseFind } from '../catalogue/query/parse-find.ts';
import { AppError } from '../errors.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { type Contents, openContents } from './open-contents.ts';
import { stateOf } from './read-document.ts';

let folder: string;
let clock: TestClock;
let storage: Storage;
let contents: Contents;
/** The documents in the catalogue: paths from the root. */
let listed: string[];
let isSettled: boolean;
let state: FilesResponse['state'];
/** Called between the listing of changed folders and its arrival. */
let onFoldersListed: () => Promise<void>;

async function columnsOf(paths: readonly string[], nameOf = (path: string) => path): Promise<FileColumns> {
  const entries = await Promise.all(paths.map((path) => storage.stat(virtualPath(`/${path}`))));
  const states = entries.map((entry) => (entry === null ? { size: 0, time: 0 } : stateOf(entry)));
  return {
    names: paths.map(nameOf).join('\0'),
    sizes: Float64Array.from(states, ({ size }) => size),
    times: Float64Array.from(states, ({ time }) => time),
  };
}

async function filesIn(path: string): Promise<FolderFiles> {
  const inside = listed.filter((file) => file.startsWith(`${path}/`));
  const files = await columnsOf(inside, (file) => file.slice(path.length + 1));
  return { folder: path, files, folders: [] };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-contents-'));
  clock = openTestClock();
  storage = await openMemoryStorage({
    '/docs/a.txt': 'a heron',
    '/docs/b.txt': 'a second heron',
    '/other/c.txt': 'a third heron',
  });
  listed = ['docs/a.txt'];
  isSettled = true;
  state = 'read';
  onFoldersListed = async () => undefined;
  contents = openContents({
    catalogue: {
      files: async () => ({ kind: 'files', id: 1, state, ...(await columnsOf(listed)), next: null }),
      filesIn: async (folders) => {
        const found = await Promise.all(folders.map(filesIn));
        await onFoldersListed();
        return found;
      },
      isSettled: async () => isSettled,
    },
    storage,
    options: { searchesContents: true, hasCatalogue: true, data: folder, root: folder },
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined },
  });
});
afterEach(async () => {
  await contents.close();
  rmSync(folder, { recursive: true });
});

/** Searches for the word in all documents. Returns the paths of the rows, and the progress. */
async function search(): Promise<[paths: string[], progress: number | null]> {
  const found = await contents.find(
    {
      visible: wholeTree,
      content: { terms: [{ words: ['heron'], isPrefix: false }], excluded: [] },
      filters: parseFind('', 0),
      within: null,
      only: null,
      limit: 10,
    },
    new AbortController().signal,
  );
  return [found?.rows.map(({ path }) => path).sort() ?? [], found?.progress ?? null];
}

async function readAll(...paths: string[]): Promise<void> {
  await expect.poll(search).toEqual([paths, 1]);
}

async function start(): Promise<void> {
  contents.recordActivity();
  clock.advance(5_000);
  await readAll('docs/a.txt');
}

test('a search is incomplete until the documents of changed folders have been compared', async () => {
  await start();
  listed.push('docs/b.txt');
  let compare = (): void => undefined;
  const isRequested = new Promise<void>((requested) => {
    onFoldersListed = () => {
      requested();
      return new Promise((resolve) => (compare = resolve));
    };
  });
  contents.changed(['docs']);
  expect(await search()).toEqual([['docs/a.txt'], 0.99]);
  await isRequested;
  // Another folder that changes meanwhile waits too.
  listed.push('other/c.txt');
  contents.changed(['other']);
  expect(await search()).toEqual([['docs/a.txt'], 0.99]);
  onFoldersListed = async () => undefined;
  compare();
  await readAll('docs/a.txt', 'docs/b.txt', 'other/c.txt');
});

test('a search is incomplete while the catalogue knows of changes that it has not reported', async () => {
  await start();
  isSettled = false;
  expect(await search()).toEqual([['docs/a.txt'], 0.99]);
  isSettled = true;
  await readAll('docs/a.txt');
});

test('the progress is unknown while all documents have to be compared again', async () => {
  await start();
  listed.push('other/c.txt');
  state = 'building';
  contents.changed(null);
  expect(await search()).toEqual([['docs/a.txt'], null]);
  await expect.poll(search).toEqual([['docs/a.txt'], null]);
  state = 'read';
  contents.changed(null);
  await readAll('docs/a.txt', 'other/c.txt');
});

test('a list that has become stale is requested again at once', async () => {
  state = 'stale';
  contents.recordActivity();
  clock.advance(5_000);
  await expect.poll(search).toEqual([[], null]);
  state = 'read';
  await readAll('docs/a.txt');
});

test('a file that was renamed while its folder was listed keeps its new name', async () => {
  await start();
  listed.push('docs/b.txt');
  onFoldersListed = async () => {
    onFoldersListed = async () => undefined;
    const [from, to] = [virtualPath('/docs/a.txt'), virtualPath('/docs/z.txt')];
    await storage.move(from, to, { overwrite: false });
    listed = ['docs/b.txt', 'docs/z.txt'];
    contents.moved(from, to);
  };
  contents.changed(['docs']);
  await readAll('docs/b.txt', 'docs/z.txt');
});

test('a file that arrived in a folder shortly before the folder was renamed is read', async () => {
  await start();
  const [docs, moved, again] = [virtualPath('/docs'), virtualPath('/moved'), virtualPath('/again')];
  await storage.move(docs, moved, { overwrite: false });
  contents.moved(docs, moved);
  await storage.move(moved, again, { overwrite: false });
  contents.moved(moved, again);
  listed = ['again/a.txt', 'again/b.txt'];
  contents.changed(['docs']);
  await readAll('again/a.txt', 'again/b.txt');
});

test('documents are read later that cannot be opened on a busy server', async () => {
  const { openFile } = storage;
  const opened = new Promise<void>((resolve) => {
    storage.openFile = async () => {
      resolve();
      throw new AppError('busy');
    };
  });
  contents.recordActivity();
  clock.advance(5_000);
  await opened;
  storage.openFile = openFile;
  clock.advance(60_000);
  await expect.poll(search).toEqual([['docs/a.txt'], 1]);
});

test('changed folders are compared again after they could not be read', async () => {
  await start();
  listed.push('docs/b.txt');
  onFoldersListed = async () => {
    throw new Error('the catalogue failed');
  };
  contents.changed(['docs']);
  await expect.poll(search).toEqual([['docs/a.txt'], null]);
  onFoldersListed = async () => undefined;
  clock.advance(60_000);
  await readAll('docs/a.txt', 'docs/b.txt');
});

test('a document on a damaged part of the disk does not keep others from being read', async () => {
  listed = ['docs/a.txt', 'docs/b.txt'];
  const { openFile } = storage;
  storage.openFile = async (path, ...rest) => {
    const file = await openFile.call(storage, path, ...rest);
    const read = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }));
    return path === '/docs/a.txt' ? { ...file, entry: file.entry, close: () => file.close(), read } : file;
  };
  contents.recordActivity();
  clock.advance(5_000);
  await readAll('docs/b.txt');
});
