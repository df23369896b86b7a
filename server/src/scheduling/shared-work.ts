import type { FairQueue, Ticket } from './fair-queue.ts';
import type { Party } from './party.ts';

/** Does a part of the work when the turn of anybody who waits for it has come. */
export type InTurn = <R>(part: () => Promise<R>) => Promise<R>;

/** Lets all who want the same thing at the same time wait for one making of it. */
export interface SharedWork<T> {
  /**
   * The result of `start`, or of the one that is under way for `key`. The signal that `start` gets is aborted when everybody
   * who waited has left; the part of the work that takes long goes through its second argument. Throws the reason of
   * `signal` as soon as that is aborted, and the refusal of the queue.
   */
  run(
    key: string,
    caller: { readonly party: Party; readonly signal: AbortSignal },
    start: (signal: AbortSignal, inTurn: InTurn) => Promise<T>,
  ): Promise<T>;
  /** Works that are under way. */
  readonly size: number;
}

interface Underway<T> {
  readonly result: Promise<T>;
  readonly everybodyLeft: AbortController;
  readonly ticket: Ticket;
  waiting: number;
}

/** Settles as `result` does, or throws the reason of `signal` when that is aborted before. */
function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    const stay = (): void => signal.removeEventListener('abort', leave);
    result.then(resolve, reject).then(stay, stay);
  });
}

/** Nothing is under way at first. Each work takes one place in `queue`, in the line of whoever has their turn first. */
export function createSharedWork<T>(queue: FairQueue): SharedWork<T> {
  const underway = new Map<string, Underway<T>>();

  const begin = (
    key: string,
    party: Party,
    start: (signal: AbortSignal, inTurn: InTurn) => Promise<T>,
  ): Underway<T> => {
    const everybodyLeft = new AbortController();
    const { signal } = everybodyLeft;
    const ticket = queue.enter(party);
    signal.addEventListener('abort', () => ticket.withdraw(signal.reason), { once: true });
    const inTurn: InTurn = async (part) => {
      await ticket.begun;
      return part();
    };
    const work: Underway<T> = { result: start(signal, inTurn), everybodyLeft, ticket, waiting: 0 };
    const forget = (): void => {
      underway.delete(key);
      ticket.withdraw(signal.reason);
      ticket.end();
    };
    work.result.then(forget, forget);
    underway.set(key, work);
    return work;
  };

  /** Waits for a work that has been given up; undefined when it really ended without a result. */
  const afterwards = async (work: Underway<T>, signal: AbortSignal): Promise<{ value: T } | undefined> => {
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
        if (work.everybodyLeft.signal.aborted) {
          const done = await afterwards(work, signal);
          if (done !== undefined) return done.value;
          continue;
        }
        work.waiting += 1;
        if (known !== undefined) work.ticket.join(party);
        try {
          return await orAborted(work.result, signal);
        } finally {
          work.waiting -= 1;
          if (work.waiting > 0) work.ticket.leave(party);
          if (work.waiting === 0)
            work.everybodyLeft.abort(new DOMException('nobody waits any more', 'AbortError'));
        }
      }
    },
  };
}
