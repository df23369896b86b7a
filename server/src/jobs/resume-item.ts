import type { JobKind } from '@filestead/contract/jobs';
import { AppError } from '../errors.ts';
import { isSameTime } from '../storage/modification-time.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import type { BegunItem } from './job-progress.ts';
import type { PlannedItem } from './plan-items.ts';

/** Whether a file is the recorded source or a complete copy of it. */
function isSameFile(entry: Entry, { kind, size, modifiedNs }: BegunItem['source']): boolean {
  const isSame = entry.size === size && isSameTime(entry.modifiedNs, BigInt(modifiedNs));
  return entry.kind === kind && kind !== 'folder' && isSame;
}

/**
 * How an interrupted item continues: it is complete, or it is processed again, and may then overwrite its destination. `copiedInode` is
 * that of the destination, if it is the complete copy of a moved folder.
 */
export type Resumption =
  | { readonly isDone: true }
  | { readonly isDone: false; readonly overwrites: boolean; readonly copiedInode?: bigint };

const done: Resumption = { isDone: true };
const again = (overwrites: boolean): Resumption => ({ isDone: false, overwrites });

/**
 * Determines whether an interrupted item had already taken effect. Throws `interrupted` when source and
 * destination of a move both exist and it is unknown whether the destination is the moved entry, and when another entry
 * took the name of a copy: nothing is removed or replaced then.
 */
export async function examineInterrupted(
  kind: JobKind,
  item: PlannedItem,
  { to, destinationExisted, source, copiedInode }: BegunItem,
  storage: Storage,
): Promise<Resumption> {
  const current = await storage.stat(item.from.path);
  if (kind === 'checksum') return again(false);
  if (kind === 'delete') {
    const isSource = current !== null && (isSameFile(current, source) || current.kind === 'folder');
    return isSource && current.kind === source.kind ? again(false) : done;
  }
  const target = to === null ? null : await storage.stat(to);
  if (target === null) return again(item.overwrite);
  const isOurCopy = isSameFile(target, source);
  if (kind === 'copy') {
    if (isOurCopy) return done;
    if (destinationExisted) return again(item.overwrite);
    // A copied folder gets its name when it is complete.
    if (target.kind === 'folder' && source.kind === 'folder') return done;
    throw new AppError('interrupted');
  }
  if (current === null) return done;
  if (destinationExisted) return again(item.overwrite);
  if (target.kind === 'folder' && target.inode !== undefined && String(target.inode) === copiedInode)
    return { isDone: false, overwrites: true, copiedInode: target.inode };
  // A file that was copied to another file system and not yet removed is replaced by itself.
  if (isOurCopy && isSameFile(current, source)) return again(true);
  throw new AppError('interrupted');
}
