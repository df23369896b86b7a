import type { Permissions } from '@filestead/contract/permissions';
import type { VirtualPath } from '@filestead/contract/virtual-path';
import type { Storage } from './storage.ts';

/** What narrows a storage to one user. */
export interface Access {
  /** Whether the rules allow `path` (already in its canonical form, seen from the root of the storage). */
  readonly allows: (path: VirtualPath) => boolean;
  /** Entries whose own name starts with a dot are hidden and refused (existing API §3.3). */
  readonly hideDotfiles: boolean;
  readonly can: Permissions;
}

export type NarrowTo = (storage: Storage, access: Access) => Storage;
