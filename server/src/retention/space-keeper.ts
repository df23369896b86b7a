import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { BrakeKind, PurgeCause, PurgeReason } from '@filestead/contract/endpoints/storage';
import type { FastifyBaseLogger } from 'fastify';
import type { RoomRequest } from '../access/upload-space.ts';
import type { Clock } from '../clock.ts';
import type { RetentionRepository, StoreUse } from '../database/retention-repository.ts';
import type { TrashRepository } from '../database/trash-repository.ts';
import type { StoreReport } from '../storage/kept/kept-entries.ts';
import { type ChosenEntry, chooseEntries, type RetentionRules, type Thin } from './choose-entries.ts';
import { confirmingAgeMs, FreeSpaceHistory } from './free-space-history.ts';
import { budgetPeriodMs, PurgeBudget } from './purge-budget.ts';
import { spaceNeed, type SpaceNeed } from './space-needs.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** The server removes nothing early for this time after its start. */
const startupMs = confirmingAgeMs;
/** Disks that lack space are relieved this time after the start, when their free space has been confirmed. */
const firstSweepMs = 2 * confirmingAgeMs;
/** The maximum number of rounds of one call: each removes entries and measures the space again. */
const maxRounds = 20;
/** An upload waits for removals for at most this time. */
const maxWaitMs = 10_000;
/** Removals count as having freed nothing if the free space grew by less than this part of their size. */
const minFreedPart = 0.1;

/** A reason why nothing is removed from a store at the moment. Times in Unix milliseconds. */
export interface Brake {
  readonly kind: BrakeKind;
  readonly since: number;
  readonly until: number;
}

/** The last entries that were removed from a store without a request of a user. */
export interface LastPurge {
  readonly at: number;
  readonly cause: PurgeCause;
  readonly entries: number;
  readonly bytes: number;
  readonly reasons: Readonly<Partial<Record<PurgeReason, number>>>;
}

/** The dependencies of {@link SpaceKeeper}. */
export interface SpaceKeeperParts {
  readonly repository: RetentionRepository;
  readonly kept: Pick<TrashRepository, 'hide' | 'ledgerPosition' | 'findAll'>;
  /** Measures the volumes of the stores. */
  readonly measure: () => Promise<readonly StoreReport[]>;
  /** Throws if the records of a store after `position` cannot be read. */
  readonly readLedger: (store: VirtualPath, position: string | undefined) => Promise<void>;
  /** Whether the entry is in its store. */
  readonly isPresent: (id: string) => Promise<boolean>;
  /** Removes from the disk the entries that are due. */
  readonly purge: () => Promise<void>;
  readonly thin: Thin;
  readonly rules: () => RetentionRules;
  /** Returns the limit of the kept entries on one disk (bytes); 0 for none. */
  readonly keptSize: () => number;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

/** The outcome of one round of removals. */
type Round = 'done' | 'progress' | 'stopped';

/**
 * Removes deleted entries and versions before their time when a disk is nearly full, when they exceed the configured size, or
 * when an upload needs their space. The most recent entries stay. Removes nothing while a brake applies; administrators see
 * the brakes.
 */
export class SpaceKeeper {
  readonly #parts: SpaceKeeperParts;
  readonly #history = new FreeSpaceHistory();
  readonly #budget: PurgeBudget;
  readonly #brakes = new Map<string, Brake>();
  readonly #lastPurges = new Map<string, LastPurge>();
  readonly #startedAt: number;
  #tickedAt: number;
  #clockBrake: Brake | null = null;
  #running: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #stop: () => void = () => undefined;

  constructor(parts: SpaceKeeperParts) {
    this.#parts = parts;
    this.#budget = new PurgeBudget(parts.clock);
    this.#startedAt = parts.clock.now();
    this.#tickedAt = this.#startedAt;
  }

  /** Begins to read the free space once a minute. */
  start(): void {
    const { clock, log } = this.#parts;
    const read = (): void =>
      void this.read().catch((error: unknown) =>
        log.warn({ err: error }, 'the free space of the disks could not be read'),
      );
    const stopReading = clock.every(confirmingAgeMs, read);
    const cancelSweep = clock.after(firstSweepMs, () => {
      this.sweep().catch((error: unknown) =>
        log.error({ err: error }, 'kept entries could not be removed from a full disk'),
      );
    });
    this.#stop = () => {
      stopReading();
      cancelSweep();
    };
    read();
  }

