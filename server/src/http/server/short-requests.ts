import type { ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../clock.ts';

/** Maximum number of short requests in progress. */
const maxCount = 16;
/**
 * Age in ms from which a request no longer counts: it transfers data, or waits for something other than the event loop.
 * At least `maxCount` requests can therefore begin in every such interval, whatever the others wait for.
 */
const maxAgeMs = 50;

/** Does not refer to the request, which would otherwise outlive its response. */
interface Entry {
  readonly startMs: number;
  /** In the list; -1 when it has been removed. */
  position: number;
}

/**
 * The requests in progress that began recently. Their number is limited, because all results of file-system calls that are
 * ready are handled in one iteration of the event loop: with hundreds of requests in progress an iteration takes 40 ms, in
 * which Node accepts one connection.
 */
export class ShortRequests {
  /** In no particular order. */
  readonly #entries: Entry[] = [];
  /** Milliseconds that never go back. */
  readonly #now: () => number;
  readonly #after: Clock['after'];
  #onFree: (() => void) | null = null;

  constructor(now = () => performance.now(), after = systemClock.after) {
    this.#now = now;
    this.#after = after;
  }

  /** Adds a request that begins now, until its response is closed. */
  begin(response: ServerResponse): void {
    const entry: Entry = { startMs: this.#now(), position: this.#entries.length };
    this.#entries.push(entry);
    response.once('close', () => {
      this.#remove(entry);
      this.#onFree?.();
    });
  }

  #remove(entry: Entry): void {
    const { position } = entry;
    const last = position < 0 ? undefined : this.#entries.pop();
    entry.position = -1;
    if (last === undefined || last === entry) return;
    this.#entries[position] = last;
    last.position = position;
  }

  /** Whether no other request may begin. */
  get isFull(): boolean {
    if (this.#entries.length < maxCount) return false;
    const sinceMs = this.#now() - maxAgeMs;
    for (const entry of this.#entries.filter(({ startMs }) => startMs <= sinceMs)) this.#remove(entry);
    return this.#entries.length >= maxCount;
  }

  /** Calls `onFree` once, when one of the requests is answered or no longer counts. Replaces an earlier `onFree`. */
  whenFree(onFree: () => void): void {
    const oldestMs = Math.min(...this.#entries.map(({ startMs }) => startMs));
    const free = (): void => {
      this.#onFree = null;
      stopTimer();
      onFree();
    };
    // A timer may run up to 1 ms early.
    const stopTimer = this.#after(Math.ceil(oldestMs + maxAgeMs - this.#now()) + 1, free);
    this.#onFree = free;
  }
}
