import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { TrashRepository } from '../database/trash-repository.ts';
import type { PurgeWorker } from './purge.ts';

/** Interval of the search for expired entries. The first one is an interval after the start. */
const sweepMs = 60 * 60 * 1000;
const dayMs = 24 * sweepMs;
/** A longer time between two searches than this means that the clock was changed, or that the computer slept. */
const maxGapMs = dayMs;
/** The part of the trash that expires in one search at most. */
const maxPart = 0.2;
/** This number of entries may always expire in one search. */
const minEntries = 100;
/** Places without entries that are removed in one search. */
const prunedPlaces = 10_000;

/** The dependencies of {@link Retention}. */
export interface RetentionParts {
  readonly repository: TrashRepository;
  readonly worker: PurgeWorker;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Returns the number of days for which deleted entries are kept; 0 for no limit. */
  readonly trashDays: () => number;
}

/**
 * Removes entries that were in the trash for the configured time. It waits for a day, and says so in the log, when the
 * clock has jumped, and when a fifth of the trash would go at once; then it proceeds by a fifth per hour.
 */
export class Retention {
  readonly #parts: RetentionParts;
  #sweptAt: number;
  /** No entries expire before this time. */
  #heldUntil = 0;
  /** Whether the administrator has been told that a large part of the trash expires. */
  #hasWarned = false;
  #running: Promise<void> | null = null;
  #stop: () => void = () => undefined;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
    this.#sweptAt = parts.clock.now();
  }

  /** Starts to search once an hour. */
  start(): void {
    const { clock, log } = this.#parts;
    this.#stop = clock.every(sweepMs, () => {
      this.sweep().catch((error: unknown) =>
        log.error({ err: error }, 'expired entries of the trash could not be removed'),
      );
    });
  }

  /** Stops the searches. */
  async close(): Promise<void> {
    this.#stop();
    await this.#running?.catch(() => undefined);
  }

  /** Searches now, and resolves when the expired entries are removed. */
  sweep(): Promise<void> {
    this.#running ??= this.#sweep().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #sweep(): Promise<void> {
    const { repository, worker, clock } = this.#parts;
    const limit = await this.#allowed();
    if (limit > 0) {
      const ids = await repository.expired(this.#before(), limit);
      await repository.hide(ids, clock.now(), null);
    }
    await worker.run();
    await repository.prunePlaces(prunedPlaces);
  }

  #before(): number {
    return this.#parts.clock.now() - this.#parts.trashDays() * dayMs;
  }

  /** Returns the number of entries that may expire now. */
  async #allowed(): Promise<number> {
    const { repository, clock, log, trashDays } = this.#parts;
    const now = clock.now();
    const gap = now - this.#sweptAt;
    this.#sweptAt = now;
    if (gap < 0 || gap > maxGapMs) {
      this.#heldUntil = now + dayMs;
      log.warn({ gapMs: gap }, 'the clock has jumped; no entry of the trash expires for 24 hours');
    }
    if (trashDays() === 0 || now < this.#heldUntil) return 0;
    const { entries, expired } = await repository.summary(this.#before());
    const most = Math.max(minEntries, Math.floor(entries * maxPart));
    if (expired <= most) {
      this.#hasWarned = false;
      return expired;
    }
    if (this.#hasWarned) return most;
    this.#hasWarned = true;
    this.#heldUntil = now + dayMs;
    log.warn(
      { entries, expired },
      'more than a fifth of the trash expires at once; nothing is removed for 24 hours, then a fifth per hour. Change “trashDays” if this is not intended',
    );
    return 0;
  }
}
