import { maxReportedEntries, type UndoReport } from '@filestead/contract/endpoints/operations';
import type { ErrorCode } from '@filestead/contract/errors';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { Operation } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import {
  isCounted,
  type ListedOperation,
  type OperationRepository,
  type StoredStep,
} from '../database/operation-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import { isYieldDue, yieldToEventLoop } from '../scheduling/event-loop.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import { allowedPath, type ExamineStep, examineStep, UndonePlaces } from './examine-step.ts';
import { type UndoParts, undoStep } from './undo-step.ts';

/** Steps per query. */
const pageSteps = 500;

/** One item of a job that undoes steps. */
export interface UndoItem {
  /** The position in the job. */
  readonly index: number;
  readonly from: RequestedPath;
  readonly to: null;
  readonly overwrite: false;
  readonly picksFreeName: false;
  /** The id of the step. */
  readonly step: number;
}

/** Yields the steps of an operation that are not undone, the latest first. */
export async function* stepsOf(
  repository: OperationRepository,
  operation: string,
): AsyncGenerator<StoredStep> {
  for (let before: number | undefined; ;) {
    const page = await repository.steps(operation, { before, limit: pageSteps });
    for (const step of page) if (!step.isUndone) yield step;
    before = page.at(-1)?.id;
    if (page.length < pageSteps) return;
    if (isYieldDue()) await yieldToEventLoop();
  }
}

/** Counts the steps that can be undone, without undoing them. */
export class UndoCheck {
  readonly #parts: ExamineStep;
  readonly #userContext: UserContext;
  readonly #storage: NarrowedStorage;
  /** The places of the steps that can be undone so far. */
  readonly #undone = new UndonePlaces();
  total = 0;
  undone = 0;
  readonly failures: { path: string; code: ErrorCode }[] = [];

  constructor(parts: ExamineStep, userContext: UserContext, storage: NarrowedStorage) {
    this.#parts = parts;
    this.#userContext = userContext;
    this.#storage = storage;
  }

  /** Examines the next step; later steps have to come first. Folders that accompany entries are not counted. */
  async add(step: StoredStep): Promise<void> {
    const user = { userContext: this.#userContext, storage: this.#storage };
    const code = await examineStep(this.#parts, user, step, this.#undone);
    if (code === null) this.#undone.add(step);
    if (isYieldDue()) await yieldToEventLoop();
    if (!isCounted(step)) return;
    this.total += 1;
    if (code === null) this.undone += 1;
    else this.fail(step, code);
  }

  /** Records an entry that cannot be undone. */
  fail(step: StoredStep, code: ErrorCode): void {
    if (this.failures.length >= maxReportedEntries) return;
    this.failures.push({ path: allowedPath(this.#storage, step.path) ?? '', code });
  }
}

/** Throws `changed_since` if the operation is running or was undone. */
export function assertDone(operation: ListedOperation, isRunning: boolean): void {
  if (isRunning || operation.endedAt === null)
    throw new AppError('changed_since', 'the operation has not ended yet');
  if (operation.undoneBy !== null) throw new AppError('changed_since', 'the operation was undone already');
}

/** Undoes all steps of an operation that can be undone, as `operation`. Throws `changed_since` if there are none. */
export async function undoAll(
  parts: UndoParts,
  undone: ListedOperation,
  operation: Operation,
  signal: AbortSignal,
): Promise<UndoReport> {
  const storage = await operation.userContext.storage();
  const paths: string[] = [];
  const removed: string[] = [];
  const folders = new Set<string>();
  const failures: UndoReport['failures'] = [];
  let total = 0;
  let count = 0;
  for await (const { id } of stepsOf(parts.repository, undone.id)) {
    signal.throwIfAborted();
    // Read again, because undoing the previous steps may have moved its folders.
    const step = await parts.repository.step(id);
    if (step === null) continue;
    const counts = isCounted(step);
    if (counts) total += 1;
    try {
      const result = await undoStep(parts, operation, step, signal);
      if (counts) count += 1;
      if (result.path === null) {
        if (step.act === 'created' || step.act === 'parent')
          removed.push(allowedPath(storage, step.path) ?? '');
      } else if (counts) paths.push(result.path);
      for (const folder of result.folders) folders.add(folder);
    } catch (error) {
      if (!isAppError(error) || signal.aborted) throw error;
      if (counts) failures.push({ path: allowedPath(storage, step.path) ?? '', code: error.code });
    }
  }
  if (count === 0) throw new AppError(failures[0]?.code ?? 'changed_since');
  return {
    operation: operation.id,
    kind: undone.kind,
    total,
    undone: count,
    failures: failures.slice(0, maxReportedEntries),
    paths: paths.slice(0, maxReportedEntries),
    removed: removed.slice(0, maxReportedEntries),
    folders: [...folders].slice(0, maxReportedEntries),
  };
}