  /** Stops after the current removal. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#running.catch(() => undefined);
  }

  /** Reads the free space of the disks that contain entries. */
  async read(): Promise<void> {
    this.#noticeJump();
    if ((await this.#uses()).size === 0) return;
    for (const report of await this.#parts.measure()) {
      if (report.problem === null) this.#history.add(report.store, report, this.#parts.clock.now());
    }
  }

  /** Removes entries from all disks that lack space. Resolves when they are removed. */
  sweep(): Promise<void> {
    return this.#inTurn(async () => {
      for (const store of (await this.#uses()).keys()) await this.#relieve(store, 0);
    });
  }

  /**
   * Removes entries until an upload has the space that it needs, or nothing more can be removed. Resolves after ten seconds
   * at the latest; removals continue then.
   */
  async makeRoom({ place, fileSystem, neededBytes }: RoomRequest): Promise<void> {
    const { clock, measure, log } = this.#parts;
    const stores = (await measure()).filter(
      ({ store, problem }) => problem === null && isAtOrBelow(place, store),
    );
    const innermost = stores.toSorted((a, b) => b.store.length - a.store.length)[0];
    // The upload goes to another disk, which has no store.
    if (innermost === undefined || innermost.fileSystem !== fileSystem) return;
    const removal = this.#inTurn(() => this.#relieve(innermost.store, neededBytes)).catch((error: unknown) =>
      log.error({ err: error }, 'kept entries could not be removed for an upload'),
    );
    await new Promise<void>((resolve) => {
      const cancel = clock.after(maxWaitMs, resolve);
      void removal.finally(() => {
        cancel();
        resolve();
      });
    });
  }

  /** Accounts for expired entries that are being removed. */
  async expired(ids: readonly string[]): Promise<void> {
    const at = this.#parts.clock.now();
    for (const [store, amount] of await this.#parts.repository.sizesOf(ids)) {
      this.#budget.spend(store, amount);
      const reasons = { expired: amount.entries };
      this.#lastPurges.set(store, { at, cause: 'expiry', ...amount, reasons });
    }
  }

  /** Returns the reason why nothing is removed from a store at the moment. */
  brakeOf(store: VirtualPath): Brake | null {
    const now = this.#parts.clock.now();
    const until = this.#startedAt + startupMs;
    if (now >= this.#startedAt && now < until) return { kind: 'starting', since: this.#startedAt, until };
    if (this.#clockBrake !== null && now < this.#clockBrake.until) return this.#clockBrake;
    const brake = this.#brakes.get(store);
    return brake !== undefined && now < brake.until ? brake : null;
  }

  /** Returns the last removal from a store since the start. */
  lastPurgeOf(store: VirtualPath): LastPurge | null {
    return this.#lastPurges.get(store) ?? null;
  }

  #uses(): ReturnType<RetentionRepository['uses']> {
    const { repository, clock, rules } = this.#parts;
    return repository.uses(clock.now(), rules().keepAtLeastMs);
  }

  /** Runs removals one after the other. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const run = this.#running.catch(() => undefined).then(() => (this.#isClosed ? undefined : work()));
    this.#running = run;
    return run;
  }

  /** Stops all removals for a day when the clock has jumped. */
  #noticeJump(): void {
    const now = this.#parts.clock.now();
    const gap = now - this.#tickedAt;
    this.#tickedAt = now;
    if (Math.abs(gap) > dayMs) this.#clockBrake = { kind: 'clock_jumped', since: now, until: now + dayMs };
  }

  /** Applies a brake to a store for some time. */
  #brake(store: VirtualPath, kind: BrakeKind, forMs: number, details: object = {}): Round {
    const now = this.#parts.clock.now();
    this.#brakes.set(store, { kind, since: now, until: now + forMs });
    this.#parts.log.warn({ store, brake: kind, ...details }, 'deleted entries are not removed early');
    return 'stopped';
  }

