import type { Snippet } from '@filestead/contract/endpoints/contents';
import { compareNames } from '@filestead/contract/paths/natural-order';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FindSort } from '@filestead/contract/values/find-sorts';
import { createElement } from 'react';
import type { FilesChange } from '../../features/files/entries/changes.ts';
import { EntryMarks } from '../../features/marks/entry-marks.tsx';
import { useMarks } from '../../features/marks/marks-store.ts';
import { findEntries, type FindRequest, type FoundEntry } from '../../features/search/find-entries.ts';
import type { FoundContent, ShownContents } from '../../features/search/use-contents.ts';
import { listEntries } from '../scattered/list-entries.ts';
import { ScatteredSession } from '../scattered/scattered-session.ts';

/** The state of the results besides the listed entries. */
export interface ResultsState {
  /** Whether further results may still arrive. */
  readonly isSearching: boolean;
  readonly hasMore: boolean;
}

/** The files of a visit that were found by their text, as they were left. */
export class ContentsVisit {
  shown: ShownContents | null = null;
  /** The distance to which they were scrolled, in px. */
  scrolledPx = 0;
  /** The file among them that was opened last; null if another entry was opened since. */
  openedPath: VirtualPath | null = null;

  readonly keep = (shown: ShownContents): void => {
    this.shown = shown;
  };

  keepScroll(scrolledPx: number): void {
    this.scrolledPx = scrolledPx;
  }

  recordOpened(path: VirtualPath | null): void {
    this.openedPath = path;
  }
}

/** Files that were found by their text and are listed in place of names. */
export interface ListedContents {
  readonly files: readonly FoundContent[];
  readonly sort: FindSort;
  /** Whether the order is the reverse of the usual one. */
  readonly isReversed: boolean;
  /** Searches again. */
  readonly retry: () => void;
}

/** The comparisons of two files in the usual order: ascending by name, descending by size and time. */
const comparisons: Readonly<Record<FindSort, (a: FoundContent, b: FoundContent) => number>> = {
  rank: () => 0,
  name: (a, b) => compareNames(a.name, b.name),
  size: (a, b) => b.size - a.size,
  modified: (a, b) => b.modifiedMs - a.modifiedMs,
};

/** The delay before contents are searched again after a change, in ms. */
const searchAgainAfterMs = 1000;
/** The shortest interval between two updates of the listing while results arrive, in ms. */
const updateIntervalMs = 150;

const noContents: Omit<ListedContents, 'retry'> = { files: [], sort: 'rank', isReversed: false };

/** Results of a search as the entries of a listing, each known to the model by its path from the root. */
export class ResultsSession extends ScatteredSession {
  /** The distance to which the listing was scrolled when it was left, in px. */
  scrolledPx = 0;
  /** The files that were found by their text. */
  readonly contents = new ContentsVisit();
  #request: FindRequest | null = null;
  #state: ResultsState = { isSearching: false, hasMore: false };
  readonly #find: typeof findEntries;
  /** Whether the listed entries are those of the current request. */
  #isCurrent = false;
  #isStarted = false;
  #stopMarks: (() => void) | null = null;
  #contents: ListedContents | null = null;
  #contentsTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #similar = new Set<string>();

  /** @param find searches for entries; tests pass another function */
  constructor(find = findEntries) {
    super();
    this.#find = find;
  }

  readonly getState = (): ResultsState => this.#state;

