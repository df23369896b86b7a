import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { OperationPosition, OperationRepository, StoredStep } from '../database/operation-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { OperationView } from './list-operations.ts';
import { shownPath, stepsOf } from './undo-operation.ts';

/** Operations per query. */
const pageRows = 200;

/** A folder that is taken back to a time. */
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
 * Yields the steps below a folder that have to be undone, the latest first. An undo and what it has undone cancel each other out
 * when both are in the time: of a chain of undone steps only an odd number leaves a change, and it is the last step that is undone.
 */
export async function* stepsToRewind(
  repository: OperationRepository,
  { storage, scopeSince }: OperationView,
  { below, since, userId, isRunning }: Rewind,
): AsyncGenerator<StoredStep> {
  const from = Math.max(since, scopeSince);
  const isBelow = (place: VirtualPath | null): boolean => {
    const path = place === null ? null : shownPath(storage, { path: place });
    return path !== null && path !== below && isAtOrBelow(path, below);
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
