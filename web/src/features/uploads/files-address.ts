import { encodePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** The address of the page of a file or folder. */
export const filesAddress = (path: VirtualPath, isFolder: boolean): string =>
  `/files${encodePath(path)}${isFolder && path !== '/' ? '/' : ''}`;
