import { LimitedMap } from '../../limited-map.ts';
import { decodeStream } from './decode-stream.ts';
import { isDigit, isSpace, PdfLexer } from './pdf-lexer.ts';
import {
  isDictionary,
  nameText,
  type PdfDictionary,
  PdfError,
  PdfKeyword,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './pdf-values.ts';

/** The maximum number of objects of a file. */
const maxObjects = 1_000_000;
/** The maximum length of a chain of references. */
const maxReferences = 32;
/** The maximum number of cached objects. */
const maxCached = 20_000;
/** The maximum size of all decoded object streams, in bytes. */
const maxObjectStreamBytes = 64 * 1024 * 1024;
/** The maximum number of pages, and the maximum depth of their tree. */
const maxPages = 20_000;
const maxPageDepth = 64;

/** The position of an object: in the file, or in a decoded object stream. */
interface ObjectPosition {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** A page: its contents in order, and the resources that it uses or inherits. */
export interface PdfPage {
  readonly contents: readonly PdfStream[];
  readonly resources: PdfDictionary;
}

const noEntries: PdfDictionary = new Map();

/**
 * The objects of a PDF file. They are found by their beginnings (`12 0 obj`) instead of the cross-reference table, which is wrong in
 * many files; of several objects with a number the last one counts.
 */
export class PdfDocument {
  readonly #bytes: Buffer;
  readonly #positions = new Map<number, ObjectPosition>();
  readonly #cache = new LimitedMap<number, PdfValue>(maxCached);

  /** Throws {@link PdfError} for a file that is not a PDF, or is encrypted. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!this.#bytes.subarray(0, 1024).includes('%PDF-')) throw new PdfError('the file is not a PDF');
    if (this.#isEncrypted()) throw new PdfError('the file is encrypted');
    this.#findObjects();
  }

  #isEncrypted(): boolean {
    const mark = '/Encrypt';
    for (let at = this.#bytes.indexOf(mark); at >= 0; at = this.#bytes.indexOf(mark, at + 1)) {
      const value = new PdfLexer(this.#bytes, at + mark.length).next();
      if (value instanceof PdfReference || isDictionary(value)) return true;
    }
    return false;
  }

  #findObjects(): void {
    const found: { number: number; offset: number }[] = [];
    for (let at = this.#bytes.indexOf('obj'); at >= 0; at = this.#bytes.indexOf('obj', at + 3)) {
      const number = this.#numberBefore(at);
      if (number === null) continue;
      if (found.length >= maxObjects) throw new PdfError('too many objects');
      found.push({ number, offset: at + 3 });
    }
    const streams = this.#objectStreamsAmong(found);
    let budget = maxObjectStreamBytes;
    for (const { number, offset } of found) {
      this.#positions.set(number, { bytes: this.#bytes, offset });
      if (!streams.has(offset)) continue;
      budget -= this.#addObjectStream(offset, budget);
      // Later objects may replace those that were read for the length of this one.
      this.#cache.clear();
    }
  }

  /** Returns the object number in front of the keyword `obj`; null if there is none, as in `endobj`. */
  #numberBefore(keyword: number): number | null {
    let at = keyword - 1;
    const skip = (test: (byte: number | undefined) => boolean): boolean => {
      const start = at;
      while (at >= 0 && start - at < 12 && test(this.#bytes[at])) at -= 1;
      return at < start;
    };
    if (!skip(isSpace) || !skip(isDigit) || !skip(isSpace)) return null;
    const end = at + 1;
    return skip(isDigit) ? Number(this.#bytes.toString('latin1', at + 1, end)) : null;
  }

  /** Returns the offsets of the objects that are object streams. */
  #objectStreamsAmong(found: readonly { readonly offset: number }[]): ReadonlySet<number> {
    const streams = new Set<number>();
    let index = 0;
    for (let at = this.#bytes.indexOf('/ObjStm'); at >= 0; at = this.#bytes.indexOf('/ObjStm', at + 1)) {
      while (index + 1 < found.length && (found[index + 1]?.offset ?? 0) <= at) index += 1;
      const offset = found[index]?.offset;
      if (offset !== undefined && offset <= at) streams.add(offset);
    }
    return streams;
  }

  /** Adds the objects of an object stream (ISO 32000-1 §7.5.7). Returns its decoded size. */
  #addObjectStream(offset: number, budget: number): number {
    const stream = this.#read({ bytes: this.#bytes, offset });
    if (!(stream instanceof PdfStream) || nameText(stream.dictionary.get('Type')) !== 'ObjStm') return 0;
    const content = this.decode(stream);
    if (content.length > budget) throw new PdfError('the object streams are too large');
    const count = this.resolve(stream.dictionary.get('N'));
    const first = this.resolve(stream.dictionary.get('First'));
    if (typeof count !== 'number' || typeof first !== 'number') return content.length;
    const header = new PdfLexer(content, 0, false);
    for (let i = 0; i < count && header.position < content.length; i++) {
      const [number, inner] = [header.value(), header.value()];
      if (typeof number !== 'number' || typeof inner !== 'number') break;
      this.#positions.set(number, { bytes: content, offset: first + inner });
      if (this.#positions.size > maxObjects) throw new PdfError('too many objects');
    }
    return content.length;
  }

  /** Reads the object at a position. */
  #read({ bytes, offset }: ObjectPosition): PdfValue {
    const lexer = new PdfLexer(bytes, offset);
    const value = lexer.value();
    if (!isDictionary(value) || bytes !== this.#bytes) return value;
    const after = lexer.next();
    return after instanceof PdfKeyword && after.word === 'stream'
      ? new PdfStream(value, this.#streamData(value, lexer.position))
      : value;
  }

  #streamData(dictionary: PdfDictionary, keywordEnd: number): Uint8Array {
    let start = keywordEnd;
    if (this.#bytes[start] === 0x0d) start += 1;
    if (this.#bytes[start] === 0x0a) start += 1;
    const length = this.resolve(dictionary.get('Length'));
    if (typeof length === 'number' && length >= 0 && start + length <= this.#bytes.length) {
      const end = start + length;
      if (this.#bytes.subarray(end, end + 12).includes('endstr')) return this.#bytes.subarray(start, end);
    }
    const end = this.#bytes.indexOf('endstream', start);
    return this.#bytes.subarray(start, end < 0 ? this.#bytes.length : end);
  }

  /** Follows references. Missing objects are null. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current: PdfValue = value ?? null;
    for (let i = 0; current instanceof PdfReference; i++) {
      if (i > maxReferences) return null;
      current = this.#load(current.number);
    }
    return current;
  }

  #load(number: number): PdfValue {
    const cached = this.#cache.get(number);
    if (cached !== undefined) return cached;
    const position = this.#positions.get(number);
    // An object that refers to itself, such as a stream by its length, finds null.
    this.#cache.set(number, null);
    const value = position === undefined ? null : this.#read(position);
    this.#cache.set(number, value);
    return value;
  }

  /** Returns the dictionary that a value leads to; an empty one for any other value. For a stream it is that of the stream. */
  dictionary(value: PdfValue | undefined): PdfDictionary {
    const resolved = this.resolve(value);
    if (resolved instanceof PdfStream) return resolved.dictionary;
    return isDictionary(resolved) ? resolved : noEntries;
  }

  /** Returns the content of a stream; see {@link decodeStream}. */
  decode({ dictionary, data }: PdfStream): Uint8Array {
    return decodeStream(dictionary, data, (value) => this.resolve(value));
  }

  /** Returns the root of the page tree of the latest document catalog in the file. Throws {@link PdfError} without one. */
  #pageTree(): PdfValue {
    for (let at = this.#bytes.lastIndexOf('/Root'); at >= 0; at = this.#bytes.lastIndexOf('/Root', at - 1)) {
      const catalog = this.dictionary(new PdfLexer(this.#bytes, at + '/Root'.length).value());
      const pages = catalog.get('Pages');
      if (pages !== undefined) return pages;
      if (at === 0) break;
    }
    for (const number of this.#positions.keys()) {
      const object = this.dictionary(new PdfReference(number));
      const pages = object.get('Pages');
      if (nameText(object.get('Type')) === 'Catalog' && pages !== undefined) return pages;
    }
    throw new PdfError('the file has no pages');
  }

  /** Yields the pages in order. Throws {@link PdfError}. */
  *pages(): Generator<PdfPage> {
    const seen = new Set<number>();
    let count = 0;
    const pending: { node: PdfValue; resources: PdfDictionary; depth: number }[] = [
      { node: this.#pageTree(), resources: noEntries, depth: 0 },
    ];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { node, depth } = next;
      if (node instanceof PdfReference) {
        if (seen.has(node.number)) continue;
        seen.add(node.number);
      }
      const dictionary = this.dictionary(node);
      const own = dictionary.get('Resources');
      const resources = own === undefined ? next.resources : this.dictionary(own);
      const kids = this.resolve(dictionary.get('Kids'));
      if (Array.isArray(kids) && depth < maxPageDepth) {
        for (const kid of (kids as readonly PdfValue[]).toReversed())
          pending.push({ node: kid, resources, depth: depth + 1 });
      } else if (dictionary.has('Contents')) {
        if ((count += 1) > maxPages) return;
        yield { contents: this.#contentsOf(dictionary), resources };
      }
    }
  }

  #contentsOf(page: PdfDictionary): PdfStream[] {
    const contents = this.resolve(page.get('Contents'));
    const list = Array.isArray(contents) ? (contents as readonly PdfValue[]) : [contents];
    return list.map((item) => this.resolve(item)).filter((item) => item instanceof PdfStream);
  }
}
