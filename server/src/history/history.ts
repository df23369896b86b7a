import type { FastifyBaseLogger } from 'fastify';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEvents } from '../access/file-events.ts';
import type { Operation } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { NameKey } from '../database/trash-repository.ts';
import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExamineStep } from './examine-step.ts';
import type { OperationView } from './list-operations.ts';
import { isSameEntry } from './left-state.ts';
import { loggedOf } from './logged-operation.ts';
import { OperationLog } from './operation-log.ts';
import { deletionsOf, recordChanges, storeBeforeMoves } from './record-changes.ts';
import { type UndoActions, type UndoneStep, type UndoParts, undoStep } from './undo-step.ts';

/** The dependencies of {@link openHistory}. */
export interface HistoryParts extends Pick<ExamineStep, 'keepsDeleted'> {
  readonly database: Pick<Database, 'operations' | 'trash'>;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly userContexts: UserContexts;
  readonly events: FileEvents;
  /** Returns the function that makes names comparable on a file system that ignores case, or on one that does not. */
  readonly nameKeyFor: (ignoresCase: boolean) => NameKey;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** The log of operations of a server. */
export interface History {
  readonly log: OperationLog;
  readonly examine: ExamineStep;
  /** Returns the function that makes names at a path of the served root comparable. */
  readonly keyAt: (path: VirtualPath) => NameKey;
  /** Subscribes the recording of changes. Has to be called after the listener that changes places has subscribed. */
  recordChanges(): void;
  /** Sets the actions of other features with which steps are undone. */
  setActions(actions: UndoActions): void;
  /** Returns the log as the user may see it, with everything that was logged so far. */
  viewOf(userContext: UserContext): Promise<OperationView>;
  /**
   * Logs the deletions of an operation whose steps a crash has lost. `deleted` has the ids of all kept entries of the operation, by
   * their places in the served root.
   */
  logDeleted(operation: Operation, deleted: ReadonlyMap<VirtualPath, string>): Promise<void>;
  /**
   * Whether the folder at a path of the served root was created by a restoration, because it was missing above the restored
   * entry.
   */
  wasCreatedByRestoration(path: VirtualPath): Promise<boolean>;
  /** Undoes one step as a part of `operation`. Throws `not_found` for one that was removed from the log. */
  undo(operation: Operation, step: number, signal: AbortSignal): Promise<UndoneStep>;
  /** Marks the operation of a job as running until `end`. */
  readonly running: { begin(id: string): void; end(id: string): void };
  /** Returns the parts with which steps are undone. Throws before the actions are set. */
  readonly parts: () => UndoParts;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the log of operations. Has to be called before the listener that changes places subscribes. */
export function openHistory({
  database,
  storage,
  userContexts,
  events,
  nameKeyFor,
  keepsDeleted,
  clock,
  log: logger,
}: HistoryParts): History {
  const { operations: repository, trash } = database;
  const keyAt = (path: VirtualPath): NameKey => nameKeyFor(storage.ignoresCaseAt(path));
  const log = new OperationLog({ repository, keyAt, clock, log: logger });
  events.subscribe(storeBeforeMoves({ log }));
  const examine: ExamineStep = {
    keepsDeleted,
    async findKept(id) {
      const [kept] = await trash.findAll([id]);
      return kept?.purgeAt === null ? kept : null;
    },
    async assertShareUndoable(userContext, step) {
      await parts().actions.undoShare(userContext, step, { isCheck: true });
    },
    async canCancelPurge(id, userId) {
      const [kept] = await trash.findAll([id]);
      return kept !== undefined && kept.purgedBy === userId && (kept.purgeAt ?? 0) > clock.now();
    },
  };
  let actions: UndoActions | null = null;
  const parts = (): UndoParts => {
    if (actions === null) throw new Error('the actions of an undo are not set');
    return { ...examine, repository, log, events, actions };
  };
  return {
    log,
    examine,
    keyAt,
    parts,
    recordChanges: () => events.subscribe(recordChanges({ log, storage })),
    setActions(given) {
      actions = given;
    },
    async viewOf(userContext) {
      await log.flush();
      const stored = await userContexts.find(userContext.user.id);
      if (stored === null) throw new AppError('not_signed_in');
      return { userContext, storage: await userContext.storage(), scopeSince: stored.scopeSince };
    },
    async logDeleted(operation, deleted) {
      await log.flush();
      const logged = await repository.loggedKept(operation.id);
      const lost = [...deleted].filter(([, id]) => !logged.has(id));
      if (lost.length > 0) log.add(loggedOf(operation), deletionsOf(lost, operation.undoing));
    },
    async wasCreatedByRestoration(path) {
      await log.flush();
      const folders = await repository.foldersForRestored(path, keyAt(path));
      const entry = folders.length === 0 ? null : await storage.stat(path);
      return entry !== null && folders.some((left) => isSameEntry(entry, left));
    },
    async undo(operation, id, signal) {
      const step = await repository.step(id);
      if (step === null) throw new AppError('not_found');
      return undoStep(parts(), operation, step, signal);
    },
    running: {
      begin: (id) => log.begin(id),
      end(id) {
        log.end(id);
        // If nothing of an operation could be undone, it can be tried again.
        void log
          .flush()
          .then(() => repository.release(id))
          .catch((error: unknown) =>
            logger.error({ err: error }, 'the log of operations could not be written'),
          );
      },
    },
    start: () => log.start(),
    close: () => log.close(),
  };
}
