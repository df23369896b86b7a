import type { FastifyBaseLogger } from 'fastify';
import type { ExpiringEntries, ExpirySource } from '../access/expiry-source.ts';
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
  /** Other kept entries that expire. */
  readonly others?: readonly ExpirySource[];
  /** Removes records that are no longer needed. Called by one search a day. */
  readonly compact?: () => Promise<void>;
}

/** Removes entries early from disks that lack space. */
export interface SpaceRelief {
  /** Called with expired entries that are being removed. */
  expired(ids: readonly string[]): Promise<void>;
  /** Removes entries from all disks that lack space. */
  sweep(): Promise<void>;
}

/** A kind of entries that does not expire at the moment. */
export interface ExpiryBrake {
  /** The name of the setting that decides when they expire. */
  readonly setting: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** The state of the brake of one kind of entries. */
interface Brake {
  /** No entries expire before this time. */
  until: number;
  /** Whether it has been logged that a large part expires. */
  hasWarned: boolean;
}

/** Deleted entries that have been in the trash for the configured time. */
const expiredTrash = ({ repository, trashDays }: RetentionParts): ExpirySource => ({
  name: 'entries of the trash',
  setting: 'trashDays',
  async find(now) {
    const days = trashDays();
    if (days === 0) return { entries: 0, expired: 0, take: async () => [] };
    const before = now - days * dayMs;
    const { entries, expired } = await repository.summary(before);
    return { entries, expired, take: (limit) => repository.expired(before, limit) };
  },
});

/**
 * Removes entries that were in the trash for the configured time, and other kept entries that expire. When the clock has jumped,
 * or when a fifth of one kind would be removed at once, it logs that and waits for a day; then it removes a fifth per hour.
 */
export class Retention {
  readonly #parts: RetentionParts;
  readonly #sources: ReadonlyMap<ExpirySource, Brake>;
  #sweptAt: number;
  #nextSweepAt: number;
  #compactedAt: number;
  #relief: SpaceRelief | null = null;
  #running: Promise<void> | null = null;
  #stop: () => void = () => undefined;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
    this.#sweptAt = parts.clock.now();
    this.#nextSweepAt = this.#sweptAt + sweepMs;
    this.#compactedAt = this.#sweptAt;
    const sources = [expiredTrash(parts), ...(parts.others ?? [])];
    this.#sources = new Map(sources.map((source) => [source, { until: 0, hasWarned: false }]));
  }

  /** Starts to search once an hour. */
  start(): void {
    const { clock, log } = this.#parts;
    this.#nextSweepAt = clock.now() + sweepMs;
    this.#stop = clock.every(sweepMs, () => {
      this.#nextSweepAt = clock.now() + sweepMs;
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

  /** Sets the object that removes entries early. It is called by each search for expired entries. */
  relieveWith(relief: SpaceRelief): void {
    this.#relief = relief;
  }

  /** The time of the next search (Unix milliseconds). */
  get nextSweepAt(): number {
    return this.#nextSweepAt;
  }

  /** The kinds of entries that do not expire at the moment. */
  get brakes(): readonly ExpiryBrake[] {
    const now = this.#parts.clock.now();
    return [...this.#sources]
      .filter(([, { until }]) => until > now)
      .map(([{ setting }, { until }]) => ({ setting, until }));
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
    this.#brakeAfterJump();
    for (const [source, brake] of this.#sources) {
      const now = clock.now();
      if (now < brake.until) continue;
      const expiring = await source.find(now);
      const limit = this.#allowed(source, brake, expiring);
      if (limit === 0) continue;
      const hidden = await repository.hide([...(await expiring.take(limit))], now, null);
      await this.#relief?.expired(hidden);
    }
    await worker.run();
    await this.#relief?.sweep();
    await repository.prunePlaces(prunedPlaces);
    if (clock.now() - this.#compactedAt < dayMs) return;
    this.#compactedAt = clock.now();
    await this.#parts.compact?.();
  }

  /** Stops all removals for a day when the clock has jumped. */
  #brakeAfterJump(): void {
    const { clock, log } = this.#parts;
    const now = clock.now();
    const gap = now - this.#sweptAt;
    this.#sweptAt = now;
    if (gap >= 0 && gap <= maxGapMs) return;
    for (const brake of this.#sources.values()) brake.until = now + dayMs;
    log.warn({ gapMs: gap }, 'the clock has jumped; no deleted entry and no version expires for 24 hours');
  }

  /** Returns the number of entries that may expire now. */
  #allowed({ name, setting }: ExpirySource, brake: Brake, { entries, expired }: ExpiringEntries): number {
    const { clock, log } = this.#parts;
    const most = Math.max(minEntries, Math.floor(entries * maxPart));
    if (expired <= most) {
      brake.hasWarned = false;
      return expired;
    }
    if (brake.hasWarned) return most;
    brake.hasWarned = true;
    brake.until = clock.now() + dayMs;
    log.warn(
      { entries, expired },
      `more than a fifth of the ${name} expires at once; nothing is removed for 24 hours, then a fifth per hour. Change “${setting}” if this is not intended`,
    );
    return 0;
  }
}
