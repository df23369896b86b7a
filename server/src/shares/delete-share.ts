import type { StoredShare } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { isHash } from './new-hash.ts';
import { type ShareDependencies, secondsOf } from './dependencies.ts';

/**
 * Deletes a share and returns it. Administrators may delete the shares of other users. Throws `not_found`, and
 * `forbidden` for the share of another user.
 */
export async function deleteShare(
  { shares, now }: Pick<ShareDependencies, 'shares' | 'now'>,
  { user }: UserContext,
  hash: string,
): Promise<StoredShare> {
  const share = isHash(hash) ? await shares.find(hash, secondsOf(now())) : null;
  if (share === null) throw new AppError('not_found');
  if (share.userId !== user.id && !user.perm.admin) throw new AppError('forbidden');
  await shares.remove(hash);
  return share;
}
