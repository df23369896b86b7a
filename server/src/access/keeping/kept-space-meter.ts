import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** The measured space of deleted and replaced entries on one disk (bytes). */
export interface KeptSpace {
  readonly kept: number;
  /** The part that the server may remove when the disk is full. */
  readonly reclaimable: number;
}

/** Measures the space that kept entries use. */
export interface KeptSpaceMeter {
  /**
   * Returns the space of the store for a path in the served folder.
   * @param fileSystem the file system of that path. A store on another one, below which it is mounted, does not count.
   */
  spaceAt(place: VirtualPath, fileSystem: string): Promise<KeptSpace>;
}
