import { type RequestedPath, nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { User } from '@filestead/contract/users';
import type { UserContexts } from '../access/user-contexts.ts';
import type { StoredShare } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { forVisitors } from '../storage/views/for-visitors.ts';
import { singleFile } from '../storage/views/single-file.ts';
import type { Storage } from '../storage/storage.ts';

/** What a link shows at this moment. */
export interface SharedStorage {
  /** Holds what was shared and nothing else. */
  readonly storage: Storage;
  /** The owner as stored now. */
  readonly owner: User;
  /** The name of the shared file or folder. */
  readonly name: string;
  /** Where the path of a request leads: always to the file when a single file was shared (docs/reference/filebrowser-api.md §1.12). */
  placeOf(requested: RequestedPath): RequestedPath;
}

/** Throws `forbidden` for what lies in a hidden folder: visitors, who see none, get no byte out of one either. */
function refuseHidden(place: VirtualPath): void {
  if (place.includes('/.')) throw new AppError('forbidden');
}

async function openStorage(
  storage: Storage,
  { path, isFolder }: StoredShare,
  { hideDotfiles }: User,
): Promise<Storage> {
  const entry = await storage.stat(path);
  if (entry === null || (entry.kind === 'folder') !== isFolder) throw new AppError('not_found');
  if (!isFolder) return forVisitors(singleFile(storage, path));
  const shared = forVisitors(await storage.within(path));
  return hideDotfiles ? shared.guarded(refuseHidden) : shared;
}

/**
 * Does `work` with what a link shows, through its owner's eyes as of now: scope, rules, hidden names and permissions.
 * Throws `not_found` when the owner is gone or there is nothing of the kind that was shared, and `forbidden` when the owner
 * may not share or download it any more.
 */
export async function withSharedStorage<Answer>(
  userContexts: UserContexts,
  share: StoredShare,
  work: (shared: SharedStorage) => Promise<Answer>,
): Promise<Answer> {
  const opened = await userContexts.ownerOf(share.userId);
  if (opened === null) throw new AppError('not_found');
  const { owner, release } = opened;
  try {
    const { perm } = owner.user;
    if (!perm.share || !perm.download) throw new AppError('forbidden');
    const storage = await openStorage(await owner.storage(), share, owner.user);
    const name = nameOf(share.path);
    const file: RequestedPath = { path: `/${name}` as VirtualPath, isFolderPath: false };
    try {
      return await work({
        storage,
        owner: owner.user,
        name,
        placeOf: (requested) => (share.isFolder ? requested : file),
      });
    } finally {
      // The storage of a single file is the owner's own, which is given back below.
      if (share.isFolder) await storage.close();
    }
  } finally {
    release();
  }
}
