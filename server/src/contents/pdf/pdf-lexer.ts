import { PdfError, PdfKeyword, PdfName, PdfReference, type PdfValue } from './pdf-values.ts';

/** Nested arrays and dictionaries beyond this depth are an error. */
const maxDepth = 100;

/** Whether a byte is white space (ISO 32000-1, table 1). */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0;
export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;
const delimiters = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)));
const isRegular = (byte: number): boolean => !isSpace(byte) && !delimiters.has(byte);

/** Returns the value of a hexadecimal digit; -1 for another byte. */
function hexValue(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const escapes = new Map([...'nrtbf'].map((letter, i) => [letter.charCodeAt(0), '\n\r\t\b\f'.charCodeAt(i)]));

const asciiText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** Reads values and keywords one after the other (ISO 32000-1 §7.2). */
export class PdfLexer {
  /** The offset of the next byte. */
  position: number;
  readonly #bytes: Uint8Array;
  readonly #hasReferences: boolean;

  /** @param hasReferences whether `12 0 R` is a reference, as everywhere except in content streams */
  constructor(bytes: Uint8Array, position = 0, hasReferences = true) {
    this.#bytes = bytes;
    this.position = position;
    this.#hasReferences = hasReferences;
  }

  #peek(ahead = 0): number {
    return this.#bytes[this.position + ahead] ?? -1;
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#peek();
      if (isSpace(byte)) this.position += 1;
      else if (byte === 0x25) this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    for (let byte = this.#peek(); byte !== 0x0a && byte !== 0x0d && byte !== -1; byte = this.#peek())
      this.position += 1;
  }

  /** Returns the next value or keyword; undefined at the end. Throws {@link PdfError}. */
  next(depth = 0): PdfValue | PdfKeyword | undefined {
    if (depth > maxDepth) throw new PdfError('nested too deeply');
    this.#skipSpace();
    const byte = this.#peek();
    if (byte === -1) return undefined;
    if (byte === 0x2f) return this.#name();
    if (byte === 0x28) return this.#literalString();
    if (byte === 0x5b) return this.#array(depth);
    if (byte === 0x3c) return this.#peek(1) === 0x3c ? this.#dictionary(depth) : this.#hexString();
    if (isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e) return this.#number();
    if (delimiters.has(byte)) {
      const length = byte === 0x3e && this.#peek(1) === 0x3e ? 2 : 1;
      this.position += length;
      return new PdfKeyword(length === 2 ? '>>' : String.fromCharCode(byte));
    }
    return this.#word();
  }

  /** Reads a value. Keywords that are not values become null. */
  value(depth = 0): PdfValue {
    const value = this.next(depth);
    return value === undefined || value instanceof PdfKeyword ? null : value;
  }

  #regular(): Uint8Array {
    const start = this.position;
    while (isRegular(this.#peek()) && this.#peek() !== -1) this.position += 1;
    return this.#bytes.subarray(start, this.position);
  }

  #word(): PdfValue | PdfKeyword {
    const word = asciiText(this.#regular());
    if (word === 'true') return true;
    if (word === 'false') return false;
    return word === 'null' ? null : new PdfKeyword(word);
  }

  #name(): PdfName {
    this.position += 1;
    const text = asciiText(this.#regular());
    return new PdfName(
      text.includes('#')
        ? text.replaceAll(/#([\da-f]{2})/gi, (_whole, digits: string) =>
            String.fromCharCode(parseInt(digits, 16)),
          )
        : text,
    );
  }

  #number(): number | PdfReference {
    const start = this.position;
    let sign = 1;
    for (let byte = this.#peek(); byte === 0x2b || byte === 0x2d; byte = this.#peek()) {
      if (byte === 0x2d) sign = -1;
      this.position += 1;
    }
    let value = 0;
    while (isDigit(this.#peek())) {
      value = value * 10 + this.#peek() - 0x30;
      this.position += 1;
    }
    if (this.#peek() === 0x2e) {
      this.position += 1;
      for (let scale = 0.1; isDigit(this.#peek()); scale /= 10) {
        value += (this.#peek() - 0x30) * scale;
        this.position += 1;
      }
    } else if (this.#hasReferences && isDigit(this.#bytes[start] ?? -1) && this.#skipReference()) {
      return new PdfReference(value);
    }
    // Damaged numbers such as `1-2` are read up to their first wrong character.
    if (this.position === start || isRegular(this.#peek())) this.#regular();
    return sign * value;
  }

  /** After the object number of a reference, skips its rest ` 0 R`. Returns false for any other text. */
  #skipReference(): boolean {
    let at = this.position;
    const byteAt = (): number => this.#bytes[at] ?? -1;
    if (!isSpace(byteAt())) return false;
    while (isSpace(byteAt())) at += 1;
    if (!isDigit(byteAt())) return false;
    while (isDigit(byteAt())) at += 1;
    if (!isSpace(byteAt())) return false;
    while (isSpace(byteAt())) at += 1;
    if (byteAt() !== 0x52) return false;
    at += 1;
    if (byteAt() !== -1 && isRegular(byteAt())) return false;
    this.position = at;
    return true;
  }

  #literalString(): Uint8Array {
    this.position += 1;
    const bytes: number[] = [];
    for (let depth = 1; ;) {
      const byte = this.#peek();
      if (byte === -1) break;
      this.position += 1;
      if (byte === 0x5c) this.#escape(bytes);
      else {
        if (byte === 0x28) depth += 1;
        else if (byte === 0x29 && (depth -= 1) === 0) break;
        bytes.push(byte);
      }
    }
    return Uint8Array.from(bytes);
  }

  #escape(bytes: number[]): void {
    const byte = this.#peek();
    if (byte === -1) return;
    this.position += 1;
    if (byte >= 0x30 && byte <= 0x37) {
      let value = byte - 0x30;
      for (let i = 0; i < 2 && this.#peek() >= 0x30 && this.#peek() <= 0x37; i++) {
        value = value * 8 + this.#peek() - 0x30;
        this.position += 1;
      }
      bytes.push(value & 0xff);
    } else if (byte === 0x0d) {
      if (this.#peek() === 0x0a) this.position += 1;
    } else if (byte !== 0x0a) bytes.push(escapes.get(byte) ?? byte);
  }

  #hexString(): Uint8Array {
    this.position += 1;
    const digits: number[] = [];
    for (let byte = this.#peek(); byte !== -1; byte = this.#peek()) {
      this.position += 1;
      if (byte === 0x3e) break;
      const value = hexValue(byte);
      if (value >= 0) digits.push(value);
    }
    return Uint8Array.from(
      { length: Math.ceil(digits.length / 2) },
      (_, i) => (digits[2 * i] ?? 0) * 16 + (digits[2 * i + 1] ?? 0),
    );
  }

  #array(depth: number): PdfValue[] {
    this.position += 1;
    const items: PdfValue[] = [];
    for (;;) {
      const item = this.next(depth + 1);
      if (item === undefined || (item instanceof PdfKeyword && item.word === ']')) return items;
      if (!(item instanceof PdfKeyword)) items.push(item);
    }
  }

  #dictionary(depth: number): Map<string, PdfValue> {
    this.position += 2;
    const entries = new Map<string, PdfValue>();
    for (;;) {
      const key = this.next(depth + 1);
      if (key === undefined || (key instanceof PdfKeyword && key.word === '>>')) return entries;
      if (!(key instanceof PdfName)) continue;
      const value = this.next(depth + 1);
      if (value === undefined || (value instanceof PdfKeyword && value.word === '>>')) return entries;
      if (!(value instanceof PdfKeyword)) entries.set(key.name, value);
    }
  }
}
