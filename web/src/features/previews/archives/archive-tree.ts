import type { ArchiveEntry } from './archive-entries.ts';

/** A file of an archive, or a folder with its children. */
export interface ArchiveNode {
  readonly name: string;
  readonly isFolder: boolean;
  /** The unpacked size in bytes; for a folder, the sum of everything below it. */
  size: number;
  readonly modifiedMs: number | null;
  readonly children: ArchiveNode[];
}

/** Maximum depth of the tree. The remaining path of a deeper entry becomes its name. */
const maxDepth = 64;

/** Arranges the entries of an archive as a tree. Folders that the archive does not list are added. */
export function buildArchiveTree(
  entries: readonly ArchiveEntry[],
  compare: (a: string, b: string) => number,
): ArchiveNode {
  const root: ArchiveNode = { name: '', isFolder: true, size: 0, modifiedMs: null, children: [] };
  const folders = new Map<string, ArchiveNode>([['', root]]);
  const folderAt = (path: string, modifiedMs: number | null): ArchiveNode => {
    const existing = folders.get(path);
    if (existing) return existing;
    const slash = path.lastIndexOf('/');
    const folder: ArchiveNode = {
      name: path.slice(slash + 1),
      isFolder: true,
      size: 0,
      modifiedMs,
      children: [],
    };
    folders.set(path, folder);
    folderAt(slash < 0 ? '' : path.slice(0, slash), null).children.push(folder);
    return folder;
  };
  for (const entry of entries) {
    // A segment such as `..` is treated as an ordinary name, so that no entry leaves the archive.
    const parts = entry.name.split('/').filter((part) => part !== '');
    const [last] = parts.slice(-1);
    if (last === undefined) continue;
    const path = parts.slice(0, Math.min(parts.length, maxDepth)).join('/');
    if (entry.isFolder) {
      folderAt(path, entry.modifiedMs);
      continue;
    }
    const parentPath = parts.slice(0, Math.min(parts.length - 1, maxDepth - 1)).join('/');
    const folder = folderAt(parentPath, null);
    const name = parts.length > maxDepth ? parts.slice(maxDepth - 1).join('/') : last;
    folder.children.push({
      name,
      isFolder: false,
      size: entry.size,
      modifiedMs: entry.modifiedMs,
      children: [],
    });
  }
  sumAndSort(root, compare);
  return root;
}

function sumAndSort(folder: ArchiveNode, compare: (a: string, b: string) => number): void {
  for (const child of folder.children) {
    if (child.isFolder) sumAndSort(child, compare);
    folder.size += child.size;
  }
  folder.children.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name));
}
