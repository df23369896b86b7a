import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** The file or folder of a share. */
export interface ShareTarget {
  readonly name: string;
  readonly path: VirtualPath;
  readonly isFolder: boolean;
}
