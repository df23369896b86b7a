import { parsePath, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FilesChange } from '../../features/files/entries/changes.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { FolderSession } from '../../features/files/folder/folder-session.ts';
import { findEntries, type FindRequest, type FoundEntry } from '../../features/search/find-entries.ts';
import { listEntries } from './list-entries.ts';

/** The state of the results besides the listed entries. */
export interface ResultsState {
  /** Whether further results may still arrive. */
  readonly isSearching: boolean;
  readonly hasMore: boolean;
}

/** The shortest interval between two updates of the listing while results arrive, in ms. */
const updateIntervalMs = 150;
/** The delay before the results are asked for again after a change, in ms; the catalogue follows changes at once. */
const reloadAfterMs = 1000;

/** Results of a search as the entries of a listing, each known to the model by its path from the root. */
export class ResultsSession extends FolderSession {
  override readonly isFolder = false;
  /** The distance to which the listing was scrolled when it was left, in px. */
  scrolledPx = 0;
  #request: FindRequest | null = null;
  #state: ResultsState = { isSearching: false, hasMore: false };
  /** Whether the listed entries are those of the current request. */
  #isCurrent = false;
  #isStarted = false;
  readonly #similar = new Set<string>();
  #reloadTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super(rootPath);
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
  }

  override stop(): void {
    this.#isStarted = false;
    clearTimeout(this.#reloadTimer);
    super.stop();
  }

  override entry(id: number): FileEntry {
    const { path, ...item } = this.model.item(id);
    return { ...item, path: parsePath(`/${path}`).path };
  }

  /** Whether the name of an entry differs from the query by a typing error. */
  isSimilar(path: string): boolean {
    return this.#similar.has(path);
  }

  protected override nameFor(path: VirtualPath): string {
    return path.slice(1);
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
      const hasMore = await findEntries(request, {
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
    } catch (error) {
      if (signal.aborted) return null;
      if (found.length > 0) this.#show(found);
      this.#setState({ isSearching: false, hasMore: false });
      this.setStatus(found.length > 0 ? { kind: 'truncated' } : { kind: 'failed', error });
    }
    return null;
  }

  /** Removes and renames results at once; other changes repeat the search a moment later. */
  protected override applyChange({ removed = [], moved = [] }: FilesChange): void {
    const { model } = this;
    model.batch(() => {
      model.remove(removed.map((path) => this.idOf(path)).filter((id) => id !== null));
      for (const { entry, to } of moved) {
        const id = this.idOf(entry.path);
        if (id !== null && this.idOf(to) === null) model.rename(id, this.nameFor(to));
      }
    });
    if (removed.length > 0 || moved.length > 0) return;
    clearTimeout(this.#reloadTimer);
    this.#reloadTimer = setTimeout(() => void this.reload(), reloadAfterMs);
  }

  /** Lists the results in their order. */
  #show(found: readonly FoundEntry[]): void {
    this.#similar.clear();
    for (const { path, isSimilar } of found) if (isSimilar) this.#similar.add(this.nameFor(path));
    listEntries(this.model, found);
  }

  #setState(state: ResultsState): void {
    this.#state = state;
    this.notify();
  }
}
