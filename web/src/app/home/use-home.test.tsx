import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { useHome } from './use-home.ts';

const total = (name: string, bytes: number | null) => ({
  name,
  bytes,
  allocated: bytes,
  files: 1,
  folders: 0,
  checkedAt: null,
});

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
    if (!url.includes('/api/totals')) return Response.json({}, { status: 404 });
    requests += 1;
    const rows = ['Photos', 'Music'].map((name) => total(name, isBuilt ? 7 : null));
    const coverage = isBuilt ? 'all' : 'building';
    return Response.json({ self: total('', isBuilt ? 14 : null), rows, checkedAt: null, coverage });
  });
  const { result, unmount } = renderHook(() => useHome(false, false));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current.home).toMatchObject({ largest: [], map: null });
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(result.current.home.largest).toEqual([]);
  isBuilt = true;
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(result.current.home.largest).toHaveLength(2);
  expect(result.current.home.map?.children).toHaveLength(2);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(requests).toBe(3);
  unmount();
});
