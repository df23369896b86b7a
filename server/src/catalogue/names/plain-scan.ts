/** Finds the positions at which a string occurs in a part of the memory. */
export interface TextScanner {
  /**
   * Writes positions in [`from`, `to`) at which `text` begins into {@link TextScanner.found}, in ascending order, overlapping
   * ones included. Stops when `found` is full. Returns the number of positions; {@link TextScanner.next} is where to continue.
   */
  scan(from: number, to: number): number;
  /** The text to find; at most {@link maxScannedText} bytes, not empty. */
  setText(text: Uint8Array): void;
  readonly found: Uint32Array;
  readonly next: number;
}

/** The maximum length of a string that is scanned for, in bytes. */
export const maxScannedText = 1024;
/** The maximum number of positions of one call. */
export const maxFound = 65_536;

/** Scans `bytes()` with the search of `Buffer`. The reference for the kernel, and its replacement where that cannot run. */
export class PlainScanner implements TextScanner {
  readonly found = new Uint32Array(maxFound);
  next = 0;
  #text: Buffer = Buffer.alloc(0);
  readonly #bytes: () => Uint8Array;

  constructor(bytes: () => Uint8Array) {
    this.#bytes = bytes;
  }

  setText(text: Uint8Array): void {
    this.#text = Buffer.from(text);
  }

  scan(from: number, to: number): number {
    const bytes = this.#bytes();
    const part = Buffer.from(
      bytes.buffer,
      bytes.byteOffset,
      Math.min(to + this.#text.length - 1, bytes.length),
    );
    let count = 0;
    let position = part.indexOf(this.#text, from);
    while (position >= 0 && position < to) {
      if (count === maxFound) {
        this.next = position;
        return count;
      }
      this.found[count++] = position;
      position = part.indexOf(this.#text, position + 1);
    }
    this.next = to;
    return count;
  }
}
