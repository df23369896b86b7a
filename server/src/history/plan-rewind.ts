import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { OperationPosition, OperationRepository, StoredStep } from '../database/operation-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { OperationView } from './list-operations.ts';
import { stepsOf } from './undo-operation.ts';

/** Operations per query. */
const pageRows = 200;

/** A folder whose changes since a time are undone. */
export interface Rewind {
  /** In the scope of the user. */
  readonly below: VirtualPath;
  /** Unix milliseconds. */
  readonly since: number;
  /** Only the operations of this user; null for those of all. */
  readonly userId: number | null;
  readonly isRunning: (id: string) => boolean;
}

/**
 * Yields the steps below a folder that have to be undone, the latest first. A step and its undo cancel each other out when both
 * are within the time: a chain of steps that undo each other leaves a change only if their number is odd, and then its last step
 * is undone.
 */
export async function* stepsToRewind(
  repository: OperationRepository,
  { storage, scopeSince }: OperationView,
  { below, since, userId, isRunning }: Rewind,
): AsyncGenerator<StoredStep> {
  const from = Math.max(since, scopeSince);
  const isBelow = (place: VirtualPath | null): boolean => {
    const path = place === null ? null : storage.fromPlace(place);
    return path !== null && path !== below && storage.isShown(path, below);
  };
  for (let after: OperationPosition | undefined; ;) {
    const rows = await repository.list({
      since: from,
      after,
      limit: pageRows,
      ...(userId !== null && { userId }),
    });
    for (const operation of rows) {
      if (isRunning(operation.id)) continue;
      for await (const step of stepsOf(repository, operation.id)) {
        // Shares are not content of the folder.
        if (step.act === 'shared') continue;
        if (!isBelow(step.path) && !isBelow(step.from)) continue;
        if (step.undoes !== null && !(await repository.isOddSince(step.id, from))) continue;
        yield step;
      }
    }
    after = rows.at(-1);
    if (rows.length < pageRows) return;
    if (isYieldDue()) await yieldToEventLoop();
  }
}
