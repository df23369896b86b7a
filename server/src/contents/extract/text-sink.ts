/** The size of the pieces in which text is collected, in UTF-16 code units. */
const pieceLength = 64 * 1024;

/** Collects the text of a document up to a maximum length. Later text is dropped. */
export class TextSink {
  readonly #maxLength: number;
  readonly #pieces: string[] = [];
  #piece = '';
  #length = 0;

  /** @param maxLength in UTF-16 code units */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Whether further text is dropped. */
  get isFull(): boolean {
    return this.#length >= this.#maxLength;
  }

  add(text: string): void {
    const room = this.#maxLength - this.#length;
    const added = text.length > room ? text.slice(0, Math.max(room, 0)) : text;
    this.#piece += added;
    this.#length += added.length;
    if (this.#piece.length >= pieceLength) {
      this.#pieces.push(this.#piece);
      this.#piece = '';
    }
  }

  /** Separates words, unless the text ends with a separator. */
  space(separator: ' ' | '\n' = ' '): void {
    const last = this.#piece === '' ? this.#pieces.at(-1)?.at(-1) : this.#piece.at(-1);
    if (last !== undefined && last !== ' ' && last !== '\n') this.add(separator);
  }

  /** Removes the hyphen at the end of a line whose word continues; returns whether there was one. */
  joinHyphen(): boolean {
    if (!/\p{Ll}[-\u2010]$/u.test(this.#piece.slice(-3))) return false;
    this.#piece = this.#piece.slice(0, -1);
    this.#length -= 1;
    return true;
  }

  /** The collected text, without lone surrogates, NUL and soft hyphens. */
  text(): string {
    return [...this.#pieces, this.#piece]
      .join('')
      .replaceAll(/[\0\u00AD]/g, '')
      .toWellFormed();
  }
}
