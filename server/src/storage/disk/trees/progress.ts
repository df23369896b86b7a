import type { TransferOptions } from '../../storage.ts';

/** Listeners hear of progress at most this often. */
const intervalMs = 100;

/** The progress of a copy, a move or a removal. */
export class Progress {
  readonly signal: AbortSignal | undefined;
  /** See {@link TransferOptions.beforePublish}. */
  readonly beforePublish: TransferOptions['beforePublish'];
  readonly #listener: TransferOptions['onProgress'];
  #entries = 0;
  #bytes = 0;
  #toldAt = 0;

  constructor({
    signal,
    onProgress,
    beforePublish,
  }: Pick<TransferOptions, 'signal' | 'onProgress' | 'beforePublish'>) {
    this.signal = signal;
    this.beforePublish = beforePublish;
    this.#listener = onProgress;
  }

  /** Counts what was done; throws when the work was called off. */
  did(entries: number, bytes: number): void {
    this.#entries += entries;
    this.#bytes += bytes;
    this.signal?.throwIfAborted();
    if (this.#listener === undefined || performance.now() - this.#toldAt < intervalMs) return;
    this.tell();
  }

  /** Tells the listener now; called at the end, so that the last numbers are the whole. */
  tell(): void {
    this.#toldAt = performance.now();
    this.#listener?.({ entries: this.#entries, bytes: this.#bytes });
  }
}
