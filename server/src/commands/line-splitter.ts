import { StringDecoder } from 'node:string_decoder';

/** Splits a stream of bytes into lines of text without their line endings. Invalid UTF-8 becomes U+FFFD. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #maxLength: number;
  readonly #onLine: (line: string) => void;
  #rest = '';

  /** Longer lines are split into pieces of `maxLength` characters. */
  constructor(maxLength: number, onLine: (line: string) => void) {
    this.#maxLength = maxLength;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#append(this.#decoder.write(chunk));
  }

  /** Ends the stream; the remaining text is the last line. */
  end(): void {
    this.#append(this.#decoder.end());
    if (this.#rest !== '') this.#emit(this.#rest);
    this.#rest = '';
  }

  #append(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#emit(line.endsWith('\r') ? line.slice(0, -1) : line);
    while (this.#rest.length > this.#maxLength) {
      this.#onLine(this.#rest.slice(0, this.#maxLength));
      this.#rest = this.#rest.slice(this.#maxLength);
    }
  }

  #emit(line: string): void {
    if (line === '') this.#onLine('');
    for (let start = 0; start < line.length; start += this.#maxLength) {
      this.#onLine(line.slice(start, start + this.#maxLength));
    }
  }
}
