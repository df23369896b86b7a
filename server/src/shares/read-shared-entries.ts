import { nameOf } from '@filestead/contract/paths/virtual-path';
import type { Share } from '@filestead/contract/shares';
import type { UserContext } from '../access/user-context.ts';
import type { StoredShare } from '../database/stored-share.ts';
import { isAppError } from '../errors.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import { forEachConcurrently } from '../scheduling/for-each-concurrently.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';

/** The number of entries that are read at once. */
const parallelReads = 16;

/** The fields of a share that describe its entry. Empty where the user may not list the entry at the moment. */
export type SharedEntry = Pick<Share, 'size' | 'modified' | 'type' | 'gone'>;

async function readSharedEntry(
  storage: NarrowedStorage,
  { path, isFolder }: StoredShare,
  { typeOf, formatModified }: EntryViews,
): Promise<SharedEntry> {
  if (!storage.isShown(path)) return {};
  try {
    const entry = await storage.stat(path);
    if (entry === null || (entry.kind === 'folder') !== isFolder) return { gone: true };
    const modified = formatModified(Number(entry.modifiedNs / 1_000_000n));
    const type = typeOf(entry.kind, nameOf(path), entry.size);
    return isFolder ? { modified, type } : { size: entry.size, modified, type };
  } catch (error) {
    if (isAppError(error, 'not_found', 'not_a_folder')) return { gone: true };
    if (isAppError(error)) return {};
    throw error;
  }
}

/** Reads the entries of those `shares` that belong to the user, with the user's current permissions; in the order of `shares`. */
export async function readSharedEntries(
  userContext: UserContext,
  shares: readonly StoredShare[],
  views: EntryViews,
): Promise<SharedEntry[]> {
  const storage = await userContext.storage();
  const entries: SharedEntry[] = shares.map(() => ({}));
  await forEachConcurrently(shares, parallelReads, async (share, index) => {
    if (share.userId === userContext.user.id) entries[index] = await readSharedEntry(storage, share, views);
  });
  return entries;
}