  async #relieve(store: VirtualPath, neededBytes: number): Promise<void> {
    this.#noticeJump();
    for (let round = 0; round < maxRounds && !this.#isClosed; round++) {
      if ((await this.#relieveOnce(store, neededBytes)) !== 'progress') return;
    }
  }

  async #relieveOnce(store: VirtualPath, neededBytes: number): Promise<Round> {
    const use = (await this.#uses()).get(store);
    if (use === undefined) return 'done';
    const report = await this.#measure(store);
    if (report === null) {
      return this.brakeOf(store) === null ? this.#brake(store, 'store_missing', hourMs) : 'stopped';
    }
    const need = spaceNeed({ report, use, keptSize: this.#parts.keptSize(), neededBytes });
    if (need === null) return 'done';
    if (this.brakeOf(store) !== null) return 'stopped';
    const brake = await this.#check(store, report);
    if (brake !== null)
      return this.#brake(store, brake, brake === 'free_space_unclear' ? confirmingAgeMs : hourMs);
    return this.#remove(store, need, use, report);
  }

  /** Measures the volume of a store; null if the store is missing or has a problem. */
  async #measure(store: VirtualPath): Promise<StoreReport | null> {
    const report = (await this.#parts.measure()).find((each) => each.store === store);
    return report === undefined || report.problem !== null ? null : report;
  }

  /** Checks a store before entries are removed from it. Returns the brake that applies, or null. */
  async #check(store: VirtualPath, report: StoreReport): Promise<BrakeKind | null> {
    const { clock, kept, readLedger, log } = this.#parts;
    if (!this.#history.isConfirmed(store, report, clock.now())) return 'free_space_unclear';
    try {
      await readLedger(store, await kept.ledgerPosition(store));
    } catch (error) {
      log.error({ err: error, store }, 'the records of deleted entries cannot be read');
      return 'ledger_unreadable';
    }
    return null;
  }

  /** Removes the entries of one round. */
  async #remove(store: VirtualPath, need: SpaceNeed, use: StoreUse, before: StoreReport): Promise<Round> {
    const { kept, clock, purge, isPresent, log } = this.#parts;
    const now = clock.now();
    const { chosen, isLimited } = await this.#choose(store, need, use, now);
    const [first] = chosen;
    if (first === undefined) {
      if (isLimited) return this.#brake(store, 'too_much_at_once', budgetPeriodMs, need);
      const largestUsers = await this.#parts.repository.largestUsers(5, store);
      log.warn(
        { store, ...need, largestUsers },
        'a disk lacks space, and nothing more can be removed from its trash',
      );
      return 'stopped';
    }
    if (!(await isPresent(first.id))) return this.#brake(store, 'store_missing', hourMs);
    const hidden = new Set(
      await kept.hide(
        chosen.map(({ id }) => id),
        now,
        null,
      ),
    );
    const removed = chosen.filter(({ id }) => hidden.has(id));
    const bytes = removed.reduce((sum, entry) => sum + entry.bytes, 0);
    this.#budget.spend(store, { entries: removed.length, bytes });
    const reasons: Partial<Record<PurgeReason, number>> = {};
    for (const { reason } of removed) reasons[reason] = (reasons[reason] ?? 0) + 1;
    const last = { at: now, cause: need.cause, entries: removed.length, bytes, reasons };
    this.#lastPurges.set(store, last);
    log.info(
      { store, missing: need, ...last },
      'deleted entries are removed early, because a disk lacks space',
    );
    await purge();
    // The first call may only have waited for a removal that had begun before and did not include these entries.
    await purge();
    const after = await this.#measure(store);
    const freed = Math.max(0, (after?.free ?? 0) - before.free);
    this.#history.freed(store, freed);
    if (after !== null && bytes > 0 && freed < bytes * minFreedPart && need.cause !== 'size_limit')
      return this.#brake(store, 'frees_nothing', hourMs, { bytes, freed });
    return 'progress';
  }

  /** Chooses entries that free the needed space, within the limit of an hour. */
  async #choose(
    store: VirtualPath,
    need: SpaceNeed,
    use: StoreUse,
    now: number,
  ): Promise<{ chosen: readonly ChosenEntry[]; isLimited: boolean }> {
    const { repository, thin, rules } = this.#parts;
    const left = this.#budget.left(store, use);
    const chosen: ChosenEntry[] = [];
    let bytes = 0;
    for await (const entry of chooseEntries({ repository, thin }, store, rules(), now)) {
      if (bytes >= need.bytes && chosen.length >= need.names) break;
      const isFirst = left.isUnused && chosen.length === 0;
      const isAllowed = isFirst || bytes + entry.bytes <= left.bytes;
      if (chosen.length >= left.entries || !isAllowed) return { chosen, isLimited: true };
      chosen.push(entry);
      bytes += entry.bytes;
      // The space is measured again after a folder of unknown size.
      if (!entry.isMeasured && need.bytes > 0) break;
    }
    return { chosen, isLimited: false };
  }
}
