import type { FastifyBaseLogger } from 'fastify';
import type { ExpirySource } from '../access/expiry-source.ts';
import type { FileChange, FileEvents, Notified } from '../access/file-events.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import { FolderMeasurer } from './measure-folders.ts';
import { purgeTime, PurgeWorker } from './purge.ts';
import { type LedgerReading, type LedgersRead, readFurtherRecords, readNewLedgers } from './read-ledgers.ts';
import { Retention } from './retention.ts';
import { TrashIndex } from './trash-index.ts';
import { TrashView } from './trash-view.ts';

/** The dependencies of {@link openTrash}. */
export interface TrashParts {
  readonly database: Pick<Database, 'trash' | 'shares'>;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly userContexts: UserContexts;
  readonly settings: GlobalSettings;
  readonly events: FileEvents;
  /** Minimum time between a deletion forever and the removal, for all users (milliseconds). */
  readonly purgeDelayMs: number;
  /** Called before deletions of an earlier process are added that it did not record in the index. */
  readonly onUnrecorded?: LedgerReading['onUnrecorded'];
  /** Applies to the shares what `onUnrecorded` would apply after a crash. Runs before deletions are recorded in the index. */
  readonly beforeRecording?: () => Promise<void>;
  /** Kept entries besides the deleted ones that expire. */
  readonly otherExpiry?: readonly ExpirySource[];
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** The trash of a server. */
export interface Trash {
  readonly index: TrashIndex;
  readonly worker: PurgeWorker;
  readonly retention: Retention;
  /** Returns the trash as the user may see it. Throws `not_found` if the scope does not exist. */
  viewOf(userContext: UserContext): Promise<TrashView>;
  /**
   * Hides an entry and removes it from the disk after the time for cancelling. Returns the end of that time (Unix milliseconds). Throws
   * `not_found` if it is already hidden, or being restored.
   */
  purge(userContext: UserContext, id: string): Promise<number>;
  /** Must be called when another process may have changed the database. */
  refresh(): Promise<void>;
  /** Reads the stores of which the index contains nothing. To be called before there are requests. */
  readNew(): Promise<void>;
  /**
   * Reads what the other stores have recorded since the last start, and starts the background work. Requests that change files or
   * need the index have to wait for it. `signal` ends it early, for the next start to continue.
   */
  start(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens the trash and follows the changes of files. */
export function openTrash({
  database,
  storage,
  userContexts,
  settings,
  events,
  purgeDelayMs,
  onUnrecorded,
  beforeRecording,
  otherExpiry = [],
  clock,
  log,
}: TrashParts): Trash {
  const { trash: repository, shares } = database;
  const measurer = new FolderMeasurer(repository, storage, log);
  const indexParts = { repository, shares, storage, now: clock.now, log };
  const index = new TrashIndex(
    { ...indexParts, ...(beforeRecording && { beforeStored: beforeRecording }) },
    () => measurer.start(),
  );
  const worker = new PurgeWorker({ repository, storage, clock, log });
  const trashDays = (): number => settings.current.trashDays;
  const closing = new AbortController();
  const compact = async (): Promise<void> => {
    for (const { store } of await storage.stores({ isBrief: true, signal: closing.signal })) {
      const position = await repository.ledgerPosition(store);
      if (position !== undefined) await storage.compact(store, position, { signal: closing.signal });
    }
  };
  const retention = new Retention({
    repository,
    worker,
    clock,
    log,
    trashDays,
    others: otherExpiry,
    compact,
  });
  let hasStarted = false;
  const schedule = async (): Promise<void> => {
    if (!hasStarted) return;
    const next = await repository.nextDue();
    if (next !== null) worker.schedule(next);
  };
  const read = async (readStores: (reading: LedgerReading) => Promise<LedgersRead>): Promise<void> => {
    const reading = { repository, storage, now: clock.now(), ...(onUnrecorded && { onUnrecorded }) };
    try {
      const counts = await readStores(reading);
      if (counts.kept + counts.doomed > 0) log.info(counts, 'the stores of deleted entries were read');
    } catch (error) {
      log.error({ err: error }, 'the stores of deleted entries could not be read');
    }
  };
  events.subscribe(index.listener);
  /** Hides entries for the time in which their deletion forever can be cancelled. Returns the end of that time; null if there were none. */
  const hide = async (ids: readonly string[], userId: number): Promise<number | null> => {
    const purgeAt = purgeTime(clock.now(), purgeDelayMs);
    const hidden = await repository.hide(ids, purgeAt, userId);
    if (hidden.length === 0) return null;
    worker.schedule(purgeAt);
    return purgeAt;
  };
  /** Hides what a deletion forever has kept. */
  const purgeKept = async (kept: readonly KeptEntry[], userId: number): Promise<void> => {
    await index.flush();
    await hide(
      kept.map(({ id }) => id),
      userId,
    );
  };
  const purgeIfPermanent = ({ isPermanent, kept = [], userContext }: FileChange): Notified =>
    isPermanent === true && kept.length > 0 ? purgeKept(kept, userContext.user.id) : undefined;
  events.subscribe({ after: purgeIfPermanent, aborted: purgeIfPermanent });

  return {
    index,
    worker,
    retention,
    async purge({ user }, id) {
      const purgeAt = index.isRestoring(id) ? null : await hide([id], user.id);
      if (purgeAt === null) throw new AppError('not_found');
      return purgeAt;
    },
    async viewOf(userContext) {
      await index.flush();
      const { id, perm } = userContext.user;
      const stored = await userContexts.find(id);
      if (stored === null) throw new AppError('not_signed_in');
      return new TrashView(repository, {
        userContext,
        storage: await userContext.storage(),
        scopeSince: stored.scopeSince,
        showsOwnOnly: settings.current.trashVisibility === 'deleter' && !perm.admin,
      });
    },
    refresh: schedule,
    readNew: () => read((reading) => readNewLedgers(reading)),
    async start(signal) {
      await read((reading) => readFurtherRecords({ ...reading, signal }));
      if (signal.aborted) return;
      hasStarted = true;
      await schedule();
      retention.start();
      measurer.start();
    },
    async close() {
      closing.abort();
      await index.flush();
      await Promise.all([measurer.close(), retention.close(), worker.close()]);
    },
  };
}
