import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** The space that kept entries use. */
export interface Keeping {
  /** Returns the measured bytes of deleted and replaced entries in the store for a path in the served root. */
  keptBytes(place: VirtualPath): Promise<number>;
}
