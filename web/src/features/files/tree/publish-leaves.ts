import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FolderTotal } from '../listing/model/listing-entries.ts';
import { useFolderTree } from './tree-store.ts';

/** Tells the tree which folders in `path` contain no folders, by the totals of the server. The tree keeps what it has read. */
export function publishLeaves(path: VirtualPath, totals: ReadonlyMap<string, FolderTotal>): void {
  const { names } = useFolderTree.getState();
  const next = new Map(names);
  for (const [name, { folders }] of totals) {
    const folder = childOf(path, name);
    if (folders === 0 && !names.has(folder)) next.set(folder, []);
    // Folders have appeared in it since; they are read when it is expanded.
    if (folders !== undefined && folders > 0 && names.get(folder)?.length === 0) next.delete(folder);
  }
  useFolderTree.setState({ names: next });
}
