import type { SpaceReservation } from '../access/upload-space.ts';
import type { StoredUpload } from '../database/database.ts';

/** A sender that has been silent for so long may be pushed aside by a new one. */
const stalledAfterMs = 1_000;

/** A request that sends bytes of an upload. */
export class UploadLease {
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
  readonly record: Mutable<StoredUpload>;
  /** Whole bytes that have arrived: where it goes on. */
  offset: number;
  /** At most one at a time. */
  lease: UploadLease | null;
  /** Given back when nobody has sent anything for a while. */
  space: SpaceReservation | null;
  lastUsedAt: number;
}

export const liveUpload = (
  record: StoredUpload,
  space: SpaceReservation | null,
  nowMs: number,
): LiveUpload => ({
  record: { ...record },
  offset: record.storedBytes,
  lease: null,
  space,
  lastUsedAt: nowMs,
});
