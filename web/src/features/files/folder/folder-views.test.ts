import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

const photos = virtualPath('/Photos');

/** Loads the module again, as when the page is reloaded. */
async function loadPage() {
  vi.resetModules();
  return import('./folder-views.ts');
}
beforeEach(() => localStorage.clear());

test('remembers the view for one folder only', async () => {
  const { saveFolderView, useFolderView } = await loadPage();
  const view = renderHook(() => useFolderView(1, photos));
  expect(view.result.current).toBeUndefined();
  act(() => saveFolderView(1, photos, { viewMode: 'mosaic gallery' }));
  act(() => saveFolderView(1, photos, { sorting: { by: 'size', asc: true } }));
  act(() => saveFolderView(1, photos, { tileStep: 4 }));
  expect(view.result.current).toEqual({
    viewMode: 'mosaic gallery',
    sorting: { by: 'size', asc: true },
    tileStep: 4,
  });
  expect(renderHook(() => useFolderView(1, virtualPath('/Music'))).result.current).toBeUndefined();
});

test('reads the views of each user from the storage once', async () => {
  const first = await loadPage();
  first.saveFolderView(1, photos, { viewMode: 'mosaic' });
  const { useFolderView } = await loadPage();
  const view = renderHook(() => useFolderView(1, photos));
  const before = view.result.current;
  expect(before).toEqual({ viewMode: 'mosaic' });
  view.rerender();
  expect(view.result.current).toBe(before);
  expect(renderHook(() => useFolderView(2, photos)).result.current).toBeUndefined();
});

test('ignores stored views that are damaged', async () => {
  localStorage.setItem(
    'filestead.folder-views.1',
    '{"/Photos":{"viewMode":"spiral","sorting":{"by":"luck"},"tileStep":9},"/":7}',
  );
  const { useFolderView } = await loadPage();
  expect(renderHook(() => useFolderView(1, photos)).result.current).toEqual({});
  localStorage.setItem('filestead.folder-views.2', '{');
  expect(renderHook(() => useFolderView(2, rootPath)).result.current).toBeUndefined();
});

test('forgets all views when one is applied to all folders', async () => {
  const { forgetFolderViews, saveFolderView, useFolderView } = await loadPage();
  saveFolderView(1, photos, { viewMode: 'mosaic' });
  forgetFolderViews(1);
  expect(renderHook(() => useFolderView(1, photos)).result.current).toBeUndefined();
  expect(localStorage.getItem('filestead.folder-views.1')).toBe('{}');
});
