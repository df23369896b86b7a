import { encodePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** The beginning of the addresses of files and folders, below the router's base. */
export const filePrefix = '/files';

/**
 * Returns the address of an entry's screen below the router's base; folders end in a slash (docs/reference/behaviour.md
 * §2).
 */
export const fileAddress = (path: VirtualPath, isFolder: boolean): string =>
  `${filePrefix}${encodePath(path)}${isFolder && path !== '/' ? '/' : ''}`;
