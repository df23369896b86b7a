import type { Share, ShareUpdate } from '@filestead/contract/shares';
import { hashPassword } from '../access/sign-in/passwords.ts';
import type { UserContext } from '../access/user-context.ts';
import type { ShareOptions } from '../database/database.ts';
import type { StoredShare } from '../database/stored-share.ts';
import { AppError } from '../errors.ts';
import type { ShareDependencies } from './dependencies.ts';
import { ownedShare } from './owned-share.ts';
import { presentShare } from './present-share.ts';
import { endOfShare } from './share-duration.ts';

/**
 * Changes the expiry, the password, or both of a share, which may have expired; see {@link ShareUpdate}. Throws
 * `bad_request`, `not_found`, and `forbidden` for the share of another user.
 */
export async function updateShare(
  dependencies: Pick<ShareDependencies, 'shares' | 'now'>,
  userContext: UserContext,
  hash: string,
  { expires, unit, password }: ShareUpdate,
): Promise<{ share: Share; before: StoredShare; after: StoredShare; changed: string[] }> {
  const { shares, now } = dependencies;
  const hasExpiry = expires !== undefined && expires !== null;
  if (typeof unit === 'string' && !hasExpiry) {
    throw new AppError('bad_request', 'unit: requires expires');
  }
  const share = await ownedShare(dependencies, userContext, hash, { withExpired: true });
  const options: Partial<ShareOptions> = {
    ...(hasExpiry && { expiresAt: endOfShare({ expires, unit: unit ?? undefined }, now()) }),
    ...(typeof password === 'string' && { passwordHash: await storedPassword(password) }),
  };
  if (Object.keys(options).length > 0) await shares.update(hash, options);
  const { user } = userContext;
  const updated = { ...share, ...options };
  return {
    // The response names the owner only if it is the user; the names of other owners are in lists.
    share: presentShare(updated, user.perm.admin && share.userId === user.id ? user.username : undefined),
    before: share,
    after: updated,
    changed: [
      ...(options.expiresAt === undefined ? [] : [`expire=${options.expiresAt}`]),
      ...(options.passwordHash === undefined ? [] : ['password']),
    ],
  };
}

/** Trims and hashes a password; null if it is blank. */
async function storedPassword(password: string): Promise<string | null> {
  const trimmed = password.trim();
  return trimmed === '' ? null : hashPassword(trimmed);
}
