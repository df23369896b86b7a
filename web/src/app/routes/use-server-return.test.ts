import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useServerReturn } from './use-server-return.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('asks the server every five seconds, however often the page renders, and calls the latest function', async () => {
  let isBack = false;
  const fetched = vi.fn<typeof fetch>(async () => new Response(null, { status: isBack ? 200 : 502 }));
  vi.stubGlobal('fetch', fetched);
  const calls: string[] = [];
  const { rerender, unmount } = renderHook(({ name }) => useServerReturn(() => void calls.push(name)), {
    initialProps: { name: 'first' },
  });
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  for (let ms = 0; ms < 4_000; ms += 1_000) {
    await wait(1_000);
    rerender({ name: `after ${ms}` });
  }
  expect(fetched).toHaveBeenCalledTimes(0);
  await wait(1_000);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(calls).toEqual([]);
  isBack = true;
  rerender({ name: 'latest' });
  await wait(5_000);
  expect(calls).toEqual(['latest']);
  unmount();
  await wait(20_000);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test('asks nothing without a function', async () => {
  const fetched = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', fetched);
  renderHook(() => useServerReturn(undefined));
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(fetched).not.toHaveBeenCalled();
});
