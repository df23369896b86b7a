import type { Share } from '@filestead/contract/shares';
import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { UserPlace } from '../database/database.ts';
import { isAppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { presentShare } from './present-share.ts';
import { type ShareDependencies, secondsOf } from './dependencies.ts';

/**
 * One's own links; everybody's, with names, for an administrator. JSON of an array of {@link Share}, in pieces. What has ended
 * is removed.
 */
export async function* listShares(
  { shares, now }: ShareDependencies,
  { user }: UserContext,
): AsyncGenerator<string> {
  const time = secondsOf(now());
  await shares.removeExpired(time);
  const { admin } = user.perm;
  yield '[';
  let separator = '';
  for await (const page of shares.list(time, admin ? undefined : user.id)) {
    const texts = page.map((share) =>
      JSON.stringify(presentShare(share, admin ? share.username : undefined)),
    );
    yield separator + texts.join(',');
    separator = ',';
  }
  yield ']';
}

/** The places of everybody with links that are the caller's `path`. */
async function placesOf(
  { shares }: ShareDependencies,
  { user }: UserContext,
  path: VirtualPath,
): Promise<UserPlace[]> {
  if (!user.perm.admin) return [{ userId: user.id, path }];
  const served = joinPaths(parsePath(user.scope).path, path);
  return (await shares.owners())
    .filter(({ scope }) => isAtOrBelow(served, scope))
    .map(({ userId, scope }) => ({ userId, path: relativeTo(served, scope) }));
}

/** The links of one file or folder. Throws `forbidden` when a rule keeps the caller from it. */
export async function listSharesOfPath(
  parts: ShareDependencies,
  userContext: UserContext,
  path: VirtualPath,
): Promise<Share[]> {
  try {
    await (await userContext.storage()).stat(path);
  } catch (error) {
    // A file that is gone or out of reach may still have links, which its owner wants to see.
    if (!isAppError(error) || error.code === 'forbidden') throw error;
  }
  const time = secondsOf(parts.now());
  await parts.shares.removeExpired(time);
  const found = await parts.shares.listAt(time, await placesOf(parts, userContext, path));
  return found.map((share) => presentShare(share, userContext.user.perm.admin ? share.username : undefined));
}
