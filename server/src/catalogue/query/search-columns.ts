import { Buffer } from 'node:buffer';
import { compareNames } from '@filestead/contract/paths/natural-order';
import type { FindSort } from '@filestead/contract/values/find-sorts';
import { BoundedHeap } from './bounded-heap.ts';
import { type Columns, noEntry, rootEntry } from '../columns/columns.ts';
import { entryKinds, type CatalogueKind, fileKind } from '../columns/entry-kinds.ts';
import type { EntryVisibility } from '../entry-visibility.ts';
import { hasFilters, passesFilters } from './match-find.ts';
import type { FindQuery, FindWord } from './parse-find.ts';
import { intervalsBelow } from './intervals-below.ts';
import { QueryWords } from './query-words.ts';
import { matchClass, nameStart, Ranker, similarName, wholeName } from './rank.ts';
import { type NameScan, occursInNames, scanHits, scanNames } from './scan-names.ts';
import { isSimilar, mayBeSimilar, mayBeSimilarAt, piecesOf } from './similar.ts';

/** A search in the catalogue. */
export interface ColumnSearch {
  readonly query: FindQuery;
  /** The folder below which entries are found. */
  readonly top: number;
  /** The folder that is open; `noEntry` without one. */
  readonly near: number;
  /** The points of recent entries of the user; see `usePoints`. */
  readonly used: ReadonlyMap<number, number>;
  /** The entries below `top` to which the search is restricted; null without a restriction. */
  readonly only: ReadonlySet<number> | null;
  readonly limit: number;
  /**
   * The number of best entries that are left out. With it, also with 0, equally good entries are in the order of the columns instead of
   * that of their names, so that pages neither overlap nor have gaps.
   */
  readonly offset?: number | undefined;
  readonly sort: FindSort;
  readonly isDescending: boolean;
  /** Unix seconds. */
  readonly now: number;
  /** Whether the search was cancelled; called between slices. */
  readonly isStopped: () => boolean;
}

/** A found entry. */
export interface ColumnRow {
  /** From the searched folder, without a leading slash. */
  readonly path: string;
  readonly kind: CatalogueKind;
  /** Bytes; 0 for everything but files. */
  readonly size: number;
  /** Unix seconds. */
  readonly time: number;
  /** The name differs from the query by a typing error. */
  readonly isSimilar: boolean;
}

/** The result of a search: the best entries, in order. */
export interface ColumnResult {
  readonly rows: readonly ColumnRow[];
  /** Whether more entries match. */
  readonly hasMore: boolean;
}

/** The number of entries that are visited between two checks for cancellation. */
const sliceEntries = 65_536;
/** With fewer results than this, names with a typing error are added. */
const enoughResults = 20;
/** The number of candidates for each result that are kept before the visibility of the user is consulted. */
const candidatesPerResult = 2;

interface Candidate {
  readonly entry: number;
  /** The value that the order depends on, the better the larger. */
  readonly key: number;
  readonly isSimilar: boolean;
}

/** Thrown to end a search that was cancelled. */
export class SearchStopped extends Error {}

function checkStopped(isStopped: () => boolean): void {
  if (isStopped()) throw new SearchStopped('the search was cancelled');
}

/**
 * One search. Scans the names for each word and keeps the best entries that the user may list. Few of the entries that match are among the
 * best, so whether the user may list them is checked at the end; only if too many of the best are hidden, it is checked for each
 * (`checksEarly`).
 */
class Search {
  readonly #columns: Columns;
  readonly #search: ColumnSearch;
  readonly #visibility: EntryVisibility;
  readonly #heap: BoundedHeap<Candidate>;
  readonly #ranker: Ranker;
  /** The key of the worst kept candidate when there is no more room, otherwise -Infinity. */
  #least = -Infinity;
  readonly #isFiltered: boolean;
  readonly #words: QueryWords;
  readonly #intervals: readonly (readonly [start: number, end: number])[];
  readonly #scan: NameScan;
  /** Whether the intervals may contain entries that are not below the top. */
  readonly #hasStrays: boolean;
  /** All words as they are in a name that consists of them. */
  readonly #whole: Buffer;
  /** Whether only entries that the user may list become candidates. */
  readonly #checksEarly: boolean;
  /** The number of entries that are ranked: those of the page and those before it. */
  readonly #ranked: number;

