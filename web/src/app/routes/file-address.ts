import {
  encodePath,
  parseEncodedPath,
  type RequestedPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';

const prefix = '/files';

/**
 * Returns the address of an entry's screen below the router's base; folders end in a slash (docs/reference/behaviour.md
 * §2).
 */
export const fileAddress = (path: VirtualPath, isFolder: boolean): string =>
  `${prefix}${encodePath(path)}${isFolder && path !== '/' ? '/' : ''}`;

/** Returns the address of the results of a search that is started in the folder `from`. */
export const startOfSearch = (query: string, from: VirtualPath): string =>
  `/search?${new URLSearchParams({ ...(query !== '' && { query }), ...(from !== '/' && { from }) }).toString()}`;

/** Returns the path for an address of the files screen, or null for an invalid one, such as one with `..` in it. */
export function pathOfAddress(pathname: string): RequestedPath | null {
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return null;
  try {
    return parseEncodedPath(pathname.slice(prefix.length));
  } catch {
    return null;
  }
}
