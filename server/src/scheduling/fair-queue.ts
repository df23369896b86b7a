import type { ErrorCode } from '@filestead/contract/errors';
import { AppError } from '../errors.ts';
import { type Party, limitAt, partyLimit } from './party.ts';

/** Limits of a {@link FairQueue}. */
export interface FairQueueLimits {
  /** Maximum number of running tasks. */
  readonly running: number;
  /**
   * Maximum number of running tasks of a user, or of all visitors together; defaults to {@link partyLimit}. Shares and
   * addresses get a fraction.
   */
  readonly runningPerParty?: number;
  /** Maximum number of waiting tasks of all parties together. 0 refuses tasks that cannot begin at once. */
  readonly waiting: number;
  /**
   * Maximum number of waiting tasks of a user, or of all visitors together; defaults to a quarter of `waiting`. Shares and addresses
   * get a fraction.
   */
  readonly waitingPerParty?: number;
  /** Error code of a refusal when the queue is full. */
  readonly refusal: ErrorCode;
}

/** A task that waits or runs. */
export interface QueuedTask {
  /** Resolves when the task may start. Rejects with the reason of the cancellation. */
  readonly whenStarted: Promise<void>;
  /**
   * Adds a party that waits for the same task; from then on the task begins at the turn of either party. Does
   * nothing once the task has started.
   */
  addParty(party: Party): void;
  /** Removes a party that no longer waits; the turns of the other parties remain. */
  removeParty(party: Party): void;
  /** Cancels a waiting task. */
  cancel(reason: unknown): void;
  /** Ends the task and frees its slot. Further calls do nothing. */
  end(): void;
}

/**
 * Runs a bounded number of tasks concurrently. Waiting tasks begin in turns: at every level of their parties'
 * paths the group served longest ago comes first, so that hundreds of tasks of one party delay another party
 * by at most one task.
 */
