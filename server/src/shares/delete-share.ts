import type { StoredShare } from '../database/stored-share.ts';
import type { UserContext } from '../access/user-context.ts';
import type { ShareDependencies } from './dependencies.ts';
import { ownedShare } from './owned-share.ts';

/**
 * Deletes a share and returns it. Administrators may delete the shares of other users. Throws `not_found`, and
 * `forbidden` for the share of another user.
 */
export async function deleteShare(
  dependencies: Pick<ShareDependencies, 'shares' | 'now'>,
  userContext: UserContext,
  hash: string,
  options: { withExpired: boolean },
): Promise<StoredShare> {
  const share = await ownedShare(dependencies, userContext, hash, options);
  await dependencies.shares.remove(hash);
  return share;
}
