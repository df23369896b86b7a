import { AppError } from '../../../errors.ts';

/** Returns the error of an archive whose header contradicts itself or ends too early. */
export const damaged = (detail: string): AppError => new AppError('archive_damaged', detail);

/** Reads the fields of a 7z header from its beginning. Reading past the end throws `archive_damaged`. */
export class HeaderReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The number of bytes that have not been read. */
  get left(): number {
    return this.#bytes.length - this.#position;
  }

  /** Reads `count` bytes. They are not copied. */
  bytes(count: number): Buffer {
    if (count > this.left) throw damaged('the header is truncated');
    const start = this.#position;
    this.#position += count;
    return this.#bytes.subarray(start, this.#position);
  }

  byte(): number {
    const value = this.#bytes[this.#position];
    if (value === undefined) throw damaged('the header is truncated');
    this.#position += 1;
    return value;
  }

  uint32(): number {
    return this.bytes(4).readUInt32LE();
  }

  uint64(): bigint {
    return this.bytes(8).readBigUInt64LE();
  }

  /**
   * Reads a number of one to nine bytes: the leading ones of the first byte count the following bytes, its other bits are the highest
   * of the number.
   */
  number(): number {
    const first = this.byte();
    let value = 0;
    for (let index = 0; index < 8; index++) {
      const mask = 0x80 >> index;
      if ((first & mask) === 0) return assertSafe(value + (first & (mask - 1)) * 2 ** (8 * index));
      value += this.byte() * 2 ** (8 * index);
    }
    return assertSafe(value);
  }

  /** Reads the number of items of a list, which must not exceed `most`. Throws `archive_too_large`. */
  count(most: number): number {
    const count = this.number();
    if (count > most) throw new AppError('archive_too_large');
    return count;
  }

  /** Reads `count` bits, the highest of a byte first. */
  bits(count: number): boolean[] {
    const bytes = this.bytes(Math.ceil(count / 8));
    return Array.from(
      { length: count },
      (_, index) => ((bytes[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0,
    );
  }

  /** Reads the presence of `count` values: all are present if the first byte is not 0; otherwise bits follow. */
  presence(count: number): boolean[] {
    return this.byte() === 0 ? this.bits(count) : Array.from({ length: count }, () => true);
  }

  /** Throws unless the values follow directly: they may be in another stream, which no program uses. */
  assertInline(): void {
    if (this.byte() !== 0) throw damaged('parts of the header are in another stream');
  }
}

/** Throws `archive_damaged` for a number that is larger than any position in a file. */
function assertSafe(value: number): number {
  if (!Number.isSafeInteger(value)) throw damaged('a number in the header is too large');
  return value;
}
