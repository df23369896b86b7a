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
import type { ShareRepository, StoredShare, UserPath } from '../database/database.ts';
import { isAppError } from '../errors.ts';

/** Returns the path of a change relative to the served folder. */
const servedPath = ({ userContext }: FileChange, path: VirtualPath): VirtualPath =>
  joinPaths(parsePath(userContext.user.scope).path, path);

/** A move relative to the scope of a user with shares; `to` is null when it leaves the scope. */
interface ScopedMove {
  readonly userId: number;
  readonly from: VirtualPath;
  readonly to: VirtualPath | null;
}

/** Returns the paths of `deleted`, or of the scope's root inside it, for all users with shares. */
async function pathsIn(shares: ShareRepository, deleted: VirtualPath): Promise<UserPath[]> {
  const paths: UserPath[] = [];
  for (const { userId, scope } of await shares.owners()) {
    if (isAtOrBelow(deleted, scope)) paths.push({ userId, path: relativeTo(deleted, scope) });
    else if (isAtOrBelow(scope, deleted)) paths.push({ userId, path: rootPath });
  }
  return paths;
}

/**
 * Returns a move relative to the scopes of all users with shares. If a scope itself was moved, paths in it do not
 * change.
 */
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

/** Updates the paths of shares; those whose file has left the scope of its owner end. */
async function follow(shares: ShareRepository, moves: readonly ScopedMove[]): Promise<void> {
  await shares.moveUnder(
    moves.flatMap(({ userId, from, to }) => (to === null ? [] : [{ userId, from, to }])),
  );
  await shares.removeUnder(
    moves.filter(({ to }) => to === null).map(({ userId, from }) => ({ userId, path: from })),
  );
}

/** Whether a user's path still exists; true when that cannot be determined. */
async function exists(userContexts: UserContexts, userId: number, path: VirtualPath): Promise<boolean> {
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

/** Checks each affected share after a change that was only partly applied. */
async function settle(
  shares: ShareRepository,
  userContexts: UserContexts,
  change: FileChange,
): Promise<void> {
  const from = servedPath(change, change.path);
  const moves =
    change.event === 'rename' && change.destination !== null
      ? await movesOf(shares, from, servedPath(change, change.destination))
      : null;
  const targetOf = ({ userId, path }: StoredShare): VirtualPath | null => {
    const move = moves?.find((known) => known.userId === userId);
    if (move === undefined || move.to === null) return null;
    return joinPaths(move.to, relativeTo(path, move.from));
  };
  const paths =
    moves?.map((move) => ({ userId: move.userId, path: move.from })) ?? (await pathsIn(shares, from));
  for (const share of await shares.listUnder(paths)) {
    const { userId, path, hash } = share;
    if (await exists(userContexts, userId, path)) continue;
    const target = targetOf(share);
    if (target === null || !(await exists(userContexts, userId, target))) await shares.remove(hash);
    else await shares.moveUnder([{ userId, from: path, to: target }]);
  }
}

/**
 * Keeps shares in sync with changes of files by any user: they follow moves, are suspended while their entry is in the
 * trash, and end when it is deleted forever.
 */
export const syncSharesWithFiles = (
  shares: ShareRepository,
  userContexts: UserContexts,
): FileChangeListener => ({
  async after(change) {
    const path = servedPath(change, change.path);
    if (change.event === 'delete') {
      const [kept] = change.kept ?? [];
      const paths = await pathsIn(shares, path);
      await (kept === undefined ? shares.removeUnder(paths) : shares.suspendUnder(paths, kept.id));
    }
    if (change.event === 'rename' && change.destination !== null) {
      await follow(shares, await movesOf(shares, path, servedPath(change, change.destination)));
    }
  },
  async aborted(change) {
    if (change.event === 'delete' || change.event === 'rename') await settle(shares, userContexts, change);
  },
});
