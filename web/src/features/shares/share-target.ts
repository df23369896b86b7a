import { nameOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Share } from '@filestead/contract/shares';

/** The file or folder of a share. */
export interface ShareTarget {
  readonly name: string;
  readonly path: VirtualPath;
  readonly isFolder: boolean;
}

/** Returns the shared entry. */
export function targetOf({ path }: Pick<Share, 'path'>): ShareTarget {
  const { path: canonical, isFolderPath } = parsePath(path);
  return { name: nameOf(canonical), path: canonical, isFolder: isFolderPath || canonical === '/' };
}
