import { AppError } from './app-error.ts';

export interface SlotLimits {
  /** Requests that are served at once, of all users and of one. */
  readonly running: number;
  readonly runningPerUser: number;
  /** Requests that wait for their turn; more are refused. */
  readonly waiting: number;
  readonly waitingPerUser: number;
}

interface Waiter {
  readonly userId: number;
  readonly start: () => void;
}

/** Bounds how many requests of a kind are served at the same time. */
export interface RequestSlots {
  /**
   * Resolves when a request of this user may be served, to what has to be called when it is over. Throws `too_many_requests`, and
   * the reason of `signal` when it is aborted before.
   */
  enter(userId: number, signal: AbortSignal): Promise<() => void>;
}

/** Turns are given in the order of asking, except to users who already have all they may have. */
export function createRequestSlots(limits: SlotLimits): RequestSlots {
  const running = new Map<number, number>();
  let runningCount = 0;
  const waiting: Waiter[] = [];

  const mayRun = (userId: number): boolean =>
    runningCount < limits.running && (running.get(userId) ?? 0) < limits.runningPerUser;
  const add = (userId: number, change: 1 | -1): void => {
    runningCount += change;
    const count = (running.get(userId) ?? 0) + change;
    if (count === 0) running.delete(userId);
    else running.set(userId, count);
  };
  const startWaiting = (): void => {
    for (;;) {
      const next = waiting.findIndex(({ userId }) => mayRun(userId));
      const [waiter] = next < 0 ? [] : waiting.splice(next, 1);
      if (waiter === undefined) return;
      waiter.start();
    }
  };
  const leave = (userId: number) => (): void => {
    add(userId, -1);
    startWaiting();
  };

  return {
    async enter(userId, signal) {
      signal.throwIfAborted();
      if (mayRun(userId)) {
        add(userId, 1);
        return leave(userId);
      }
      const ownWaiting = waiting.filter((waiter) => waiter.userId === userId).length;
      if (waiting.length >= limits.waiting || ownWaiting >= limits.waitingPerUser) {
        throw new AppError('too_many_requests', 'too many of these requests are being served');
      }
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          const position = waiting.indexOf(waiter);
          if (position >= 0) waiting.splice(position, 1);
          reject(signal.reason as unknown);
        };
        const waiter: Waiter = {
          userId,
          start: () => {
            signal.removeEventListener('abort', onAbort);
            add(userId, 1);
            resolve(leave(userId));
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(waiter);
      });
    },
  };
}
