import type { Clock } from '../../clock.ts';
import { TooManyAttempts } from './too-many-attempts.ts';

/** Delay before the first queued attempt, in milliseconds; it doubles with each attempt. */
const firstPauseMs = 5_000;
/** Maximum delay in milliseconds, so that the response is sent before proxies time out after a minute. */
export const maxPauseMs = 30_000;
/** Maximum number of waiting attempts for one account or share. */
const maxWaiting = 3;
/** Maximum number of remembered networks that have had a turn. */
const maxServed = 1_000;

interface Waiter {
  readonly network: string;
  go(): void;
  refuse(): void;
}

/**
 * Admits one attempt at a time for an account or share that is being guessed, with growing delays. A network
 * that has not had a turn goes before those that have, and replaces one of them when the queue is full. The
 * owner can therefore sign in from a new address, while the delays limit guesses from any number of
 * addresses.
 */
export class AttemptQueue {
  readonly #clock: Clock;
  readonly #waiting: Waiter[] = [];
  readonly #served = new Set<string>();
  #pauseMs = firstPauseMs;
  #nextAt: number;
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#nextAt = clock.now() + firstPauseMs;
  }

  /** Resolves when the attempt may proceed. Throws {@link TooManyAttempts}, and the reason of `signal`. */
  enter(network: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#makeRoom(network);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#remove(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        network,
        go: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        refuse: () => {
          signal?.removeEventListener('abort', onAbort);
          reject(this.#refusal());
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#advance();
    });
  }

  /**
   * Throws unless there is room for one more attempt of `network`. An attempt of a network that had a turn is
   * refused to make room.
   */
  #makeRoom(network: string): void {
    if (this.#waiting.some((waiter) => waiter.network === network)) throw this.#refusal();
    if (this.#waiting.length < maxWaiting) return;
    const earlier = this.#waiting.find((waiter) => this.#served.has(waiter.network));
    if (earlier === undefined || this.#served.has(network)) throw this.#refusal();
    this.#remove(earlier);
    earlier.refuse();
  }

  #refusal(): TooManyAttempts {
    return new TooManyAttempts(Math.ceil((this.#pauseMs * (this.#waiting.length + 1)) / 1_000));
  }

  #remove(waiter: Waiter): void {
    const position = this.#waiting.indexOf(waiter);
    if (position >= 0) this.#waiting.splice(position, 1);
  }

  #advance(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const waiter = this.#waiting.find(({ network }) => !this.#served.has(network)) ?? this.#waiting[0];
    if (waiter === undefined) return;
    const now = this.#clock.now();
    if (now < this.#nextAt) {
      this.#cancelTimer = this.#clock.after(this.#nextAt - now, () => this.#advance());
      return;
    }
    this.#remove(waiter);
    if (this.#served.size >= maxServed) this.#served.clear();
    this.#served.add(waiter.network);
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
    this.#nextAt = now + this.#pauseMs;
    waiter.go();
    this.#advance();
  }
}
