import type { trashConflicts } from '@filestead/contract/endpoints/trash';
import {
  childOf,
  nameOf,
  parentOf,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileEvents } from '../access/file-events.ts';
import { numberedPaths } from '../access/numbered-paths.ts';
import type { Operation } from '../access/operation.ts';
import { restoreEntry } from '../access/keeping/restore-entry.ts';
import type { TrashRepository } from '../database/trash-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import type { TrashIndex } from './trash-index.ts';
import type { TrashView, VisibleKept } from './trash-view.ts';

/** The destination of restored entries. */
export interface RestoreTarget {
  /** The folder in the user's scope; null for the current place of the entry. */
  readonly to: VirtualPath | null;
  readonly conflict: (typeof trashConflicts)[number];
  /** Whether the shares of the entry work again; otherwise they are removed. */
  readonly resumesLinks: boolean;
  readonly signal: AbortSignal;
}

/** The outcome of a restoration. */
export interface RestoredItem {
  readonly path: VirtualPath;
  /** The hashes of the user's shares that work again. */
  readonly shares: readonly string[];
}

/** The parts of the server that {@link restoreItem} uses. */
export interface RestoreParts {
  readonly repository: TrashRepository;
  readonly index: TrashIndex;
  readonly events: FileEvents;
  /**
   * Whether the folder at a path of the served root was created by a restoration, because it was missing above the restored
   * entry.
   */
  readonly wasCreatedByRestoration: (place: VirtualPath) => Promise<boolean>;
  readonly log: FastifyBaseLogger;
}

/** Orders entries so that a folder precedes what was deleted in it, and older deletions precede later ones. */
export const inRestoreOrder = (items: readonly VisibleKept[]): VisibleKept[] =>
  items.toSorted(
    (a, b) => segmentsOf(a.path).length - segmentsOf(b.path).length || a.kept.keptAt - b.kept.keptAt,
  );

/**
 * Restores a deleted entry. A folder is merged with the one that was created for an entry that was deleted from it and
 * restored earlier. Throws `not_found`, `forbidden`, `already_exists` (with the conflict `skip`, or when a file and a folder
 * would replace each other), `not_a_folder` when a file is in the place of a parent.
 */
export const restoreItem = (
  parts: RestoreParts,
  view: TrashView,
  operation: Operation,
  id: string,
  target: RestoreTarget,
): Promise<RestoredItem> =>
  parts.index.whileRestoring(id, () => restoreUnderFreeName(parts, view, operation, id, target));

async function restoreUnderFreeName(
  parts: RestoreParts,
  view: TrashView,
  operation: Operation,
  id: string,
  target: RestoreTarget,
): Promise<RestoredItem> {
  // Read again for each entry: restoring a folder moves the places of the entries below it.
  const item = await view.find(id);
  if (item === null) throw new AppError('not_found');
  const wanted = childOf(target.to ?? parentOf(item.path), nameOf(item.path));
  for (const path of numberedPaths(wanted)) {
    try {
      const mergesHere = path === wanted && (await mergesInto(parts, view, item, { path, target }));
      const conflict = mergesHere ? 'replace' : target.conflict;
      const to = { item, to: path, target: { ...target, conflict } };
      const shares = await restoreTo(parts, view, operation, to);
      parts.log.info({ item: id, operation: operation.id }, 'a deleted entry was restored');
      return { path, shares };
    } catch (error) {
      if (isAppError(error, 'not_found')) await dropIfMissing(parts, item);
      const triesNext = target.conflict === 'rename' && isAppError(error, 'already_exists');
      if (!triesNext) throw error;
    }
  }
  throw new AppError('already_exists');
}

/** Whether a folder that returns to its place is merged with the one that is there now, although a merge was not requested. */
async function mergesInto(
  { wasCreatedByRestoration }: RestoreParts,
  { storage, userContext }: TrashView,
  { kept }: VisibleKept,
  { path, target }: { readonly path: VirtualPath; readonly target: RestoreTarget },
): Promise<boolean> {
  if (kept.kind !== 'folder' || target.to !== null || target.conflict === 'replace') return false;
  // A merge may replace files.
  return userContext.user.perm.modify && wasCreatedByRestoration(storage.toPlace(path));
}

async function restoreTo(
  { events, index }: RestoreParts,
  view: TrashView,
  operation: Operation,
  { item, to, target }: { item: VisibleKept; to: VirtualPath; target: RestoreTarget },
): Promise<string[]> {
  const { userContext, storage } = view;
  const { user } = userContext;
  const { kept, path } = item;
  const { conflict, resumesLinks, signal } = target;
  await restoreEntry(events, storage, operation, {
    kept,
    path,
    to,
    conflict: conflict === 'replace' ? 'replace' : 'fail',
    createParents: true,
    signal,
  });
  // Shares are resumed for their owner, and all of them when users undo their own deletion.
  const isUndo = kept.userId === user.id;
  const resumed = await index.restored(
    kept,
    storage.toPlace(to),
    ({ userId }) => resumesLinks && (isUndo || userId === user.id),
  );
  return resumed.filter(({ userId }) => userId === user.id).map(({ hash }) => hash);
}

/** Removes an entry from the index if it is no longer in its store, which is in place. */
export async function dropIfMissing(
  { repository, index, log }: Pick<RestoreParts, 'repository' | 'index' | 'log'>,
  { kept }: VisibleKept,
): Promise<void> {
  if (!(await index.isMissing(kept)) || (await repository.find(kept.id)) === null) return;
  log.warn({ item: kept.id }, 'a deleted entry is no longer in its store; it is removed from the trash');
  await repository.remove([kept.id]);
}
