import type { ArchiveEntry } from './archive-entries.ts';

/** A folder or file of an archive in its place. */
export interface ArchiveNode {
  readonly name: string;
  readonly isFolder: boolean;
  /** Bytes once unpacked; of a folder, of all that lies in it. */
  size: number;
  readonly modifiedMs: number | null;
  readonly children: ArchiveNode[];
}

/** Deeper folders are shown as one name. */
const deepest = 64;

/** Puts the entries of an archive into their folders, which are made where the archive does not name them. */
export function archiveTree(
  entries: readonly ArchiveEntry[],
  compare: (a: string, b: string) => number,
): ArchiveNode {
  const root: ArchiveNode = { name: '', isFolder: true, size: 0, modifiedMs: null, children: [] };
  const folders = new Map<string, ArchiveNode>([['', root]]);
  const folderAt = (path: string, modifiedMs: number | null): ArchiveNode => {
    const known = folders.get(path);
    if (known) return known;
    const cut = path.lastIndexOf('/');
    const made: ArchiveNode = {
      name: path.slice(cut + 1),
      isFolder: true,
      size: 0,
      modifiedMs,
      children: [],
    };
    folders.set(path, made);
    folderAt(cut < 0 ? '' : path.slice(0, cut), null).children.push(made);
    return made;
  };
  for (const entry of entries) {
    // What would lead out of the archive is a name like any other here.
    const parts = entry.name.split('/').filter((part) => part !== '');
    const [last] = parts.slice(-1);
    if (last === undefined) continue;
    const path = parts.slice(0, Math.min(parts.length, deepest)).join('/');
    if (entry.isFolder) {
      folderAt(path, entry.modifiedMs);
      continue;
    }
    const above = parts.slice(0, Math.min(parts.length - 1, deepest - 1)).join('/');
    const folder = folderAt(above, null);
    const name = parts.length > deepest ? parts.slice(deepest - 1).join('/') : last;
    folder.children.push({
      name,
      isFolder: false,
      size: entry.size,
      modifiedMs: entry.modifiedMs,
      children: [],
    });
  }
  settle(root, compare);
  return root;
}

function settle(folder: ArchiveNode, compare: (a: string, b: string) => number): void {
  for (const child of folder.children) {
    if (child.isFolder) settle(child, compare);
    folder.size += child.size;
  }
  folder.children.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name));
}
