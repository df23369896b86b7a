/** Size of the beginning that is kept, in bytes: it is read twice, because the media type is detected before the content is sent. */
const headBytes = 64 * 1024;

/** Random access to content that can only be read from its beginning. Reading backwards starts over. */
export class SequentialReader {
  readonly #open: () => AsyncGenerator<Uint8Array>;
  #pieces: AsyncGenerator<Uint8Array> | null = null;
  /** The current piece, and its offset in the content. */
  #piece = new Uint8Array(0);
  #offset = 0;
  /** The kept beginning of the content. */
  #head = new Uint8Array(0);

  constructor(open: () => AsyncGenerator<Uint8Array>) {
    this.#open = open;
  }

  /** Fills `buffer` from `position`; resolves to the number of bytes read, 0 at the end. */
  async read(buffer: Uint8Array, position: number): Promise<number> {
    if (position < this.#head.length) {
      const part = this.#head.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    }
    if (this.#pieces === null || position < this.#offset) await this.#restart();
    while (position >= this.#offset + this.#piece.length) {
      const next = await this.#pieces?.next();
      if (next === undefined || next.done === true) return 0;
      this.#offset += this.#piece.length;
      this.#piece = Uint8Array.from(next.value);
      this.#keepHead();
    }
    const start = position - this.#offset;
    const part = this.#piece.subarray(start, start + buffer.length);
    buffer.set(part);
    return part.length;
  }

  /** Ends reading. */
  async close(): Promise<void> {
    await this.#pieces?.return(undefined);
    this.#pieces = null;
  }

  async #restart(): Promise<void> {
    await this.close();
    this.#pieces = this.#open();
    this.#piece = new Uint8Array(0);
    this.#offset = 0;
  }

  #keepHead(): void {
    const missing = headBytes - this.#head.length;
    if (this.#offset !== this.#head.length || missing <= 0) return;
    const added = this.#piece.subarray(0, missing);
    const head = new Uint8Array(this.#head.length + added.length);
    head.set(this.#head);
    head.set(added, this.#head.length);
    this.#head = head;
  }
}
