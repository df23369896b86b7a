import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { beforeEach, expect, test, vi } from 'vitest';
import { announceChange } from '../../features/files/entries/changes.ts';
import {
  type findEntries,
  type FindListener,
  type FindRequest,
  type FoundEntry,
} from '../../features/search/find-entries.ts';
import type { FoundContent } from '../../features/search/use-contents.ts';
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

test('lists files that were found by their text, without those that were removed, and searches again', async () => {
  vi.useFakeTimers();
  const session = new ResultsSession(find);
  const textAt = (path: string, size: number): FoundContent => ({
    ...entryAt(path),
    size,
    modifiedMs: 0,
    type: 'text',
    snippet: { text: `in ${path}`, matches: [] },
  });
  const files = [textAt('/b/one.txt', 1), textAt('/a/two.txt', 3), textAt('/c/three.txt', 2)];
  const retry = vi.fn();
  session.search(null);
  session.listContents({ files, sort: 'rank', isReversed: false, retry });
  session.start();
  await vi.waitFor(() => expect(pathsOf(session)).toEqual(['/b/one.txt', '/a/two.txt', '/c/three.txt']));
  expect(session.snippetOf('a/two.txt')?.text).toBe('in /a/two.txt');
  session.listContents({ files, sort: 'size', isReversed: true, retry });
  expect(pathsOf(session)).toEqual(['/b/one.txt', '/c/three.txt', '/a/two.txt']);
  announceChange({ folders: [virtualPath('/a')], removed: [virtualPath('/a/two.txt')] });
  await session.reload();
  expect(pathsOf(session)).toEqual(['/b/one.txt', '/c/three.txt']);
  expect(retry).not.toHaveBeenCalled();
  vi.runOnlyPendingTimers();
  expect(retry).toHaveBeenCalledOnce();
  session.listContents(null);
  expect(pathsOf(session)).toEqual([]);
  session.stop();
  vi.useRealTimers();
});
