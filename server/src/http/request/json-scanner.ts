import { AppError } from '../../errors.ts';

/** Maximum nesting depth of a JSON body. */
const maxDepth = 64;
/** Approximate size, in bytes, of the parts in which the members of a list are parsed. */
const defaultPartBytes = 64 * 1024;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Position of a list's members in a body: byte offsets without the brackets and without the commas between
 * parts.
 */
export interface ListPosition {
  readonly parts: { readonly start: number; readonly end: number }[];
}

/**
 * Scans the bytes of a JSON body as they arrive, so that a hostile body is rejected before it is parsed:
 * limits depth and elements, and locates the long lists of the outermost object that can be parsed in parts.
 * It does not validate anything else, because `JSON.parse` reads every byte afterwards.
 */
export class JsonScanner {
  readonly #maxElements: number;
  readonly #partBytes: number;
  readonly #lists: ListPosition[] = [];
  #offset = 0;
  #depth = 0;
  #elements = 0;
  #isInString = false;
  #isEscaped = false;
  #isObject = false;
  #partStart = -1;

  constructor(maxElements: number, partBytes = defaultPartBytes) {
    this.#maxElements = maxElements;
    this.#partBytes = partBytes;
  }

  /** The lists that are members of the outermost object, in order. */
  get lists(): readonly ListPosition[] {
    return this.#lists;
  }

  /**
   * Scans the next bytes. Throws `payload_too_large` for too many elements and `bad_request` for too many
   * levels.
   */
  scan(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isInString = false;
      } else if (byte === quote) this.#isInString = true;
      else if (byte === comma) this.#separate(this.#offset + index);
      else if (byte === openBracket || byte === openBrace) this.#open(byte, this.#offset + index);
      else if (byte === closeBracket || byte === closeBrace) this.#close(byte, this.#offset + index);
    }
    this.#offset += chunk.length;
  }

  #count(): void {
    if (++this.#elements > this.#maxElements) {
      throw new AppError('payload_too_large', `the body has more than ${this.#maxElements} elements`);
    }
  }

  #separate(offset: number): void {
    this.#count();
    if (this.#depth !== 2 || this.#partStart < 0 || offset - this.#partStart < this.#partBytes) return;
    this.#endPart(offset);
    this.#partStart = offset + 1;
  }

  #open(byte: number, offset: number): void {
    this.#count();
    if (this.#depth === 0) this.#isObject = byte === openBrace;
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw new AppError('bad_request', `the body has more than ${maxDepth} levels`);
    if (this.#depth === 2 && this.#isObject && byte === openBracket) {
      this.#lists.push({ parts: [] });
      this.#partStart = offset + 1;
    }
  }

  #close(byte: number, offset: number): void {
    if (this.#depth === 2 && this.#partStart >= 0) {
      if (byte !== closeBracket) throw new AppError('bad_request', 'the body is not JSON');
      this.#endPart(offset);
      this.#partStart = -1;
    }
    this.#depth -= 1;
    if (this.#depth < 0) throw new AppError('bad_request', 'the body is not JSON');
  }

  #endPart(end: number): void {
    this.#lists.at(-1)?.parts.push({ start: this.#partStart, end });
  }
}