  constructor(columns: Columns, search: ColumnSearch, visibility: EntryVisibility, checksEarly: boolean) {
    this.#columns = columns;
    this.#search = search;
    this.#visibility = visibility;
    this.#isFiltered = hasFilters(search.query);
    this.#whole = Buffer.from(search.query.words.map(({ text }) => text).join(' '));
    this.#checksEarly = checksEarly || visibility.showsEverything;
    this.#ranked = (search.offset ?? 0) + search.limit;
    // One more shows that there are more.
    const size = (this.#ranked + 1) * (this.#checksEarly ? 1 : candidatesPerResult);
    this.#heap = new BoundedHeap(size, (a, b) => this.#isWorse(a, b));
    this.#intervals = intervalsBelow(columns, search.top);
    const { isStopped } = search;
    this.#scan = { columns, intervals: this.#intervals, checkStopped: () => checkStopped(isStopped) };
    this.#words = new QueryWords(this.#scan, search.query, search.top);
    this.#ranker = new Ranker(columns, search);
    this.#hasStrays =
      search.top !== rootEntry && (columns.strayRuns.length > 0 || columns.ordered < columns.count);
  }

  /** Returns null if the search has to be repeated with `checksEarly`. */
  run(): ColumnResult | null {
    const { words } = this.#search.query;
    if (words.length === 0) this.#visitAll();
    const absent = [...words.keys()].filter((index) => words.length > 1 && !this.#occurs(index));
    if (absent.length === 0)
      for (const driver of words.keys()) {
        // All earlier words have to be in the names of folders.
        if (driver > 0 && !this.#words.markFolders(driver - 1)) break;
        this.#visitHits(driver);
      }
    // Only one word may have a typing error.
    if (words.length > 0 && absent.length < 2 && this.#hasFewResults()) this.#visitSimilar(absent[0]);
    return this.#result();
  }

  #hasFewResults(): boolean {
    if (this.#checksEarly) return this.#heap.size < enoughResults;
    let shown = 0;
    for (const { entry } of this.#heap.items())
      if (this.#visibility.shows(entry) && ++shown === enoughResults) return false;
    // Hidden entries may have displaced others.
    return this.#heap.worst === undefined;
  }

  /** Returns the kept candidates that the user may list; null if others that were not kept may be among the best. */
  #shown(): readonly Candidate[] | null {
    const items = this.#heap.items();
    if (this.#checksEarly) return items;
    const shown: Candidate[] = [];
    for (const candidate of items.toSorted((a, b) => (this.#isWorse(a, b) ? 1 : -1))) {
      if (this.#visibility.shows(candidate.entry)) shown.push(candidate);
      if (shown.length > this.#ranked) return shown;
    }
    return this.#heap.worst === undefined ? shown : null;
  }

  #result(): ColumnResult | null {
    const { top } = this.#search;
    const shown = this.#shown();
    if (shown === null) return null;
    const columns = this.#columns;
    const named = shown.map((candidate) => {
      const path = columns.pathOf(candidate.entry, top);
      return { candidate, key: candidate.key, path, name: path.slice(path.lastIndexOf('/') + 1) };
    });
    const direction = this.#search.sort === 'name' && this.#search.isDescending ? -1 : 1;
    if (this.#search.offset !== undefined)
      named.sort((a, b) => (this.#isWorse(a.candidate, b.candidate) ? 1 : -1));
    else
      named.sort(
        (a, b) =>
          (this.#search.sort === 'name' ? 0 : b.key - a.key) ||
          direction * compareNames(a.name, b.name) ||
          compareNames(a.path, b.path),
      );
    const rows = named
      .slice(this.#search.offset ?? 0, this.#ranked)
      .map(({ candidate: { entry, isSimilar: similar }, path }) => ({
        path,
        kind: entryKinds[columns.kindOf(entry)] ?? 'special',
        size: columns.sizeOf(entry),
        time: columns.timeOf(entry),
        isSimilar: similar,
      }));
    return { rows, hasMore: named.length > this.#ranked };
  }

  #isWorse(a: Candidate, b: Candidate): boolean {
    if (this.#search.sort === 'name') {
      const order = this.#compareByName(a.entry, b.entry);
      if (order !== 0) return this.#search.isDescending ? order < 0 : order > 0;
    }
    return a.key === b.key ? a.entry > b.entry : a.key < b.key;
  }

  #compareByName(a: number, b: number): number {
    return a === b ? 0 : compareNames(this.#columns.nameOf(a), this.#columns.nameOf(b));
  }

  /** Whether a word is in any name of the intervals; true for patterns and case-sensitive words, which may occur. */
  #occurs(index: number): boolean {
    const text = this.#words.texts[index];
    if (this.#words.patterns[index] != null || this.#search.query.isCaseSensitive || text === undefined)
      return true;
    return occursInNames(this.#scan, text);
  }

  /** Offers every entry of the intervals. */
  #visitAll(): void {
    const { only } = this.#search;
    if (only !== null) {
      for (const entry of only) this.#offer(entry, nameStart, -1);
      return;
    }
    for (const [start, end] of this.#intervals) {
      for (let entry = start; entry < end; entry++) {
        if (entry % sliceEntries === 0) this.#scan.checkStopped();
        this.#offer(entry, nameStart, -1);
      }
    }
  }

  /** Offers the entries whose names contain the word `driver` and no earlier one. */
  #visitHits(driver: number): void {
    const word = this.#search.query.words[driver] as FindWord;
    const text = this.#words.literalOf(driver);
    if (text.length === 0) {
      for (const [start, end] of this.#intervals)
        for (let entry = start; entry < end; entry++) {
          if (entry % sliceEntries === 0) this.#scan.checkStopped();
          this.#offer(entry, wholeName, driver);
        }
      return;
    }
    const isRanked = this.#search.sort === 'rank';
    scanNames(
      this.#scan,
      text,
      (entry, matched) => this.#offer(entry, word.isPattern ? wholeName : matched, driver),
      (position) =>
        !isRanked ||
        this.#least === -Infinity ||
        this.#ranker.mayReach(position, this.#least, word.isPattern),
    );
  }

  /** Adds an entry to the results if it is among the best, matches completely and may be shown. */
  #offer(entry: number, matched: number, driver: number): void {
    const columns = this.#columns;
    const { only } = this.#search;
    const least = this.#least;
    if (entry === rootEntry || columns.isRemoved(entry) || only?.has(entry) === false) return;
    // Once there are enough candidates, the points are usually decisive; a later word is usually in names that an earlier one has offered.
    const isDecisive = least !== -Infinity && driver <= 0;
    if (!isDecisive && driver >= 0 && !this.#words.hasOthers(entry, driver)) return;
    const key = this.#keyOf(entry, matched);
    if (key < least) return;
    if (isDecisive && driver >= 0 && !this.#words.hasOthers(entry, driver)) return;
    this.#keep(entry, key, false);
  }

  #keyOf(entry: number, matched: number): number {
    const { sort, isDescending } = this.#search;
    const columns = this.#columns;
    if (sort === 'name') return 0;
    const sign = isDescending ? 1 : -1;
    if (sort === 'size') return columns.kindOf(entry) === fileKind ? sign * columns.sizeOf(entry) : -Infinity;
    if (sort === 'modified') return sign * columns.timeOf(entry);
    const start = columns.offsets[entry] ?? 0;
    const end = columns.nameEndOf(entry);
    const better = matched > 0 ? this.#wholeClass(start, end, matched) : matched;
    return this.#ranker.score(entry, better, end - start, this.#least);
  }

  /** The class of a name that consists of all words of the query. */
  #wholeClass(start: number, end: number, matched: number): number {
    if (this.#search.query.words.length < 2 || matched < nameStart) return matched;
    const { bytes } = this.#columns.names;
    const { length } = this.#whole;
    if (start + length > end) return nameStart;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== this.#whole[i]) return nameStart;
    return matchClass(this.#columns, { start, end, position: start, length });
  }

  #keep(entry: number, key: number, similar: boolean): void {
    if (key < this.#least) return;
    const candidate: Candidate = { entry, key, isSimilar: similar };
    if (!this.#heap.accepts(candidate)) return;
    const columns = this.#columns;
    const { query, top, near } = this.#search;
    if (this.#isFiltered && !this.#passes(entry)) return;
    if (this.#hasStrays && !columns.isBelow(entry, top)) return;
    if (query.isHere && near !== noEntry && !columns.isBelow(entry, near)) return;
    if (this.#checksEarly && !this.#visibility.shows(entry)) return;
    this.#heap.push(candidate);
    this.#least = this.#heap.worst?.key ?? -Infinity;
  }

  #passes(entry: number): boolean {
    const columns = this.#columns;
    const kind = entryKinds[columns.kindOf(entry)] ?? 'special';
    const { query } = this.#search;
    // Names are read only if the cheap conditions pass.
    if (query.kind !== null && query.kind !== kind) return false;
    const needsName = query.excluded.length + query.media.length + query.extensions.length > 0;
    return passesFilters(query, {
      name: needsName ? columns.nameOf(entry) : '',
      kind,
      size: columns.sizeOf(entry),
      time: columns.timeOf(entry),
    });
  }

  /** Offers entries that match except for one typing error in one word: in `only`, unless any word may have it. */
  #visitSimilar(only: number | undefined): void {
    const { words, isCaseSensitive } = this.#search.query;
    if (isCaseSensitive) return;
    const known = new Set(this.#heap.items().map(({ entry }) => entry));
    const { bytes } = this.#columns.names;
    for (const [index, word] of words.entries()) {
      if (only !== undefined && index !== only) continue;
      if (word.isPattern || !mayBeSimilar(word.text)) continue;
      for (const piece of piecesOf(word.text))
        scanHits(this.#scan, piece.bytes, (found, count) => {
          for (let i = 0; i < count; i++) {
            const position = found[i] ?? 0;
            if (mayBeSimilarAt(bytes, position, piece))
              this.#offerSimilar(this.#columns.entryAt(position), index, known);
          }
          return true;
        });
    }
  }

  /** Adds an entry in whose name a word may be with a typing error, unless it is one of `known`. */
  #offerSimilar(entry: number, index: number, known: Set<number>): void {
    const columns = this.#columns;
    const { query, only } = this.#search;
    const { text } = query.words[index] as FindWord;
    if (entry === rootEntry || known.has(entry) || columns.isRemoved(entry)) return;
    if (only?.has(entry) === false) return;
    if (!this.#words.hasAllBut(entry, index)) return;
    const key = this.#keyOf(entry, similarName);
    // Cheaper than comparing the name.
    if (key < this.#least) return;
    const name = columns.names.readFolded(columns.offsets[entry] ?? 0);
    if (name.includes(text) || !isSimilar(text, name)) return;
    known.add(entry);
    this.#keep(entry, key, true);
  }
}

/** Searches the catalogue. Throws {@link SearchStopped}. */
export const searchColumns = (
  columns: Columns,
  search: ColumnSearch,
  visibility: EntryVisibility,
): ColumnResult =>
  new Search(columns, search, visibility, false).run() ??
  // Repeated only if most of the best entries are hidden; the second search returns a result.
  (new Search(columns, search, visibility, true).run() as ColumnResult);
