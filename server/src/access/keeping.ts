import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeepCause, KeptEntry } from '../storage/kept/kept-entries.ts';
import type { UserContext } from './user-context.ts';

/** Options of `Storage.remove` that keep what is removed. */
export interface KeepRequest {
  readonly keep: KeepCause;
  readonly onKept: (entries: readonly KeptEntry[]) => void;
  /** Whether an entry that cannot be kept is removed forever, instead of refused. */
  readonly removesUnkept: boolean;
}

/** Whether and how deleted entries are kept. */
export interface Keeping {
  /**
   * Returns the options that keep what a user deletes, and adds it to `kept`; null when nothing is kept. `operation`
   * identifies the request or job.
   */
  forDeletion(userContext: UserContext, operation: string, kept: KeptEntry[]): KeepRequest | null;
  /** Returns the measured bytes of deleted entries in the store for a path in the served root. */
  keptBytes(place: VirtualPath): Promise<number>;
}