export interface FairQueue {
  /**
   * Takes a free slot, or queues the task behind those of `party`. Throws the refusal if the queue is full.
   */
  enter(party: Party): QueuedTask;
  /**
   * Runs `work` at its turn. Throws the refusal, and the reason of `signal` if it is aborted while waiting.
   */
  run<T>(party: Party, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Number of running tasks. */
  readonly running: number;
  /** Number of waiting tasks. */
  readonly waiting: number;
  /** Resolves when no task runs or waits. */
  idle(): Promise<void>;
}

/** The groups of `party`, from the widest to itself, by unique names. */
const groupsOf = (party: Party): string[] => party.map((_, end) => party.slice(0, end + 1).join('\n'));

/** Counts by group; zeros are not stored. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(group: string): number {
    return this.#counts.get(group) ?? 0;
  }

  add(groups: readonly string[], change: 1 | -1): void {
    for (const group of groups) {
      const count = this.of(group) + change;
      if (count === 0) this.#counts.delete(group);
      else this.#counts.set(group, count);
    }
  }
}

interface Waiter {
  readonly parties: string[][];
  readonly begin: (groups: string[]) => void;
}

/** Creates an empty queue. */
export function openFairQueue(limits: FairQueueLimits): FairQueue {
  const waitingPerParty = limits.waitingPerParty ?? Math.ceil(limits.waiting / 4);
  const running = new Counts();
  const waiting = new Counts();
  let runningCount = 0;
  const waiters = new Set<Waiter>();
  /** Number of the turn in which a group was last served; removed when the group has no tasks left. */
  const servedAt = new Map<string, number>();
  let turn = 0;
  const idlers: (() => void)[] = [];

  const mayRun = (groups: readonly string[]): boolean => {
    const maxRunning = limits.runningPerParty ?? partyLimit(groups[0] ?? '', limits.running);
    return (
      runningCount < limits.running &&
      groups.every((group, level) => running.of(group) < limitAt(maxRunning, level))
    );
  };

  const begin = (groups: string[]): void => {
    runningCount += 1;
    running.add(groups, 1);
    turn += 1;
    for (const group of groups) servedAt.set(group, turn);
  };
  const forgetIdle = (groups: readonly string[]): void => {
    for (const group of groups)
      if (running.of(group) === 0 && waiting.of(group) === 0) servedAt.delete(group);
  };

  /** Whether the turn of `a` comes before that of `b`; the first level at which they differ decides. */
  const isBefore = (a: readonly string[], b: readonly string[]): boolean => {
    for (let level = 0; level < Math.min(a.length, b.length); level++) {
      const [left = '', right = ''] = [a[level], b[level]];
      if (left !== right) return (servedAt.get(left) ?? 0) < (servedAt.get(right) ?? 0);
    }
    return false;
  };
  /** The waiting task that may run and whose turn is next; null when there is none. */
  const next = (): { waiter: Waiter; groups: string[] } | null => {
    let best: { waiter: Waiter; groups: string[] } | null = null;
    const seen = new Set<string>();
    for (const waiter of waiters) {
      for (const groups of waiter.parties) {
        const own = groups.at(-1) ?? '';
        // Only the first waiting task of a party can be next.
        if (seen.has(own)) continue;
        seen.add(own);
        if (mayRun(groups) && (best === null || isBefore(groups, best.groups))) best = { waiter, groups };
      }
    }
    return best;
  };
  const drop = (waiter: Waiter): void => {
    waiters.delete(waiter);
    for (const groups of waiter.parties) waiting.add(groups, -1);
  };
  const advance = (): void => {
    while (runningCount < limits.running && waiters.size > 0) {
      const found = next();
      if (found === null) break;
      drop(found.waiter);
      found.waiter.begin(found.groups);
    }
    if (runningCount === 0 && waiters.size === 0) for (const resolve of idlers.splice(0)) resolve();
  };
  const assertRoom = (groups: readonly string[]): void => {
    const isFull = waiters.size >= limits.waiting;
    if (isFull || groups.some((group, level) => waiting.of(group) >= limitAt(waitingPerParty, level))) {
      throw new AppError(limits.refusal, 'too many of these requests are waiting; try again later');
    }
  };

  const enter = (party: Party): QueuedTask => {
    const groups = groupsOf(party);
    let servedGroups: string[] | null = null;
    let isOver = false;
    let resolveStarted: () => void = () => undefined;
    let rejectStarted: (reason: unknown) => void = () => undefined;
    const whenStarted = new Promise<void>((resolve, reject) => {
      resolveStarted = resolve;
      rejectStarted = reject;
    });
    // A cancellation without a listener is not an unhandled rejection.
    whenStarted.catch(() => undefined);
    const waiter: Waiter = {
      parties: [groups],
      begin(served) {
        servedGroups = served;
        begin(served);
        resolveStarted();
      },
    };
    if (mayRun(groups)) waiter.begin(groups);
    else {
      assertRoom(groups);
      waiters.add(waiter);
      waiting.add(groups, 1);
    }
    const cancel = (reason: unknown): void => {
      if (!waiters.has(waiter)) return;
      drop(waiter);
      for (const known of waiter.parties) forgetIdle(known);
      rejectStarted(reason);
      advance();
    };
    return {
      whenStarted,
      addParty(other) {
        if (!waiters.has(waiter)) return;
        const added = groupsOf(other);
        waiter.parties.push(added);
        waiting.add(added, 1);
        advance();
      },
      removeParty(other) {
        const own = groupsOf(other).at(-1);
        const position = waiter.parties.findIndex((known) => known.at(-1) === own);
        const [removed] = waiters.has(waiter) && position >= 0 ? waiter.parties.splice(position, 1) : [];
        if (removed === undefined) return;
        waiting.add(removed, -1);
        forgetIdle(removed);
      },
      cancel,
      end() {
        if (servedGroups === null || isOver) return;
        isOver = true;
        runningCount -= 1;
        running.add(servedGroups, -1);
        forgetIdle(servedGroups);
        advance();
      },
    };
  };

  return {
    enter,
    async run(party, work, signal) {
      signal?.throwIfAborted();
      const task = enter(party);
      const onAbort = (): void => task.cancel(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        await task.whenStarted;
        return await work();
      } finally {
        signal?.removeEventListener('abort', onAbort);
        task.end();
      }
    },
    get running() {
      return runningCount;
    },
    get waiting() {
      return waiters.size;
    },
    idle: () =>
      runningCount === 0 && waiters.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => void idlers.push(resolve)),
  };
}
