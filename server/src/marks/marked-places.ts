import { childOf, rootPath, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { EntryIdentity, MarkedPlace } from '../database/mark-repository.ts';
import { isAppError } from '../errors.ts';
import type { Entry, Storage } from '../storage/storage.ts';

/**
 * Returns the identity of an entry, which does not depend on its name; null where the file system has no creation times, and for
 * links, whose metadata is that of their target.
 */
export function identityOf({ device, inode, createdNs, isSymlink }: Entry): EntryIdentity | null {
  if (isSymlink || device === undefined || inode === undefined || createdNs === undefined) return null;
  return { device: String(device), inode: String(inode), bornNs: String(createdNs) };
}

/** Whether two identities are those of one entry. */
export const isSameEntry = (one: EntryIdentity, other: EntryIdentity): boolean =>
  one.device === other.device && one.inode === other.inode && one.bornNs === other.bornNs;

/** Returns the entry at a path, or null if there is none or it cannot be reached. */
export async function entryAt(storage: Pick<Storage, 'stat'>, path: VirtualPath): Promise<Entry | null> {
  try {
    return await storage.stat(path);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** A view of a storage that reads each entry once, for many paths that have folders in common. */
export function readingOnce(storage: Pick<Storage, 'stat'>): Pick<Storage, 'stat'> {
  const entries = new Map<VirtualPath, Promise<Entry | null>>();
  return {
    stat(path) {
      const entry = entries.get(path) ?? storage.stat(path);
      entries.set(path, entry);
      return entry;
    },
  };
}

/**
 * Returns the folders above `path` of the served root and the entry at it, with their identities, so that the entry is found again
 * when another program renames one of them; null if there is no entry.
 */
export async function placesTo(
  storage: Pick<Storage, 'stat'>,
  path: VirtualPath,
): Promise<MarkedPlace[] | null> {
  const places: MarkedPlace[] = [];
  let at = rootPath;
  for (const name of segmentsOf(path)) {
    at = childOf(at, name);
    const entry = await entryAt(storage, at);
    if (entry === null) return null;
    places.push({ path: at, isFolder: entry.kind === 'folder', identity: identityOf(entry) });
  }
  return places.length === 0 ? null : places;
}
