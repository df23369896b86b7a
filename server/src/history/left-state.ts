import type { LeftState } from '../database/operation-repository.ts';
import { isSameTime } from '../storage/modification-time.ts';
import type { Entry } from '../storage/storage.ts';

/** Returns the state of an entry as it is logged. */
export const leftStateOf = ({ kind, inode, size, modifiedNs, changedNs }: Entry): LeftState => ({
  kind,
  inode: inode === undefined ? null : String(inode),
  size,
  modifiedNs: String(modifiedNs),
  changedNs: changedNs === undefined ? null : String(changedNs),
});

/** Whether an entry is the one that an operation left, even if its content has changed. */
export function isSameEntry(entry: Entry, left: LeftState): boolean {
  if (entry.kind !== left.kind) return false;
  if (entry.inode !== undefined && left.inode !== null) return String(entry.inode) === left.inode;
  return left.kind === 'folder' || hasSameContent(entry, left);
}

/** Whether an entry still has the size and the modification time that an operation left. */
export const hasSameContent = ({ size, modifiedNs }: Entry, left: LeftState): boolean =>
  size === left.size && isSameTime(modifiedNs, BigInt(left.modifiedNs));
