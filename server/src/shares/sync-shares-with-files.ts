import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { UserContexts } from '../access/user-contexts.ts';
import type { FileChange, FileChangeListener } from '../access/file-events.ts';
import type { ShareRepository, StoredShare, UserPlace } from '../database/database.ts';
import { isAppError } from '../errors.ts';

/** A path of the caller as seen from the served folder. */
const servedPlace = ({ userContext }: FileChange, path: VirtualPath): VirtualPath =>
  joinPaths(parsePath(userContext.user.scope).path, path);

/** A move as seen from the scope of somebody with links; `to` is null when it leads out of there. */
interface ScopedMove {
  readonly userId: number;
  readonly from: VirtualPath;
  readonly to: VirtualPath | null;
}

/** Where everybody with links has them to `deleted` and to what was in it. */
async function placesIn(shares: ShareRepository, deleted: VirtualPath): Promise<UserPlace[]> {
  const places: UserPlace[] = [];
  for (const { userId, scope } of await shares.owners()) {
    if (isAtOrBelow(deleted, scope)) places.push({ userId, path: relativeTo(deleted, scope) });
    else if (isAtOrBelow(scope, deleted)) places.push({ userId, path: rootPath });
  }
  return places;
}

/** What a move is for everybody with links. Whose scope itself was moved has them where they were in it. */
async function movesOf(shares: ShareRepository, from: VirtualPath, to: VirtualPath): Promise<ScopedMove[]> {
  const owners = await shares.owners();
  return owners
    .filter(({ scope }) => from !== scope && isAtOrBelow(from, scope))
    .map(({ userId, scope }) => ({
      userId,
      from: relativeTo(from, scope),
      to: to !== scope && isAtOrBelow(to, scope) ? relativeTo(to, scope) : null,
    }));
}

/** Lets links follow; those whose file has left the reach of their owner end. */
async function follow(shares: ShareRepository, moves: readonly ScopedMove[]): Promise<void> {
  await shares.moveUnder(
    moves.flatMap(({ userId, from, to }) => (to === null ? [] : [{ userId, from, to }])),
  );
  await shares.removeUnder(
    moves.filter(({ to }) => to === null).map(({ userId, from }) => ({ userId, path: from })),
  );
}

/** Whether a path of a user still leads to something; true when that cannot be told. */
async function isThere(userContexts: UserContexts, userId: number, path: VirtualPath): Promise<boolean> {
  const opened = await userContexts.ownerOf(userId);
  if (opened === null) return false;
  try {
    return (await (await opened.owner.storage()).stat(path)) !== null;
  } catch (error) {
    if (isAppError(error, 'not_found', 'not_a_folder')) return false;
    if (isAppError(error)) return true;
    throw error;
  } finally {
    opened.release();
  }
}

/** Looks at each link on its own after a change that was made in part only. */
async function settle(
  shares: ShareRepository,
  userContexts: UserContexts,
  change: FileChange,
): Promise<void> {
  const from = servedPlace(change, change.path);
  const moves =
    change.event === 'rename' && change.destination !== null
      ? await movesOf(shares, from, servedPlace(change, change.destination))
      : null;
  const targetOf = ({ userId, path }: StoredShare): VirtualPath | null => {
    const move = moves?.find((known) => known.userId === userId);
    if (move === undefined || move.to === null) return null;
    return joinPaths(move.to, relativeTo(path, move.from));
  };
  const places =
    moves?.map((move) => ({ userId: move.userId, path: move.from })) ?? (await placesIn(shares, from));
  for (const share of await shares.listUnder(places)) {
    const { userId, path, hash } = share;
    if (await isThere(userContexts, userId, path)) continue;
    const target = targetOf(share);
    if (target === null || !(await isThere(userContexts, userId, target))) await shares.remove(hash);
    else await shares.moveUnder([{ userId, from: path, to: target }]);
  }
}

/** What links have to do with changes of files: they follow moves and end with deletions, whoever makes them. */
export const syncSharesWithFiles = (
  shares: ShareRepository,
  userContexts: UserContexts,
): FileChangeListener => ({
  async after(change) {
    const place = servedPlace(change, change.path);
    if (change.event === 'delete') await shares.removeUnder(await placesIn(shares, place));
    if (change.event === 'rename' && change.destination !== null) {
      await follow(shares, await movesOf(shares, place, servedPlace(change, change.destination)));
    }
  },
  async aborted(change) {
    if (change.event === 'delete' || change.event === 'rename') await settle(shares, userContexts, change);
  },
});
