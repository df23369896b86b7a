import {
  isAtOrBelow,
  joinPaths,
  relativeTo,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type { KeptEntry } from '../kept/kept-entries.ts';
import type { RemoveOptions, TransferOptions } from '../storage.ts';
import type { CheckedTree } from './checked-tree.ts';
import { displacer, keepEntry } from './core-kept.ts';
import type { CoreEntry } from './storage-core.ts';
import { TreeChange } from './tree-change.ts';

/** Checks a whole transfer, including every entry of a folder, and changes nothing. Returns both entries. */
async function checkTransfer(
  tree: CheckedTree,
  from: VirtualPath,
  to: VirtualPath,
  { overwrite, createParents, signal }: TransferOptions,
): Promise<{ source: CoreEntry; target: CoreEntry | null }> {
  signal?.throwIfAborted();
  const source = await tree.find(from);
  if (from === rootPath || to === rootPath) throw new AppError('root_is_protected');
  if (source === null) throw new AppError('not_found');
  if (from !== to && isAtOrBelow(to, from)) throw new AppError('moves_into_itself');
  await tree.assertParents(to, createParents);
  if (from === to) throw new AppError(overwrite ? 'moves_into_itself' : 'already_exists');
  const target = await tree.find(to);
  if (target !== null && (!overwrite || target.kind !== source.kind)) throw new AppError('already_exists');
  if (source.kind === 'file') return { source, target };
  for await (const { path, entry } of tree.descendants(from, { signal })) {
    const destination = joinPaths(to, relativeTo(path, from));
    tree.assertAllowed(path, destination);
    const existing = target === null ? null : await tree.find(destination);
    if (existing !== null && existing.kind !== entry.kind) throw new AppError('already_exists');
  }
  return { source, target };
}

/** `Storage.move` and `Storage.copy`. */
export async function transfer(
  tree: CheckedTree,
  verb: 'move' | 'copy',
  [from, to]: readonly [VirtualPath, VirtualPath],
  options: TransferOptions,
): Promise<void> {
  await checkTransfer(tree, from, to, options);
  await options.beforeChange?.();
  const { source } = await checkTransfer(tree, from, to, options);
  await tree.createParents(to, options.createParents, options.onParent);
  await new TreeChange(tree, { ...options, displace: displacer(tree, options) })[verb](from, to, source);
}

/** `Storage.remove`. */
export async function removeTree(
  tree: CheckedTree,
  path: VirtualPath,
  options: RemoveOptions,
): Promise<readonly KeptEntry[]> {
  options.signal?.throwIfAborted();
  const entry = await tree.find(path);
  if (path === rootPath) throw new AppError('root_is_protected');
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'folder')
    for await (const below of tree.descendants(path, { signal: options.signal }))
      tree.assertAllowed(below.path);
  await options.beforeChange?.();
  const { keep, onKept } = options;
  if (keep === undefined || keep === null) {
    await new TreeChange(tree, options).remove(tree.absolute(path), entry);
    return [];
  }
  const kept = [await tree.locked(path, () => keepEntry(tree, tree.absolute(path), entry, keep))];
  onKept?.(kept);
  return kept;
}
