import {
  isAtOrBelow,
  nameOf,
  relativeTo,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import type { KeptEntry } from '../../kept/kept-entries.ts';
import type { Disk } from '../disk.ts';
import { at, type Folder, openFolder } from '../paths/folder.ts';
import { pathOf } from '../paths/path-of.ts';
import { stateOf, storesOf } from './keep-entry.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * Returns the names of the original path of `entry` from the root of the scope. Throws `not_found` if it was outside,
 * and the errors of the guard.
 */
export function assertPlaceAllowed({ prefix, scopeRoot }: Disk, { place }: KeptEntry): string[] {
  const root = pathOf(prefix);
  if (!isAtOrBelow(place, root) || place === root) throw new AppError('not_found');
  const names = segmentsOf(relativeTo(place, root));
  scopeRoot.assertAllowed?.(names);
  return names;
}

/** Throws `special_file` if another program has replaced a file or folder in the store by something else. */
export function assertSameKind({ entry, stats }: StoredEntry): void {
  const isFileOrFolder = entry.kind === 'file' || entry.kind === 'folder';
  if (isFileOrFolder && stateOf(stats).kind !== entry.kind) throw new AppError('special_file');
}

/** A kept entry, open for reading. */
export interface OpenKept {
  /** The disk whose root is the kept folder, or the folder that contains the kept file. */
  readonly disk: Disk;
  /** The file and its original name; null for a folder. */
  readonly file: { readonly path: VirtualPath; readonly name: string } | null;
}

/**
 * Opens a kept entry. The caller closes the root of the disk. Throws `not_found`, and `special_file` for other entries
 * than files and folders.
 */
export async function openKept(disk: Disk, entry: KeptEntry): Promise<OpenKept> {
  const names = assertPlaceAllowed(disk, entry);
  const { confinement, assertAllowed } = disk.scopeRoot;
  return storesOf(disk).withStored(entry, async (stored) => {
    const { folder, stats } = stored;
    assertSameKind(stored);
    const open = (parent: Folder, name: string): Promise<Folder> =>
      openFolder(confinement, at(parent, name)).async();
    const isFolder = stats.isDirectory();
    if (!isFolder && !stats.isFile()) throw new AppError('special_file');
    const above = isFolder ? names : names.slice(0, -1);
    const inner: Disk = {
      ...disk,
      scopeRoot: {
        ...disk.scopeRoot,
        root: isFolder ? await open(folder, entry.storedName) : await open(folder, '.'),
        rootPaths: [],
        followExternal: false,
        // The guard of a file is called by the view that contains only the file.
        mayDenyBelow: undefined,
        assertAllowed:
          isFolder && assertAllowed ? (below, name) => assertAllowed([...above, ...below], name) : undefined,
      },
      prefix: [...disk.prefix, ...above],
      isDirect: false,
    };
    const file = isFolder ? null : { path: `/${entry.storedName}` as VirtualPath, name: nameOf(entry.place) };
    return { disk: inner, file };
  });
}
