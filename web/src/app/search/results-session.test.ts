import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { beforeEach, expect, test, vi } from 'vitest';
import { announceChange } from '../../features/files/entries/changes.ts';
import {
  type findEntries,
  type FindListener,
  type FindRequest,
  type FoundEntry,
} from '../../features/search/find-entries.ts';
import { ResultsSession } from './results-session.ts';

const requestFor = (query: string): FindRequest => ({
  folder: rootPath,
  near: rootPath,
  query,
  limit: 500,
  sort: 'rank',
});
const entryAt = (path: string, change: Partial<FoundEntry> = {}): FoundEntry => ({
  path: virtualPath(path),
  name: path.slice(path.lastIndexOf('/') + 1),
  isFolder: false,
  size: 10,
  modifiedMs: 0,
  type: 'text',
  isSimilar: false,
  isFavorite: false,
  tags: [],
  ...change,
});

let calls: (FindListener & { query: string; end: (hasMore: boolean) => void })[] = [];
beforeEach(() => {
  calls = [];
});
const find: typeof findEntries = ({ query }, listener) =>
  new Promise((resolve) => calls.push({ ...listener, query, end: resolve }));

const pathsOf = (session: ResultsSession) =>
  Array.from(session.model.order, (id) => session.entry(id).path as string);
const isDone = (session: ResultsSession) =>
  vi.waitFor(() => expect(session.getState().isSearching).toBe(false));

async function searched(query: string, found: readonly FoundEntry[]): Promise<ResultsSession> {
  const session = new ResultsSession(find);
  session.search(requestFor(query));
  session.start();
  calls[0]?.onFound(found);
  calls[0]?.end(false);
  await isDone(session);
  return session;
}

test('lists entries of several folders in the order of the search', async () => {
  const session = await searched('tram', [
    entryAt('/b/tram.txt'),
    entryAt('/Tram', { isFolder: true, size: null }),
    entryAt('/a/tram.txt', { isSimilar: true }),
  ]);
  expect(calls).toHaveLength(1);
  expect(pathsOf(session)).toEqual(['/b/tram.txt', '/Tram', '/a/tram.txt']);
  expect(session.isSimilar('a/tram.txt')).toBe(true);
  session.model.selectAll();
  expect(session.selectedEntries().map(({ name }) => name)).toEqual(['tram.txt', 'Tram', 'tram.txt']);
  session.stop();
});

test('a new query ends the running one, whose late results are not shown', async () => {
  const session = new ResultsSession(find);
  session.search(requestFor('t'));
  session.start();
  session.search(requestFor('tr'));
  expect(calls.map(({ query }) => query)).toEqual(['t', 'tr']);
  calls[1]?.onFound([entryAt('/new.txt')]);
  calls[1]?.end(true);
  await isDone(session);
  calls[0]?.onFound([entryAt('/old.txt')]);
  calls[0]?.end(false);
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(pathsOf(session)).toEqual(['/new.txt']);
  expect(session.getState().hasMore).toBe(true);
  session.stop();
});

test('keeps selection and order when it is shown again', async () => {
  const session = await searched('tram', [entryAt('/b/tram.txt'), entryAt('/a/tram.txt')]);
  session.model.selectOnly(session.idOf(virtualPath('/a/tram.txt')) ?? -1);
  session.stop();
  session.search(requestFor('tram'));
  session.start();
  calls[1]?.onFound([entryAt('/b/tram.txt'), entryAt('/new tram.txt'), entryAt('/a/tram.txt')]);
  expect(pathsOf(session)).toEqual(['/b/tram.txt', '/a/tram.txt']);
  calls[1]?.end(false);
  await vi.waitFor(() => expect(session.model.count).toBe(3));
  expect(session.selectedEntries().map(({ path }) => path)).toEqual(['/a/tram.txt']);
  session.stop();
});

test('removes and renames results at once', async () => {
  const session = await searched('tram', [entryAt('/b/tram.txt'), entryAt('/a/tram.txt')]);
  const [first] = session.model.order;
  announceChange({ folders: [virtualPath('/a')], removed: [virtualPath('/a/tram.txt')] });
  announceChange({
    folders: [virtualPath('/b')],
    moved: [{ entry: session.entry(first ?? -1), to: virtualPath('/b/tramway.txt') }],
  });
  expect(pathsOf(session)).toEqual(['/b/tramway.txt']);
  session.stop();
});
