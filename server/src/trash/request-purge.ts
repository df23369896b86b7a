import type { PurgeRequest, PurgeResult } from '@filestead/contract/endpoints/trash';
import { maxTrashItems } from '@filestead/contract/values/limits';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEvents } from '../access/file-events.ts';
import type { Operation } from '../access/operation.ts';
import type { Clock } from '../clock.ts';
import type { ListedKept, TrashRepository } from '../database/trash-repository.ts';
import { AppError } from '../errors.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import { purgeTime, type PurgeWorker } from './purge.ts';
import type { TrashView, VisibleKept } from './trash-view.ts';

/** The parts of the server that {@link requestPurge} uses. */
export interface PurgeRequestParts {
  readonly repository: TrashRepository;
  readonly worker: PurgeWorker;
  /** Whether an entry is being restored. */
  readonly isRestoring: (id: string) => boolean;
  readonly events: FileEvents;
  readonly clock: Clock;
  /** Minimum time before the removal, for all users (milliseconds). */
  readonly purgeDelayMs: number;
}

/** Entries that are hidden by one transaction; about 5 ms. */
const hiddenTogether = 200;

/** Returns the named entries. Throws `not_found` unless the user sees all of them, and `forbidden` unless all may be purged. */
async function findByIds(view: TrashView, ids: readonly string[]): Promise<VisibleKept[]> {
  const unique = [...new Set(ids)];
  const items = await view.findAll(unique);
  if (items.length < unique.length) throw new AppError('not_found');
  if (!items.every((item) => view.canPurge(item))) {
    throw new AppError(
      'forbidden',
      'only administrators may delete entries forever that other users deleted',
    );
  }
  return items;
}

/** Returns the entries that a request selects and that the user may delete forever. */
async function findSelected(view: TrashView, request: PurgeRequest): Promise<VisibleKept<ListedKept>[]> {
  if ('ids' in request) return findByIds(view, request.ids);
  const filter = {
    below: 'below' in request && request.below !== undefined ? virtualPath(request.below) : undefined,
    before: 'olderThan' in request ? Date.parse(request.olderThan) : undefined,
    isOwn: !view.userContext.user.perm.admin,
  };
  const items: VisibleKept<ListedKept>[] = [];
  for await (const batch of view.list(filter)) items.push(...batch.filter((item) => view.canPurge(item)));
  return items;
}

/**
 * Deletes entries forever: hides them at once and removes them from the disk after the time for cancelling. Hooks run now,
 * for each entry. Throws `not_found`, `forbidden`, `hook_failed`.
 */
export async function requestPurge(
  { repository, worker, isRestoring, events, clock, purgeDelayMs }: PurgeRequestParts,
  view: TrashView,
  request: PurgeRequest,
  operation: Operation,
): Promise<PurgeResult> {
  const items = await findSelected(view, request);
  const { userContext } = view;
  const purgeAt = purgeTime(clock.now(), purgeDelayMs);
  const hidden: string[] = [];
  // Another request may have taken an entry meanwhile; it is left to that one.
  for (let first = 0; first < items.length; first += hiddenTogether) {
    const piece = items.slice(first, first + hiddenTogether);
    const changes = piece.map(
      ({ kept, path }) =>
        ({ event: 'purge', userContext, path, destination: null, operation, keptId: kept.id }) as const,
    );
    const ids = piece.map(({ kept }) => kept.id);
    hidden.push(
      ...(await events.runTogether(changes, () =>
        // An entry that is being restored is no longer in the trash.
        repository.hide(
          ids.filter((id) => !isRestoring(id)),
          purgeAt,
          userContext.user.id,
        ),
      )),
    );
    if (isYieldDue()) await yieldToEventLoop();
  }
  if ('ids' in request && hidden.length === 0) throw new AppError('not_found');
  if (hidden.length > 0) worker.schedule(purgeAt);
  return {
    count: hidden.length,
    ids: hidden.slice(0, maxTrashItems),
    undoUntil: new Date(purgeAt).toISOString(),
  };
}
