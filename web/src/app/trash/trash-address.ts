import {
  encodePath,
  parseEncodedPath,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';

const prefix = '/trash';

/** The place of the trash that an address names: the list, or a deleted item and a path below it. */
export type TrashPlace =
  | { readonly id: null }
  | {
      readonly id: string;
      /** The root is the item itself. */
      readonly path: VirtualPath;
      /** Whether the address names a folder; it ends in a slash then. */
      readonly isFolder: boolean;
    };

/** Returns the address of a deleted item, or of the entry at `path` below it; folders end in a slash. */
export function trashAddress(id: string, isFolder: boolean, path: VirtualPath = rootPath): string {
  const below = path === '/' ? '' : encodePath(path);
  return `${prefix}/${id}${below}${isFolder ? '/' : ''}`;
}

/** Returns the place of an address, or null for an invalid one. */
export function trashPlaceOf(pathname: string): TrashPlace | null {
  if (pathname === prefix || pathname === `${prefix}/`) return { id: null };
  const [, id, below] = /^\/trash\/([A-Za-z0-9_-]{22})(\/.*)?$/su.exec(pathname) ?? [];
  if (id === undefined) return null;
  if (below === undefined || below === '/') return { id, path: rootPath, isFolder: below === '/' };
  try {
    const { path, isFolderPath } = parseEncodedPath(below);
    return { id, path, isFolder: isFolderPath };
  } catch {
    return null;
  }
}
