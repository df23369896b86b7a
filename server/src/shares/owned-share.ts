import type { UserContext } from '../access/user-context.ts';
import type { StoredShare } from '../database/stored-share.ts';
import { AppError } from '../errors.ts';
import { type ShareDependencies, lastRemovedExpiry, secondsOf } from './dependencies.ts';
import { isHash } from './new-hash.ts';

/**
 * Returns a share that the user may change: one of their own, or any for administrators. Throws `not_found`, and `forbidden` for
 * the share of another user. An expired share is found only with `withExpired`.
 */
export async function ownedShare(
  { shares, now }: Pick<ShareDependencies, 'shares' | 'now'>,
  { user }: UserContext,
  hash: string,
  { withExpired }: { withExpired: boolean },
): Promise<StoredShare> {
  const time = withExpired ? lastRemovedExpiry(now()) : secondsOf(now());
  const share = isHash(hash) ? await shares.find(hash, time) : null;
  if (share === null) throw new AppError('not_found');
  if (share.userId !== user.id && !user.perm.admin) throw new AppError('forbidden');
  return share;
}
