import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileChange, FileChangeListener, Notified } from '../access/file-events.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { EndedPath, ShareRepository } from '../database/database.ts';
import type { StoredShare } from '../database/stored-share.ts';
import { isAppError } from '../errors.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';

/** Returns the path of a change relative to the served folder. */
const servedPath = ({ userContext }: FileChange, path: VirtualPath): VirtualPath =>
  joinPaths(parsePath(userContext.user.scope).path, path);

/** A move relative to the scope of a user with shares; `to` is null when it leaves the scope. */
interface ScopedMove {
  readonly userId: number;
  readonly from: VirtualPath;
  readonly to: VirtualPath | null;
}

/** A deleted place of the served folder, with the id of the entry that was kept; null if nothing was kept. */
interface Deletion {
  readonly place: VirtualPath;
  readonly keptId: string | null;
  /** Shares that were created after this time (Unix milliseconds) are not affected; all are by default. */
  readonly deletedAt?: number;
}

/** Returns the deletions in the scopes of all users with shares; for a deleted scope, that of its root. */
async function scopedDeletions(
  shares: ShareRepository,
  deletions: readonly Deletion[],
): Promise<EndedPath[]> {
  const scoped: EndedPath[] = [];
  for (const { userId, scope } of await shares.owners()) {
    for (const { place, keptId, deletedAt } of deletions) {
      if (isAtOrBelow(place, scope))
        scoped.push({ userId, path: relativeTo(place, scope), keptId, deletedAt });
      else if (isAtOrBelow(scope, place)) scoped.push({ userId, path: rootPath, keptId, deletedAt });
    }
  }
  return scoped;
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
  await shares.endUnder(
    moves.filter(({ to }) => to === null).map(({ userId, from }) => ({ userId, path: from, keptId: null })),
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
    moves?.map((move) => ({ userId: move.userId, path: move.from })) ??
    (await scopedDeletions(shares, [{ place: from, keptId: null }]));
  for (const share of await shares.listUnder(paths)) {
    const { userId, path, hash } = share;
    if (await exists(userContexts, userId, path)) continue;
    const target = targetOf(share);
    if (target === null || !(await exists(userContexts, userId, target))) await shares.remove(hash);
    else await shares.moveUnder([{ userId, from: path, to: target }]);
  }
}

/** The maximum number of deletions that wait to be applied, and the maximum time for which they wait (milliseconds). */
const maxPending = 500;
const pendingMs = 50;

/** Keeps shares in sync with changes of files. */
export interface ShareSync {
  readonly listener: FileChangeListener;
  /** Applies the deletions of the current job to the shares. They wait again for the next call if this fails. */
  flush(): Promise<void>;
  /** Suspends the shares of entries whose deletion was not applied before the server was killed. */
  endDeleted(entries: readonly KeptEntry[]): Promise<void>;
  /** Ends the shares of entries that were being removed forever when the server was killed; those that still exist are shared again. */
  completeRemovals(): Promise<void>;
}

/** Removes the shares that wait for a removal if their entry no longer exists, and resumes the others. */
async function settleRemovals(
  shares: ShareRepository,
  userContexts: UserContexts,
  concerns: (hash: string) => boolean,
): Promise<void> {
  for (const { userId, path, hash } of await shares.announcedRemovals()) {
    if (!concerns(hash)) continue;
    if (await exists(userContexts, userId, path)) await shares.resume(hash, path);
    else await shares.remove(hash);
  }
}

/**
 * Keeps shares in sync with changes of files by any user: they follow moves, are suspended while their entry is in the
 * trash, and end when it is deleted forever. The deletions of a job are applied together, because a query for each would take as
 * long as the deletion; until then a visitor does not find the file. They are applied before any change that could create another
 * entry in the place of a deleted one. A server that is killed before that applies them at the next start: deletions are in the
 * ledger of their store, and removals forever are announced in the shares.
 */
export function openShareSync(
  shares: ShareRepository,
  userContexts: UserContexts,
  log: Pick<FastifyBaseLogger, 'error'>,
): ShareSync {
  let pending: Deletion[] = [];
  let timer: NodeJS.Timeout | null = null;
  let applying: Promise<void> = Promise.resolve();

  const apply = async (): Promise<void> => {
    const deletions = pending;
    if (deletions.length === 0) return;
    pending = [];
    try {
      await shares.endUnder(await scopedDeletions(shares, deletions));
    } catch (error) {
      pending = [...deletions, ...pending];
      throw error;
    }
  };
  /** The number of calls of `flush` that have not ended. */
  let applyingCount = 0;
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    applyingCount++;
    // Another call may be applying earlier deletions.
    applying = applying
      .catch(() => undefined)
      .then(apply)
      .finally(() => applyingCount--);
    return applying;
  };
  const flushPending = (): Notified => (pending.length === 0 && applyingCount === 0 ? undefined : flush());
  const flushLater = (): void => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) =>
        log.error({ err: error }, 'shares of deleted files could not be ended'),
      );
    }, pendingMs).unref();
  };
  /** The shares of entries that are being removed forever, by path. */
  const announced = new Map<VirtualPath, readonly string[]>();
  const announce = async (place: VirtualPath): Promise<void> => {
    const removals = await scopedDeletions(shares, [{ place, keptId: null }]);
    const hashes = removals.length === 0 ? [] : await shares.announceRemoval(removals);
    if (hashes.length > 0) announced.set(place, hashes);
  };
  const takeAnnounced = (place: VirtualPath): readonly string[] => {
    const hashes = announced.get(place) ?? [];
    announced.delete(place);
    return hashes;
  };
  /** Applies a deletion or a move. */
  const followChange = async (change: FileChange): Promise<void> => {
    const path = servedPath(change, change.path);
    if (change.event === 'delete' && change.isPermanent === true) {
      for (const hash of takeAnnounced(path)) await shares.remove(hash);
    } else if (change.event === 'delete') {
      const [kept] = change.kept ?? [];
      pending.push({ place: path, keptId: kept?.id ?? null });
      if (change.isOneOfMany !== true || pending.length >= maxPending) await flush();
      else flushLater();
    }
    if (change.event === 'rename' && change.destination !== null) {
      await follow(shares, await movesOf(shares, path, servedPath(change, change.destination)));
    }
  };
  /** Examines the shares of a deletion or a move that may be partially applied. */
  const settleAborted = async (change: FileChange): Promise<void> => {
    await flush();
    const hashes = takeAnnounced(servedPath(change, change.path));
    if (hashes.length > 0) await settleRemovals(shares, userContexts, (hash) => hashes.includes(hash));
    await settle(shares, userContexts, change);
  };
  return {
    flush,
    async endDeleted(entries) {
      const deletions = entries.map(({ id, place, keptAt }) => ({ place, keptId: id, deletedAt: keptAt }));
      await shares.endUnder(await scopedDeletions(shares, deletions));
    },
    async completeRemovals() {
      await settleRemovals(shares, userContexts, () => true);
    },
    listener: {
      before(change) {
        if (change.event !== 'delete') return flushPending();
        return change.isPermanent === true ? announce(servedPath(change, change.path)) : undefined;
      },
      after: (change) =>
        change.event === 'delete' || change.event === 'rename' ? followChange(change) : undefined,
      aborted: (change) =>
        change.event === 'delete' || change.event === 'rename' ? settleAborted(change) : undefined,
    },
  };
}
