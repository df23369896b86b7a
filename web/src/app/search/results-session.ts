import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { createElement } from 'react';
import { EntryMarks } from '../../features/marks/entry-marks.tsx';
import { useMarks } from '../../features/marks/marks-store.ts';
import { findEntries, type FindRequest, type FoundEntry } from '../../features/search/find-entries.ts';
import type { ShownContents } from '../../features/search/use-contents.ts';
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

/** The shortest interval between two updates of the listing while results arrive, in ms. */
const updateIntervalMs = 150;

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

  override start(): void {
    this.#isStarted = true;
    super.start();
    this.#stopMarks ??= useMarks.subscribe(({ version }, before) => {
      if (version !== before.version && before.version > 0) this.reloadSoon();
    });
  }

  override stop(): void {
    this.#isStarted = false;
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
      this.#show([]);
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
