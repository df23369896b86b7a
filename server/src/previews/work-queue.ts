import { AppError } from '../http/app-error.ts';

/** Lets a bounded number of works run at once; the others wait in the order in which they came. */
export interface WorkQueue {
  /**
   * Runs `work` when its turn has come. Throws the reason of `signal` when that is aborted before; throws `busy` when too
   * many wait already.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly waiting: number;
  readonly running: number;
}

interface Turn {
  start(): void;
}

/** A queue that runs `atOnce` works at once and lets `maxWaiting` wait. */
export function createWorkQueue({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): WorkQueue {
  const turns = new Set<Turn>();
  let running = 0;

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const own: Turn = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        turns.delete(own);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      turns.add(own);
    });

  return {
    get waiting() {
      return turns.size;
    },
    get running() {
      return running;
    },
    async run(work, signal) {
      signal.throwIfAborted();
      if (running < atOnce) running += 1;
      else if (turns.size >= maxWaiting) throw new AppError('busy');
      // Whoever ends hands its place over, so the number of running works stays as it is.
      else await turn(signal);
      try {
        return await work();
      } finally {
        const [next] = turns;
        if (next === undefined) running -= 1;
        else {
          turns.delete(next);
          next.start();
        }
      }
    },
  };
}