  /** Searches for `request`, unless its results are listed already. Null lists nothing. */
  search(request: FindRequest | null): void {
    if (JSON.stringify(request) === JSON.stringify(this.#request) && this.#isCurrent) return;
    this.#request = request;
    this.#isCurrent = false;
    if (this.#isStarted) this.restart();
  }

  /** Lists files that were found by their text, while there is no request for names; null lists none. */
  listContents(contents: ListedContents | null): void {
    this.#contents = contents;
    if (this.#request === null && this.#isStarted) this.#showContents();
  }

  /** Returns the part of a listed file that matches. */
  snippetOf(path: string): Snippet | null {
    return this.#contents?.files.find((file) => this.nameFor(file.path) === path)?.snippet ?? null;
  }

  override start(): void {
    this.#isStarted = true;
    super.start();
    this.#stopMarks ??= useMarks.subscribe(({ version }, before) => {
      if (version !== before.version && before.version > 0) this.reloadSoon();
    });
  }

  override stop(): void {
    this.#isStarted = false;
    clearTimeout(this.#contentsTimer);
    this.#stopMarks?.();
    this.#stopMarks = null;
    super.stop();
  }

  /** Whether the name of an entry differs from the query by a typing error. */
  isSimilar(path: string): boolean {
    return this.#similar.has(path);
  }

  protected override async load(signal: AbortSignal): Promise<null> {
    const request = this.#request;
    if (request === null) {
      this.#showContents();
      this.#setState({ isSearching: false, hasMore: false });
      this.setStatus({ kind: 'shown' });
      return null;
    }
    const found: FoundEntry[] = [];
    const isNew = !this.#isCurrent;
    let shownAtMs = Number.NEGATIVE_INFINITY;
    if (isNew) this.#setState({ isSearching: true, hasMore: false });
    try {
      const hasMore = await this.#find(request, {
        signal,
        onFound: (entries) => {
          found.push(...entries);
          // A repeated search replaces the entries once it is complete.
          if (signal.aborted || !isNew || performance.now() < shownAtMs + updateIntervalMs) return;
          shownAtMs = performance.now();
          this.#show(found);
          this.setStatus({ kind: 'shown' });
        },
      });
      if (signal.aborted) return null;
      this.#show(found);
      this.#isCurrent = true;
      this.#setState({ isSearching: false, hasMore });
      this.setStatus({ kind: 'shown' });
      this.loadSizes(found);
    } catch (error) {
      if (signal.aborted) return null;
      if (found.length > 0) this.#show(found);
      this.#setState({ isSearching: false, hasMore: false });
      this.setStatus(found.length > 0 ? { kind: 'truncated' } : { kind: 'failed', error });
    }
    return null;
  }

  /** Removed files are not listed again before the next search. */
  protected override applyChange(change: FilesChange): void {
    const gone = new Set([...(change.removed ?? []), ...(change.moved ?? []).map(({ entry }) => entry.path)]);
    if (this.#contents !== null && gone.size > 0) {
      const files = this.#contents.files.filter(({ path }) => !gone.has(path));
      this.#contents = { ...this.#contents, files };
      this.#searchContentsSoon();
    }
    super.applyChange(change);
  }

  protected override reloadSoon(): void {
    if (this.#contents === null) super.reloadSoon();
    else this.#searchContentsSoon();
  }

  #searchContentsSoon(): void {
    clearTimeout(this.#contentsTimer);
    this.#contentsTimer = setTimeout(() => this.#contents?.retry(), searchAgainAfterMs);
  }

  #showContents(): void {
    const { files, sort, isReversed } = this.#contents ?? noContents;
    const sorted = files.toSorted(comparisons[sort]);
    this.#show(isReversed ? sorted.reverse() : sorted);
  }

  /** Lists the results in their order. */
  #show(found: readonly FoundEntry[]): void {
    this.#similar.clear();
    const marked = new Map<string, FoundEntry>();
    for (const entry of found) {
      const name = this.nameFor(entry.path);
      if (entry.isSimilar) this.#similar.add(name);
      if (entry.isFavorite || entry.tags.length > 0) marked.set(name, entry);
    }
    listEntries(this.model, found);
    this.model.decorate((path) => {
      const entry = marked.get(path);
      return entry && createElement(EntryMarks, { favorite: entry.isFavorite, tags: entry.tags });
    });
  }

  #setState(state: ResultsState): void {
    this.#state = state;
    this.notify();
  }
}
