import type { Share } from '@filestead/contract/shares';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import { hashPassword } from '../access/sign-in/passwords.ts';
import type { StoredShare } from '../database/stored-share.ts';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Storage } from '../storage/storage.ts';
import { newHash } from './new-hash.ts';
import { presentShare } from './present-share.ts';
import { type ShareDuration, endOfShare } from './share-duration.ts';
import type { ShareDependencies } from './dependencies.ts';

/** Throws when a visitor could not open the entry to be shared. Returns whether it is a folder. */
async function checkShareable(storage: Storage, { path }: RequestedPath): Promise<boolean> {
  const entry = await storage.stat(path);
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'folder') return true;
  // Throws the specific error when it cannot be opened.
  await (await storage.openFile(path)).close();
  return false;
}

/**
 * Creates a share of a file or folder. Surrounding blanks of the password are removed; an empty password is none.
 * Throws `bad_request`, `not_found`, `forbidden`, `external_link`, `special_file`, `too_many_shares`.
 */
export async function createShare(
  { shares, maxPerUser, now }: Pick<ShareDependencies, 'shares' | 'maxPerUser' | 'now'>,
  userContext: UserContext,
  request: ShareDuration & { requested: RequestedPath; password: string },
): Promise<Share> {
  const createdAt = now();
  const expiresAt = endOfShare(request, createdAt);
  const storage = await userContext.storage();
  const isFolder = await checkShareable(storage, request.requested);
  const password = request.password.trim();
  const share: StoredShare = {
    hash: newHash(),
    userId: userContext.user.id,
    path: request.requested.path,
    isFolder,
    expiresAt,
    passwordHash: password === '' ? null : await hashPassword(password),
    createdAt,
    visits: 0,
  };
  const { scope } = userContext.user;
  const outcome = await shares.create(share, { maxPerUser, scope });
  // The owner's scope has changed, so the path may name another entry.
  if (outcome === 'other_scope') throw new AppError('not_found');
  if (outcome === 'too_many') {
    throw new AppError('too_many_shares', `the limit is ${maxPerUser} links per user; delete some of yours`);
  }
  // A deletion or move before the share was stored has not ended it, so it is checked again.
  const entry = await storage.stat(share.path).catch(() => null);
  if (entry === null || (entry.kind === 'folder') !== isFolder) {
    await shares.remove(share.hash);
    throw new AppError('not_found');
  }
  return presentShare(share, userContext.user.perm.admin ? userContext.user.username : undefined);
}
