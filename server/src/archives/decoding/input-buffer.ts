/**
 * A decoder of a compressed stream. It yields decompressed bytes, or null to request the next piece of input, which is
 * passed to `next`; `undefined` is the end of the input. It throws when the input is damaged.
 */
export type Decoder = Generator<Uint8Array<ArrayBuffer> | null, void, Uint8Array | undefined>;

/** A step of a decoder that requests input. */
export type InputStep<T> = Generator<null, T, Uint8Array | undefined>;

/** The input of a decoder that has not been processed yet. */
export class InputBuffer {
  #bytes = new Uint8Array(64 * 1024);
  #start = 0;
  #end = 0;
  #hasEnded = false;

  /** The number of buffered bytes. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Requests input until `count` bytes are buffered. Returns false when the input ends before that. */
  *fill(count: number): InputStep<boolean> {
    while (this.length < count && !this.#hasEnded) {
      const piece = yield null;
      if (piece === undefined) this.#hasEnded = true;
      else this.#append(piece);
    }
    return this.length >= count;
  }

  /** Returns all buffered bytes. Valid until the next call of {@link fill}. */
  peek(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Requests `count` bytes and removes them. Valid until the next call of {@link fill}. Throws when the input is shorter. */
  *take(count: number): InputStep<Uint8Array<ArrayBuffer>> {
    if (!(yield* this.fill(count))) throw new Error('the compressed data is truncated');
    const bytes = this.#bytes.subarray(this.#start, this.#start + count);
    this.skip(count);
    return bytes;
  }

  /** Removes `count` buffered bytes. */
  skip(count: number): void {
    this.#start += count;
  }

  #append(piece: Uint8Array): void {
    if (this.#end + piece.length > this.#bytes.length) {
      const rest = this.peek();
      const needed = rest.length + piece.length;
      const target =
        needed > this.#bytes.length ? new Uint8Array(Math.max(needed, this.#bytes.length * 2)) : this.#bytes;
      target.set(rest);
      this.#bytes = target;
      this.#end = rest.length;
      this.#start = 0;
    }
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }
}
