import { type RequestedPath, nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { User } from '@filestead/contract/users';
import type { UserContexts } from '../access/user-contexts.ts';
import type { StoredShare } from '../database/stored-share.ts';
import { AppError } from '../errors.ts';
import { forVisitors } from '../storage/views/for-visitors.ts';
import { singleFile } from '../storage/views/single-file.ts';
import type { Storage } from '../storage/storage.ts';

/** The current content of a share. */
export interface SharedStorage {
  /** Contains only the shared file or folder. */
  readonly storage: Storage;
  /** The owner as currently stored. */
  readonly owner: User;
  /** The name of the shared file or folder. */
  readonly name: string;
  /**
   * Resolves the path of a request. If a single file is shared, every path resolves to it
   * (docs/reference/filebrowser-api.md §1.12).
   */
  placeOf(requested: RequestedPath): RequestedPath;
}

/**
 * Throws `forbidden` for entries in a hidden folder. Visitors do not see hidden entries and cannot read below them,
 * either.
 */
function assertNotHidden(path: VirtualPath): void {
  if (path.includes('/.')) throw new AppError('forbidden');
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
  return hideDotfiles ? shared.guarded(assertNotHidden) : shared;
}

/**
 * Calls `work` with the content of a share under the current scope, rules, hidden names and permissions of its owner.
 * Throws `not_found` when the owner was deleted or the entry no longer exists as the same kind, and `forbidden` when
 * the owner may no longer share or download it.
 */
export async function withSharedStorage<Result>(
  userContexts: UserContexts,
  share: StoredShare,
  work: (shared: SharedStorage) => Promise<Result>,
): Promise<Result> {
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
      // The storage of a single file is that of its owner, which is released below.
      if (share.isFolder) await storage.close();
    }
  } finally {
    release();
  }
}
