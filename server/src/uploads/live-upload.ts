import type { PromisedSpace } from '../access/upload-space.ts';
import type { StoredUpload } from '../database/database.ts';

/** A sender that has been silent for so long may be pushed aside by a new one. */
const stalledAfterMs = 1_000;

/** A request that sends bytes of an upload. */
export class Sender {
  readonly #controller = new AbortController();
  readonly #now: () => number;
  #lastBytesAt: number;
  #end: () => void = () => undefined;
  /** Resolves when it has let go of the upload. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /** @param now  the clock, in Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#lastBytesAt = now();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isStalled(): boolean {
    return this.#now() - this.#lastBytesAt > stalledAfterMs;
  }

  touch(): void {
    this.#lastBytesAt = this.#now();
  }

  stop(): Promise<void> {
    this.#controller.abort();
    return this.ended;
  }

  end(): void {
    this.#end();
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An upload as the running server knows it. */
export interface LiveUpload {
  readonly facts: Mutable<StoredUpload>;
  /** Whole bytes that have arrived: where it goes on. */
  offset: number;
  /** At most one at a time. */
  sender: Sender | null;
  /** Given back when nobody has sent anything for a while. */
  space: PromisedSpace | null;
  lastUsedAt: number;
}

export const liveUpload = (facts: StoredUpload, space: PromisedSpace | null, nowMs: number): LiveUpload => ({
  facts: { ...facts },
  offset: facts.storedBytes,
  sender: null,
  space,
  lastUsedAt: nowMs,
});
