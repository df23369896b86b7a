import type { SpaceReservation } from '../access/upload-space.ts';
import type { StoredUpload } from '../database/database.ts';

/** Time without data after which a new request may take over the lease. */
const stalledAfterMs = 1_000;

/** The exclusive right of one request to send bytes of an upload. */
export class UploadLease {
  readonly #controller = new AbortController();
  readonly #now: () => number;
  #lastBytesAt: number;
  #end: () => void = () => undefined;
  /** Resolves when the request has released the upload. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /** @param now the clock, in Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#lastBytesAt = now();
  }

  /** Aborted when the request has to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether no bytes have arrived for a while. */
  get isStalled(): boolean {
    return this.#now() - this.#lastBytesAt > stalledAfterMs;
  }

  /** Must be called whenever bytes arrive. */
  touch(): void {
    this.#lastBytesAt = this.#now();
  }

  /** Aborts the request and waits until it has released the upload. */
  stop(): Promise<void> {
    this.#controller.abort();
    return this.ended;
  }

  /** Releases the upload. */
  end(): void {
    this.#end();
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The state of an upload in the running server. */
export interface LiveUpload {
  readonly record: Mutable<StoredUpload>;
  /** Number of stored bytes, at which the upload continues. */
  offset: number;
  /** The current lease, if any. */
  lease: UploadLease | null;
  /** The time at which the last request ended that has sent a whole part (Unix milliseconds); null after one that was cut off. */
  partEndedAt: number | null;
  /** The id of the operation that has published the file; null before. */
  operation: string | null;
  /** Reserved disk space; released when no bytes have arrived for a while. */
  space: SpaceReservation | null;
  /** Unix milliseconds. */
  lastUsedAt: number;
}

/** The time after a part within which the next one is expected. */
const betweenPartsMs = 10_000;

/** Whether a client is sending the upload: a request is in progress, or has just sent a part that is not the last one. */
export const isBeingSent = ({ lease, partEndedAt }: LiveUpload, nowMs: number): boolean =>
  lease !== null || (partEndedAt !== null && nowMs - partEndedAt < betweenPartsMs);

/** Returns the state of a stored upload that no request is using. */
export const liveUpload = (
  record: StoredUpload,
  space: SpaceReservation | null,
  nowMs: number,
): LiveUpload => ({
  record: { ...record },
  offset: record.storedBytes,
  lease: null,
  partEndedAt: null,
  operation: null,
  space,
  lastUsedAt: nowMs,
});
