import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { FolderSession } from '../folder/folder-session.ts';
import { ListingModel } from '../listing/model/listing-model.ts';
import { resetFolderTree, useFolderTree } from './tree-store.ts';
import { usePublishedFolders } from './use-published-folders.ts';

afterEach(resetFolderTree);

test('the tree shows the folders of the list, whatever the filter of the list hides', () => {
  const model = new ListingModel();
  model.open({
    path: '/bank/',
    name: 'bank',
    modified: '2026-01-01T00:00:00Z',
    numDirs: 2,
    numFiles: 0,
    sorting: { by: 'name', asc: false },
    types: ['', 'text'],
  });
  model.append([
    ['2025', 0, 1, 0],
    ['2026', 0, 1, 0],
  ]);
  model.end();
  const path = virtualPath('/bank');
  renderHook(() => usePublishedFolders({ model, path } as FolderSession));
  const shown = () => useFolderTree.getState().names.get(path);
  expect(shown()).toEqual(['2025', '2026']);
  act(() => model.filter('2026'));
  expect(Array.from(model.order, (id) => model.name(id))).toEqual(['2026']);
  expect(shown()).toEqual(['2025', '2026']);
  act(() => {
    model.filter('');
    model.remove([model.find('2025') ?? -1]);
  });
  expect(shown()).toEqual(['2026']);
});
