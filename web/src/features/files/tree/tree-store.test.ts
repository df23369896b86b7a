import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceChange } from '../entries/changes.ts';
import { fileAt, folderAt } from '../transfers/test-entries.ts';
import { publishLeaves } from './publish-leaves.ts';
import {
  followChanges,
  maxFoldersPerLevel,
  publishFolders,
  resetFolderTree,
  setExpanded,
  treeRows,
  useFolderTree,
} from './tree-store.ts';

const docs = virtualPath('/docs');
const shown = () => treeRows(useFolderTree.getState()).map(({ path, level }) => `${level} ${path}`);

let stop = () => undefined as void;
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  stop = followChanges();
});
afterEach(() => {
  stop();
  resetFolderTree();
  vi.unstubAllGlobals();
});

test('shows the subfolders of expanded folders, and no expander for folders without subfolders', () => {
  publishFolders(rootPath, ['docs', 'music']);
  expect(shown()).toEqual(['1 /', '2 /docs', '2 /music']);
  publishFolders(docs, ['2025', '2026']);
  setExpanded(docs, true);
  expect(shown()).toEqual(['1 /', '2 /docs', '3 /docs/2025', '3 /docs/2026', '2 /music']);
  publishFolders(virtualPath('/music'), []);
  expect(treeRows(useFolderTree.getState()).at(-1)).toMatchObject({ isExpandable: false, isExpanded: false });
});

test('shows no expander for folders whose totals count no folders, until one appears', () => {
  const total = { bytes: 1, checkedAtMs: null, entries: 1 };
  const expandable = () => treeRows(useFolderTree.getState()).map(({ isExpandable }) => isExpandable);
  publishFolders(rootPath, ['docs', 'music', 'photos']);
  publishFolders(virtualPath('/photos'), ['2026']);
  const leaf = { ...total, folders: 0 };
  publishLeaves(
    rootPath,
    new Map([
      ['docs', leaf],
      ['music', total],
      ['photos', leaf],
    ]),
  );
  expect(expandable()).toEqual([true, false, true, true]);
  publishLeaves(rootPath, new Map([['docs', { ...total, folders: 1 }]]));
  expect(expandable()).toEqual([true, true, true, true]);
});

test('follows moves, renames and deletions', () => {
  publishFolders(rootPath, ['docs', 'music']);
  publishFolders(docs, ['old']);
  setExpanded(docs, true);
  announceChange({ folders: [], moved: [{ entry: folderAt('/docs/old'), to: virtualPath('/archive') }] });
  expect(shown()).toEqual(['1 /', '2 /archive', '2 /docs', '2 /music']);
  announceChange({ folders: [], moved: [{ entry: fileAt('/a.txt'), to: virtualPath('/b.txt') }] });
  announceChange({ folders: [], removed: [virtualPath('/docs')] });
  expect(shown()).toEqual(['1 /', '2 /archive', '2 /music']);
});

test('shows a limited number of folders in one folder', () => {
  publishFolders(
    rootPath,
    Array.from({ length: 1000 }, (_, index) => `folder ${index}`),
  );
  expect(shown()).toHaveLength(maxFoldersPerLevel + 1);
});

test('collapses a folder that cannot be read', async () => {
  publishFolders(rootPath, ['docs']);
  setExpanded(docs, true);
  await vi.waitFor(() => expect(useFolderTree.getState().expanded.has(docs)).toBe(false));
});
