import type { Share } from '@filestead/contract/shares';
import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { UserPath } from '../database/database.ts';
import { isAppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import { presentShare } from './present-share.ts';
import { readSharedEntries } from './read-shared-entries.ts';
import { type ShareDependencies, lastRemovedExpiry, secondsOf } from './dependencies.ts';

/** Which shares {@link listShares} returns, and with what. */
interface ListOptions {
  /** Whether administrators get only their own shares. */
  readonly isOwn: boolean;
  /** Whether the list includes expired shares that are kept. */
  readonly withExpired: boolean;
  /** Present the shared entries of the user; null to leave these out. */
  readonly views: EntryViews | null;
}

/**
 * Serializes the user's shares, and for administrators those of all users with usernames, as a JSON array of {@link
 * Share}, in chunks.
 */
export async function* listShares(
  { shares, visits, now }: ShareDependencies,
  userContext: UserContext,
  { isOwn, withExpired, views }: ListOptions,
): AsyncGenerator<string> {
  const { user } = userContext;
  const time = withExpired ? lastRemovedExpiry(now()) : secondsOf(now());
  await visits.flush();
  const { admin } = user.perm;
  yield '[';
  let separator = '';
  for await (const page of shares.list(time, admin && !isOwn ? undefined : user.id)) {
    const entries = views === null ? [] : await readSharedEntries(userContext, page, views);
    const texts = page.map((share, index) =>
      JSON.stringify(Object.assign(presentShare(share, admin ? share.username : undefined), entries[index])),
    );
    yield separator + texts.join(',');
    separator = ',';
  }
  yield ']';
}

/** Returns the paths of the entry at `path` in the scopes of all users with shares. */
async function pathsOf(
  { shares }: ShareDependencies,
  { user }: UserContext,
  path: VirtualPath,
): Promise<UserPath[]> {
  if (!user.perm.admin) return [{ userId: user.id, path }];
  const servedPath = joinPaths(parsePath(user.scope).path, path);
  return (await shares.owners())
    .filter(({ scope }) => isAtOrBelow(servedPath, scope))
    .map(({ userId, scope }) => ({ userId, path: relativeTo(servedPath, scope) }));
}

/** Returns the shares of one file or folder. Throws `forbidden` when a rule denies it to the user. */
export async function listSharesOfPath(
  parts: ShareDependencies,
  userContext: UserContext,
  path: VirtualPath,
): Promise<Share[]> {
  try {
    await (await userContext.storage()).stat(path);
  } catch (error) {
    // Shares of a deleted or unreachable file may still exist, and their owner has to see them.
    if (!isAppError(error) || error.code === 'forbidden') throw error;
  }
  const time = secondsOf(parts.now());
  await parts.visits.flush();
  const found = await parts.shares.listAt(time, await pathsOf(parts, userContext, path));
  return found.map((share) => presentShare(share, userContext.user.perm.admin ? share.username : undefined));
}
