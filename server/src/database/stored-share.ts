import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A share with the fields that never leave the server. */
export interface StoredShare {
  readonly hash: string;
  readonly userId: number;
  /** Within the owner's scope. */
  readonly path: VirtualPath;
  /**
   * Whether the shared entry is a folder. An entry of another kind with the same name is not the shared one.
   */
  readonly isFolder: boolean;
  /** Unix seconds; 0 means never. */
  readonly expiresAt: number;
  /** Null for a share without a password. */
  readonly passwordHash: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly visits: number;
}
