import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { useHome } from './use-home.ts';

const row = (path: string, bytes: number) => ({ path, dir: true, bytes, allocated: bytes, files: 1 });

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(pageConfig, { EnableCatalogue: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Object.assign(pageConfig, { EnableCatalogue: false });
});

test('shows the sizes of folders when the catalogue has been built', async () => {
  let isBuilt = false;
  let requests = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/api/map')) return Response.json({}, { status: 404 });
    requests += 1;
    const rows = isBuilt ? [row('Photos', 7), row('Music', 7)] : [];
    const coverage = isBuilt ? 'all' : 'building';
    return Response.json({ self: row('', isBuilt ? 14 : 0), rows, checkedAt: null, coverage });
  });
  const { result, unmount } = renderHook(() => useHome(false, false));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current.home).toMatchObject({ largest: [] });
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(result.current.home.largest).toEqual([]);
  isBuilt = true;
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(result.current.home.largest).toHaveLength(2);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(requests).toBe(3);
  unmount();
});
