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
   * Returns the space of the store for a path in the served root.
   * @param total the size of the disk of that path (bytes). A store on another disk, below which that disk is mounted, does not count.
   */
  spaceAt(place: VirtualPath, total: number): Promise<KeptSpace>;
}
