import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import { at, closeFolder, type Folder, openFolder } from '../paths/folder.ts';
import { type ScopeRoot, enter, release, locate } from '../paths/locate.ts';
import { runAsync } from '../paths/steps.ts';
import type { TreeFolder } from './traverse.ts';

/** The open top of a tree, and whether the requested name is a link to it. */
export interface OpenTree extends TreeFolder {
  readonly isSymlink: boolean;
}

/** Opens the folder at `path`. The caller closes it with {@link closeTree}. */
export async function openTree(scopeRoot: ScopeRoot, path: VirtualPath): Promise<OpenTree> {
  const resolved = await runAsync(locate(scopeRoot, segmentsOf(path), { leaf: 'follow' }));
  try {
    if (resolved.stats === null) throw new AppError('not_found');
    if (!resolved.stats.isDirectory()) throw new AppError('not_a_folder');
    return {
      folder: await runAsync(enter(scopeRoot, resolved)),
      name: resolved.name,
      names: resolved.names,
      relative: [],
      isSymlink: resolved.link !== null,
    };
  } finally {
    // For the root, `enter` returns the root's own folder, which `release` does not close.
    release(scopeRoot, resolved);
  }
}

/** As {@link openTree}, with a separate descriptor for the root: the caller can always close the folder. */
export async function openOwnTree(scopeRoot: ScopeRoot, path: VirtualPath): Promise<OpenTree> {
  const tree = await openTree(scopeRoot, path);
  if (tree.folder !== scopeRoot.root) return tree;
  return { ...tree, folder: await openFolder(scopeRoot.confinement, at(tree.folder, '.')).async() };
}

/** Closes a folder from {@link openTree}, unless it is the root. */
export function closeTree(scopeRoot: ScopeRoot, folder: Folder): void {
  if (folder !== scopeRoot.root) closeFolder(folder);
}
