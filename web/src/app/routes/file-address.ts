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

const spacePrefix = '/space';

/** Returns the address of the page that shows what fills a folder. */
export const spaceAddress = (folder: VirtualPath): string =>
  `${spacePrefix}${encodePath(folder)}${folder === '/' ? '' : '/'}`;

/** Returns the address at which the history asks for a time to which a folder is taken back. */
export const rewindAddress = (folder: VirtualPath): string =>
  `/history?${new URLSearchParams({ ...(folder !== '/' && { below: folder }), rewind: '' }).toString()}`;

/** Returns the folder of an address of {@link spaceAddress}, or null for an invalid one. */
export const spacePathOf = (pathname: string): RequestedPath | null => pathBelow(spacePrefix, pathname);

const duplicatesPrefix = '/duplicates';

/** Returns the address of the page of files with equal contents below a folder. */
export const duplicatesAddress = (folder: VirtualPath): string =>
  `${duplicatesPrefix}${encodePath(folder)}${folder === '/' ? '' : '/'}`;

/** Returns the folder of an address of {@link duplicatesAddress}, or null for an invalid one. */
export const duplicatesPathOf = (pathname: string): RequestedPath | null =>
  pathBelow(duplicatesPrefix, pathname);

/** Returns the path for an address of the files screen, or null for an invalid one, such as one with `..` in it. */
export const pathOfAddress = (pathname: string): RequestedPath | null => pathBelow(prefix, pathname);

function pathBelow(base: string, pathname: string): RequestedPath | null {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  try {
    return parseEncodedPath(pathname.slice(base.length));
  } catch {
    return null;
  }
}
