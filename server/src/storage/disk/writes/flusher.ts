import { syscalls } from '../paths/syscalls.ts';

/** A flush starts after this number of bytes, so that little is left for the flush at the end. */
const flushEveryBytes = 32 * 1024 * 1024;

/** Flushes in the background while more bytes arrive; one flush at a time. */
export class Flusher {
  readonly #descriptor: number;
  readonly #onStored: ((position: number) => void) | undefined;
  #flushedTo: number;
  #running: Promise<void> | null = null;
  #error: unknown = null;

  constructor(descriptor: number, position: number, onStored?: ((position: number) => void) | undefined) {
    this.#descriptor = descriptor;
    this.#flushedTo = position;
    this.#onStored = onStored;
  }

  /** Must be called after bytes up to `position` were written. Starts a flush when enough have accumulated. */
  wrote(position: number): void {
    if (this.#running !== null || position - this.#flushedTo < flushEveryBytes) return;
    this.#flushedTo = position;
    this.#running = syscalls
      .fdatasync(this.#descriptor)
      .then(() => this.#onStored?.(position))
      .catch((error: unknown) => {
        this.#error ??= error;
      })
      .finally(() => {
        this.#running = null;
      });
  }

  /** Resolves once no flush is running; throws the error of a failed flush. */
  async settled(): Promise<void> {
    await this.#running;
    if (this.#error !== null) throw this.#error;
  }
}
