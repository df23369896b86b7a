/** Lets all who want the same thing at the same time wait for one making of it. */
export interface SharedWork<T> {
  /**
   * The result of `start`, or of the one that is under way for `key`. The signal that `start` gets is aborted when everybody
   * who waited has left. Throws the reason of `signal` as soon as that is aborted.
   */
  run(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Works that are under way. */
  readonly size: number;
}

interface Underway<T> {
  readonly result: Promise<T>;
  readonly everybodyLeft: AbortController;
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

/** Nothing is under way at first. */
export function createSharedWork<T>(): SharedWork<T> {
  const underway = new Map<string, Underway<T>>();

  const begin = (key: string, start: (signal: AbortSignal) => Promise<T>): Underway<T> => {
    const everybodyLeft = new AbortController();
    const work: Underway<T> = { result: start(everybodyLeft.signal), everybodyLeft, waiting: 0 };
    const forget = (): void => void underway.delete(key);
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
    async run(key, signal, start) {
      signal.throwIfAborted();
      for (;;) {
        const work = underway.get(key) ?? begin(key, start);
        if (work.everybodyLeft.signal.aborted) {
          const done = await afterwards(work, signal);
          if (done !== undefined) return done.value;
          continue;
        }
        work.waiting += 1;
        try {
          return await orAborted(work.result, signal);
        } finally {
          work.waiting -= 1;
          if (work.waiting === 0)
            work.everybodyLeft.abort(new DOMException('nobody waits any more', 'AbortError'));
        }
      }
    },
  };
}
