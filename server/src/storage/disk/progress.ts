import type { TransferOptions } from '../storage.ts';

/** Listeners hear of progress at most this often. */
const intervalMs = 100;

/** What a copy, a move or a removal has done so far. */
export class Progress {
  readonly signal: AbortSignal | undefined;
  readonly #listener: TransferOptions['onProgress'];
  #entries = 0;
  #bytes = 0;
  #toldAt = 0;

  constructor({ signal, onProgress }: Pick<TransferOptions, 'signal' | 'onProgress'>) {
    this.signal = signal;
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
