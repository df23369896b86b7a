import { Buffer } from 'node:buffer';
import { type Columns, noEntry, rootEntry } from '../columns/columns.ts';
import { hasWord } from './match-find.ts';
import { compilePattern, type NamePattern } from './name-pattern.ts';
import type { FindQuery, FindWord } from './parse-find.ts';
import { type NameScan, scanHits } from './scan-names.ts';

/** Whether a word is in the names of a folder or the folders above it. */
const notComputed = 0;
const isAbsent = 1;
const isPresent = 2;

/** The words of a query, and the names that contain them. */
export class QueryWords {
  readonly #columns: Columns;
  readonly #query: FindQuery;
  /** The folder below which entries are found. */
  readonly #top: number;
  /** The names below that folder. */
  readonly #scan: NameScan;
  /** The words in UTF-8. */
  readonly texts: readonly Buffer[];
  /** The patterns among the words, by the index of the word. */
  readonly patterns: readonly (NamePattern | null)[];
  /** For each word and folder slot: whether the word is in the name of the folder or of one above it. */
  readonly #above: (Uint8Array | undefined)[] = [];
  /** For each word whose folders are marked: whether there are any. */
  readonly #isInFolders: (boolean | undefined)[] = [];

  constructor(scan: NameScan, query: FindQuery, top: number) {
    this.#scan = scan;
    this.#columns = scan.columns;
    this.#query = query;
    this.#top = top;
    this.texts = query.words.map(({ text }) => Buffer.from(text));
    this.patterns = query.words.map(({ text, isPattern }) => (isPattern ? compilePattern(text) : null));
  }

  /** Returns the text that every name with a word contains: the word itself, or the longest part of a pattern without wildcards. */
  literalOf(index: number): Buffer {
    const word = this.#query.words[index] as FindWord;
    return word.isPattern ? longestLiteral(word.text) : (this.texts[index] ?? Buffer.alloc(0));
  }

  /**
   * Whether all other words are in the name of an entry or above it, and no earlier word than `driver` is in its name: otherwise that word
   * has offered the entry already.
   */
  hasOthers(entry: number, driver: number): boolean {
    const { words, isCaseSensitive } = this.#query;
    const word = words[driver] as FindWord;
    if ((word.isPattern || isCaseSensitive) && !this.isInName(entry, driver)) return false;
    for (let other = 0; other < words.length; other++) {
      if (other === driver) continue;
      const parent = this.#columns.parentOf(entry);
      if (other < driver) {
        if (!this.isAbove(parent, other) || this.isInName(entry, other)) return false;
      } else if (!this.isInName(entry, other) && !this.isAbove(parent, other)) return false;
    }
    return true;
  }

  /** Whether a word is in the name of an entry. */
  isInName(entry: number, index: number): boolean {
    const { words, isCaseSensitive } = this.#query;
    const word = words[index] as FindWord;
    const columns = this.#columns;
    const start = columns.offsets[entry] ?? 0;
    if (isCaseSensitive) return hasWord(word, columns.nameOf(entry), columns.names.readFolded(start), true);
    const end = columns.nameEndOf(entry);
    const pattern = this.patterns[index];
    if (pattern != null) return pattern.matches(columns.names.bytes, start, end);
    return contains(columns.names.bytes, start, end, this.texts[index] as Buffer);
  }

  /** Whether the names with a word are found by scanning for it. */
  #isScanned(index: number): boolean {
    return this.patterns[index] == null && !this.#query.isCaseSensitive && this.texts[index]?.length !== 0;
  }

  /**
   * Finds the folders whose names contain a word, unless {@link QueryWords.isAbove} has begun to compare them one by one. Must not be called
   * while the names are scanned for another one. Returns false if there are none.
   */
  markFolders(index: number): boolean {
    if (this.#above[index] !== undefined || !this.#isScanned(index)) return true;
    const columns = this.#columns;
    const states = new Uint8Array(columns.folders.count);
    let isInAny = false;
    scanHits(this.#scan, this.texts[index] as Buffer, (found, count) => {
      for (let i = 0; i < count; i++) {
        const entry = columns.entryAt(found[i] ?? 0);
        if (!columns.isFolder(entry) || columns.isRemoved(entry)) continue;
        states[columns.slotOf(entry)] = isPresent;
        isInAny = true;
      }
      return true;
    });
    this.#above[index] = states;
    this.#isInFolders[index] = isInAny;
    return isInAny;
  }

  /** Whether a word is in the name of `folder`, or of a folder between it and the top. */
  isAbove(folder: number, index: number): boolean {
    const columns = this.#columns;
    if (folder === this.#top || folder === noEntry) return false;
    const isInAny = this.#isInFolders[index];
    if (isInAny === false) return false;
    const states = (this.#above[index] ??= new Uint8Array(columns.folders.count));
    const known = states[columns.slotOf(folder)];
    if (known !== notComputed) return known === isPresent;
    const pending: number[] = [];
    let at = folder;
    let isIn = false;
    for (;;) {
      if (at === this.#top || at === rootEntry || at === noEntry) break;
      const state = states[columns.slotOf(at)];
      if (state !== notComputed) {
        isIn = state === isPresent;
        break;
      }
      pending.push(at);
      at = columns.parentOf(at);
    }
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      // Folders that have it in their own names are marked already.
      isIn ||= isInAny === undefined && this.isInName(next, index);
      states[columns.slotOf(next)] = isIn ? isPresent : isAbsent;
    }
    return isIn;
  }

  /** Whether all words but one are in the name of an entry or above it. */
  hasAllBut(entry: number, index: number): boolean {
    const parent = this.#columns.parentOf(entry);
    for (let other = 0; other < this.#query.words.length; other++)
      if (other !== index && !this.isInName(entry, other) && !this.isAbove(parent, other)) return false;
    return true;
  }
}

/** Whether `text` is in a part of `bytes`. */
function contains(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  const { length } = text;
  const first = text[0];
  outer: for (let at = start; at + length <= end; at++) {
    if (bytes[at] !== first) continue;
    for (let i = 1; i < length; i++) if (bytes[at + i] !== text[i]) continue outer;
    return true;
  }
  return false;
}

/** The longest part of a pattern without wildcards. */
function longestLiteral(pattern: string): Buffer {
  let longest = '';
  for (const part of pattern.split(/[*?]/)) if (part.length > longest.length) longest = part;
  return Buffer.from(longest);
}
