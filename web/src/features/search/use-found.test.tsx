import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { findEntries, FindListener, FindRequest, FoundEntry } from './find-entries.ts';
import { useFound } from './use-found.ts';

const requestFor = (query: string): FindRequest => ({
  folder: virtualPath('/docs'),
  near: virtualPath('/docs'),
  query,
  limit: 5,
  sort: 'rank',
});
const entryAt = (path: string): FoundEntry => ({
  path: virtualPath(path),
  name: path.slice(path.lastIndexOf('/') + 1),
  isFolder: false,
  size: 1,
  modifiedMs: 0,
  type: 'text',
  isSimilar: false,
  isFavorite: false,
  tags: [],
});

interface Call extends FindListener {
  readonly query: string;
  readonly end: (hasMore: boolean) => void;
  readonly fail: (error: unknown) => void;
}
/** The running searches, in the order of their start. */
let calls: Call[] = [];
beforeEach(() => {
  calls = [];
});
const find: typeof findEntries = ({ query }, listener) =>
  new Promise((resolve, reject) => calls.push({ ...listener, query, end: resolve, fail: reject }));

const started = (count: number) => waitFor(() => expect(calls).toHaveLength(count));
const start = (query: string) =>
  renderHook(({ typed }) => useFound(requestFor(typed), find), { initialProps: { typed: query } });

test('shows the results of a finished search, and whether there are more', async () => {
  const { result } = start('tram');
  await started(1);
  await act(async () => {
    calls[0]?.onFound([entryAt('/docs/tram.txt')]);
    calls[0]?.end(true);
  });
  expect(result.current).toMatchObject({ phase: 'done', hasMore: true, isStale: false });
  expect(result.current.entries.map(({ path }) => path)).toEqual(['/docs/tram.txt']);
});

test('a slow response does not replace that of a newer query', async () => {
  const { result, rerender } = start('t');
  await started(1);
  rerender({ typed: 'tr' });
  await started(2);
  await act(async () => {
    calls[1]?.onFound([entryAt('/docs/new.txt')]);
    calls[1]?.end(false);
  });
  await act(async () => {
    calls[0]?.onFound([entryAt('/docs/old.txt')]);
    calls[0]?.end(false);
  });
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(result.current.entries.map(({ path }) => path)).toEqual(['/docs/new.txt']);
});

test('keeps the results of the previous query until the first ones of the next arrive', async () => {
  const { result, rerender } = start('t');
  await started(1);
  await act(async () => {
    calls[0]?.onFound([entryAt('/docs/tram.txt')]);
    calls[0]?.end(false);
  });
  rerender({ typed: 'tr' });
  expect(result.current).toMatchObject({ phase: 'searching', isStale: true });
  expect(result.current.entries).toHaveLength(1);
});

test('an empty query has no results and sends nothing', () => {
  const { result } = start('  ');
  expect(result.current).toMatchObject({ phase: 'idle', entries: [] });
  expect(calls).toHaveLength(0);
});

test('starts a failed search again from the beginning', async () => {
  const { result } = start('tram');
  await started(1);
  await act(async () => calls[0]?.fail(new Error('cut off')));
  expect(result.current.phase).toBe('failed');
  act(() => result.current.retry());
  await started(2);
  await act(async () => calls[1]?.end(false));
  expect(result.current.phase).toBe('done');
});
