/**
 * The choices in a conflict. `merge` is for two folders, `replace` for two files; `cancel` drops everything that has not
 * been sent yet.
 */
export type ConflictChoice = 'keep_both' | 'replace' | 'merge' | 'skip' | 'cancel';

/** The metadata of one side of a conflict. */
export interface ConflictSide {
  readonly isFolder: boolean;
  /** Size in bytes; null if unknown. */
  readonly size: number | null;
  /** Modification time in Unix milliseconds; null if unknown, as for folders on the user's machine. */
  readonly modifiedMs: number | null;
}

/** Returns the side that was modified last, or null if both are equally old or a time is unknown. */
export function newerSide({
  incoming,
  existing,
}: {
  readonly incoming: ConflictSide;
  readonly existing: ConflictSide;
}): 'incoming' | 'existing' | null {
  if (incoming.modifiedMs === null || existing.modifiedMs === null) return null;
  // Servers and file systems store times at least to the second.
  if (Math.abs(incoming.modifiedMs - existing.modifiedMs) < 1000) return null;
  return incoming.modifiedMs > existing.modifiedMs ? 'incoming' : 'existing';
}
