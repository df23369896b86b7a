/** The beginning of a body, and its rest when it is longer than expected. */
export class SmallBody {
  readonly #iterator: AsyncIterator<Uint8Array>;
  /** The chunks that were read. */
  readonly pieces: readonly Uint8Array[];
  /** Whether {@link pieces} are the whole body. */
  readonly isWhole: boolean;

  private constructor(iterator: AsyncIterator<Uint8Array>, pieces: readonly Uint8Array[], isWhole: boolean) {
    this.#iterator = iterator;
    this.pieces = pieces;
    this.isWhole = isWhole;
  }

  /**
   * Reads a body of up to `maxBytes`, or the beginning of a longer one. Must be closed. Throws the errors of `source`, and the
   * reason of `signal` as soon as it is aborted, even while the source is blocked.
   */
  static async read(
    source: AsyncIterable<Uint8Array>,
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<SmallBody> {
    const iterator = source[Symbol.asyncIterator]();
    if (signal === undefined) return SmallBody.#collect(iterator, maxBytes);
    signal.throwIfAborted();
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        stop = () => {
          reject(signal.reason);
          // Not awaited, because a blocked source would block this function too.
          iterator.return?.().catch(() => undefined);
        };
        signal.addEventListener('abort', stop);
        SmallBody.#collect(iterator, maxBytes).then(resolve, reject);
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  static async #collect(iterator: AsyncIterator<Uint8Array>, maxBytes: number): Promise<SmallBody> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    while (bytes <= maxBytes) {
      const next = await iterator.next();
      if (next.done === true) return new SmallBody(iterator, pieces, true);
      pieces.push(next.value);
      bytes += next.value.byteLength;
    }
    return new SmallBody(iterator, pieces, false);
  }

  /** The whole body, from its beginning. */
  async *all(): AsyncGenerator<Uint8Array> {
    yield* this.pieces;
    if (this.isWhole) return;
    for (let next = await this.#iterator.next(); next.done !== true; next = await this.#iterator.next())
      yield next.value;
  }

  /** Ends the reading of the source. */
  async close(): Promise<void> {
    if (!this.isWhole) await this.#iterator.return?.();
  }
}
