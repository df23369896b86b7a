import { maxOperationSteps, operationDays } from '@filestead/contract/values/limits';
import type { OperationKind } from '@filestead/contract/endpoints/operations';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { NewStep, OperationPart, OperationRepository } from '../database/operation-repository.ts';
import type { NameKey } from '../database/trash-repository.ts';

/** Steps are stored this time after the first pending one, or when this number is pending. */
const flushMs = 200;
const flushSteps = 500;
/** Interval of the removal of old operations, and the number that is removed in one transaction. */
const sweepMs = 60 * 60 * 1000;
const removedAtOnce = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

/** An operation whose steps are added to the log. */
export interface LoggedOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly userId: number;
  readonly session: string;
  /** The operation that this one undoes. */
  readonly undoes: string | null;
  /** The time at which the version was written that it restores, copies or deletes; null for other operations. */
  readonly versionAt: number | null;
}

/** The dependencies of {@link OperationLog}. */
export interface OperationLogParts {
  readonly repository: OperationRepository;
  /** Compares names as the file system at a path of the served root does. */
  readonly keyAt: (path: VirtualPath) => NameKey;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

interface PendingOperation {
  readonly operation: LoggedOperation;
  readonly startedAt: number;
  endedAt: number;
  readonly steps: NewStep[];
  unstored: number;
}

/**
 * Writes operations to the database, many in one transaction, so that a change of a file does not wait for it. A crash loses
 * the last {@link flushMs} of the log; the entries that were kept are still in the stores. Errors are logged and never fail a
 * change.
 */
export class OperationLog {
  readonly #parts: OperationLogParts;
  #pending = new Map<string, PendingOperation>();
  #pendingSteps = 0;
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | null = null;
  #stopSweeping: () => void = () => undefined;
  /** Jobs that have not ended, with the number of their stored steps. */
  readonly #running = new Map<string, number>();
  /** Running operations with steps. */
  readonly #logged = new Map<string, LoggedOperation>();

  constructor(parts: OperationLogParts) {
    this.#parts = parts;
  }

  /** Marks the operations that an earlier run of the server left running as ended, and starts to remove old operations. */
  async start(): Promise<void> {
    await this.#attempt(() => this.#parts.repository.endInterrupted());
    this.#stopSweeping = this.#parts.clock.every(sweepMs, () => void this.sweep());
  }

  /** Stores the pending steps and stops the timers. */
  async close(): Promise<void> {
    this.#stopSweeping();
    await this.flush();
  }

  /**
   * Marks an operation as running until {@link end}. An operation that is not marked counts as ended after each of its
   * steps.
   */
  begin(id: string): void {
    if (!this.#running.has(id)) this.#running.set(id, 0);
  }

  /** Marks a running operation as ended. One without steps is not logged. */
  end(id: string): void {
    this.#running.delete(id);
    const operation = this.#logged.get(id);
    this.#logged.delete(id);
    if (operation !== undefined) this.add(operation, []);
  }

  /** Whether the operation is marked as running. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Adds steps of an operation. */
  add(operation: LoggedOperation, steps: readonly NewStep[]): void {
    const now = this.#parts.clock.now();
    let pending = this.#pending.get(operation.id);
    if (pending === undefined) {
      pending = { operation, startedAt: now, endedAt: now, steps: [], unstored: 0 };
      this.#pending.set(operation.id, pending);
    }
    pending.endedAt = now;
    const running = this.#running.get(operation.id);
    if (running !== undefined) this.#logged.set(operation.id, operation);
    const room = Math.max(0, maxOperationSteps - (running ?? 0) - pending.steps.length);
    const stored = steps.slice(0, room);
    pending.steps.push(...stored);
    pending.unstored += steps.length - stored.length;
    this.#pendingSteps += stored.length;
    if (this.#pendingSteps >= flushSteps) void this.flush();
    else this.#cancelTimer ??= this.#parts.clock.after(flushMs, () => void this.flush());
  }

  /** Whether steps are pending. */
  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Stores all pending steps. Never rejects. */
  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    this.#pendingSteps = 0;
    if (pending.length > 0) {
      const parts = pending.map((operation) => this.#partOf(operation));
      this.#writing = this.#writing.then(() =>
        this.#attempt(() => this.#parts.repository.append(parts, this.#parts.keyAt)),
      );
    }
    return this.#writing;
  }

  #partOf({ operation, startedAt, endedAt, steps, unstored }: PendingOperation): OperationPart {
    const { id, kind, userId, session, undoes, versionAt } = operation;
    const stored = this.#running.get(id);
    if (stored !== undefined) this.#running.set(id, stored + steps.length);
    return {
      operation: {
        id,
        kind,
        userId,
        session,
        startedAt,
        endedAt: stored === undefined ? endedAt : null,
        undoes,
        versionAt,
      },
      steps,
      unstored,
    };
  }

  /** Removes operations that are older than {@link operationDays}. */
  async sweep(): Promise<void> {
    const before = this.#parts.clock.now() - operationDays * dayMs;
    await this.#attempt(async () => {
      while ((await this.#parts.repository.removeBefore(before, removedAtOnce)) === removedAtOnce);
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the log of operations could not be written');
    }
  }
}
