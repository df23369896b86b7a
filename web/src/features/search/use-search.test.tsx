import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { streamSearch } from '../../api/stream-search.ts';
import { useSearch } from './use-search.ts';

vi.mock('../../api/stream-search.ts', () => ({ streamSearch: vi.fn() }));

test('starts a failed search again from the beginning', async () => {
  vi.mocked(streamSearch)
    .mockImplementationOnce(async (_folder, _query, { onResults }) => {
      onResults([{ path: 'a.txt', dir: false }]);
      throw new Error('cut off');
    })
    .mockImplementationOnce(async (_folder, _query, { onResults }) => {
      onResults([
        { path: 'a.txt', dir: false },
        { path: 'sub/b.txt', dir: false },
      ]);
    });
  const { result } = renderHook(() => useSearch(virtualPath('/docs'), 'txt'));
  act(() => result.current.startNow());
  await waitFor(() => expect(result.current.phase).toBe('failed'));
  expect(result.current.results).toHaveLength(1);
  act(() => result.current.startNow());
  await waitFor(() => expect(result.current.phase).toBe('done'));
  expect(result.current.results.map(({ path }) => path)).toEqual(['/docs/a.txt', '/docs/sub/b.txt']);
});
