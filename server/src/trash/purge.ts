import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { PlacedKept, TrashRepository } from '../database/trash-repository.ts';
import { connections } from '../scheduling/connection-burst.ts';
import type { Storage } from '../storage/storage.ts';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';

/** Time in which a deletion forever can be cancelled. */
const graceMs = 10_000;

/** The time at which an entry that is deleted forever now is removed from the disk (Unix milliseconds). */
export const purgeTime = (now: number, purgeDelayMs: number): number => now + Math.max(graceMs, purgeDelayMs);
/** Time after which the removal of an entry is tried again. */
const retryMs = 60 * 60 * 1000;
/** Entries that are removed in one call. */
const entriesAtOnce = 100;
/** Maximum number of names that are removed per second. */
const namesPerSecond = 5_000;

/** The dependencies of {@link PurgeWorker}. */
export interface PurgeParts {
  readonly repository: TrashRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

/**
 * Removes entries from the disk that were deleted forever, once they are due. One at a time, half of the time resting, so
 * that other work on the disk is not delayed.
 */
export class PurgeWorker {
  readonly #parts: PurgeParts;
  readonly #controller = new AbortController();
  #running: Promise<void> | null = null;
  #cancelTimer: (() => void) | null = null;
  #timerAt = Infinity;

  constructor(parts: PurgeParts) {
    this.#parts = parts;
  }

  /** Schedules the removal of entries that are due at `time` (Unix milliseconds). */
  schedule(time: number): void {
    if (this.#controller.signal.aborted || time >= this.#timerAt) return;
    const { clock } = this.#parts;
    this.#cancelTimer?.();
    this.#timerAt = time;
    this.#cancelTimer = clock.after(Math.min(Math.max(time - clock.now(), 0), retryMs), () => {
      this.#timerAt = Infinity;
      this.run().catch((error: unknown) =>
        this.#parts.log.error({ err: error }, 'deleted entries could not be removed from the disk'),
      );
    });
  }

  /** Removes all entries that are due now. Resolves when they are removed. */
  run(): Promise<void> {
    this.#running ??= this.#purgeDue().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Stops. Entries that are not removed yet are removed after the next start. */
  async close(): Promise<void> {
    this.#controller.abort();
    this.#cancelTimer?.();
    await this.#running?.catch(() => undefined);
  }

  async #purgeDue(): Promise<void> {
    const { repository, storage, clock } = this.#parts;
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const due = await repository.due(clock.now(), entriesAtOnce);
      if (due.length === 0) break;
      // The entries of a disk that is not mounted exist, although they are not found.
      const reports = await storage.stores({ signal, isBrief: true });
      const present = new Set(reports.filter(({ problem }) => problem === null).map(({ store }) => store));
      const removable = due.filter(({ store }) => present.has(store));
      const missing = due.filter(({ store }) => !present.has(store));
      if (missing.length > 0) await this.#retryLater(missing.map(({ id }) => id));
      if (removable.length > 0) await this.#purge(removable);
    }
    const next = signal.aborted ? null : await repository.nextDue();
    if (next !== null) this.schedule(next);
  }

  async #purge(due: readonly PlacedKept[]): Promise<void> {
    const { repository, storage, log } = this.#parts;
    const { signal } = this.#controller;
    let beganAt = performance.now();
    const pace = async (names: number): Promise<void> => {
      while (connections.isActive && !signal.aborted) await connections.settled();
      const workedMs = performance.now() - beganAt;
      await this.#rest(Math.max(workedMs, (names / namesPerSecond) * 1000 - workedMs));
      beganAt = performance.now();
    };
    const { purged, failed } = await storage.purge(due.map(keptEntryOf), { signal, pace });
    await repository.remove(purged);
    log.info({ count: purged.length, items: purged.slice(0, 10) }, 'deleted entries were removed forever');
    if (failed.length === 0) return;
    log.warn({ failed: failed.slice(0, 10) }, 'deleted entries could not be removed; they are tried again');
    await this.#retryLater(failed.map(({ id }) => id));
  }

  #retryLater(ids: readonly string[]): Promise<void> {
    return this.#parts.repository.postpone(ids, this.#parts.clock.now() + retryMs);
  }

  /** Waits, no longer than until the worker stops. */
  #rest(ms: number): Promise<void> {
    const { signal } = this.#controller;
    if (signal.aborted || ms < 1) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
    });
  }
}
