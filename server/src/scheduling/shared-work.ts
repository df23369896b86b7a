import type { FairQueue, QueuedTask } from './fair-queue.ts';
import type { Party } from './party.ts';

/** Runs a part of the work when one of the waiting parties has its turn. */
export type InTurn = <R>(part: () => Promise<R>) => Promise<R>;

/** Lets concurrent requests for the same result share one computation. */
export interface SharedWork<T> {
  /**
   * Returns the result of `start`, or of the computation under way for `key`. The signal passed to `start` is
   * aborted when all waiting callers have left; the slow part of the work goes through its second argument.
   * Throws the reason of `signal` as soon as it is aborted, and the refusal of the queue.
   */
  run(
    key: string,
    requester: { readonly party: Party; readonly signal: AbortSignal },
    start: (signal: AbortSignal, inTurn: InTurn) => Promise<T>,
  ): Promise<T>;
  /** Number of computations under way. */
  readonly size: number;
}

interface Underway<T> {
  readonly result: Promise<T>;
  readonly abandoned: AbortController;
  readonly task: QueuedTask;
  waiting: number;
}

/** Settles like `result`, or rejects with the reason of `signal` if that is aborted first. */
function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const stopListening = (): void => signal.removeEventListener('abort', onAbort);
    result.then(resolve, reject).then(stopListening, stopListening);
  });
}

/**
 * Creates the shared work. Each computation takes one slot of `queue`, at the turn of the first of its
 * parties.
 */
export function createSharedWork<T>(queue: FairQueue): SharedWork<T> {
  const underway = new Map<string, Underway<T>>();

  const begin = (
    key: string,
    party: Party,
    start: (signal: AbortSignal, inTurn: InTurn) => Promise<T>,
  ): Underway<T> => {
    const abandoned = new AbortController();
    const { signal } = abandoned;
    const task = queue.enter(party);
    signal.addEventListener('abort', () => task.cancel(signal.reason), { once: true });
    const inTurn: InTurn = async (part) => {
      await task.whenStarted;
      return part();
    };
    const work: Underway<T> = { result: start(signal, inTurn), abandoned, task, waiting: 0 };
    const forget = (): void => {
      underway.delete(key);
      task.cancel(signal.reason);
      task.end();
    };
    work.result.then(forget, forget);
    underway.set(key, work);
    return work;
  };

  /** Waits for a cancelled computation; undefined if it ended without a result. */
  const resultOfCancelled = async (
    work: Underway<T>,
    signal: AbortSignal,
  ): Promise<{ value: T } | undefined> => {
    const value = work.result.then(
      (result) => ({ value: result }),
      () => undefined,
    );
    return orAborted(value, signal);
  };

  return {
    get size() {
      return underway.size;
    },
    async run(key, { party, signal }, start) {
      signal.throwIfAborted();
      for (;;) {
        const known = underway.get(key);
        const work = known ?? begin(key, party, start);
        if (work.abandoned.signal.aborted) {
          const done = await resultOfCancelled(work, signal);
          if (done !== undefined) return done.value;
          continue;
        }
        work.waiting += 1;
        if (known !== undefined) work.task.addParty(party);
        try {
          return await orAborted(work.result, signal);
        } finally {
          work.waiting -= 1;
          if (work.waiting > 0) work.task.removeParty(party);
          if (work.waiting === 0)
            work.abandoned.abort(new DOMException('all callers have cancelled', 'AbortError'));
        }
      }
    },
  };
}
