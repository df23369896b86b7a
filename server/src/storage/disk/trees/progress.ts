import type { PurgeOptions } from '../../kept/kept-entries.ts';
import type { TransferOptions } from '../../storage.ts';

/** The minimum time between two reports (milliseconds). */
const intervalMs = 100;

/** Options of {@link Progress}. */
interface ProgressOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: TransferOptions['onProgress'] | undefined;
  readonly beforePublish?: TransferOptions['beforePublish'];
  readonly pace?: PurgeOptions['pace'];
}

/** The progress of a copy, a move or a removal. */
export class Progress {
  readonly signal: AbortSignal | undefined;
  /** See {@link TransferOptions.beforePublish}. */
  readonly beforePublish: TransferOptions['beforePublish'];
  /** See {@link PurgeOptions.pace}. */
  readonly pace: PurgeOptions['pace'];
  readonly #listener: TransferOptions['onProgress'] | undefined;
  #entries = 0;
  #bytes = 0;
  #reportedAt = 0;

  constructor({ signal, onProgress, beforePublish, pace }: ProgressOptions) {
    this.signal = signal;
    this.beforePublish = beforePublish;
    this.pace = pace;
    this.#listener = onProgress;
  }

  /** Adds finished entries and bytes. Throws when the work was aborted. */
  add(entries: number, bytes: number): void {
    this.#entries += entries;
    this.#bytes += bytes;
    this.signal?.throwIfAborted();
    if (this.#listener === undefined || performance.now() - this.#reportedAt < intervalMs) return;
    this.report();
  }

  /** Reports to the listener now; called at the end, so that the last report is complete. */
  report(): void {
    this.#reportedAt = performance.now();
    this.#listener?.({ entries: this.#entries, bytes: this.#bytes });
  }
}
