import type { LiveSource } from '@filestead/contract/endpoints/live';
import type { ListingHeader, Resource } from '@filestead/contract/files';
import {
  childOf,
  nameOf,
  parentOf,
  parsePath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { ApiError } from '../../../api/api-error.ts';
import { isCatalogueOn } from '../../../api/catalogue.ts';
import { openPath } from '../../../api/streams/stream-listing.ts';
import { onFilesChange, type FilesChange } from '../entries/changes.ts';
import type { FileEntry } from '../entries/entry.ts';
import { isTransient } from '../feedback/failure.ts';
import type { FolderLive, OwnUploads } from '../live/folder-live.ts';
import type { FolderTotals } from '../totals/folder-totals.ts';
import { ListingModel } from '../listing/model/listing-model.ts';

/** The state of a path. `truncated`: some rows are shown, but the connection broke before the last one. */
export type FolderStatus =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'file'; readonly resource: Resource; readonly version: string | null }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The delay before a failed reload of a shown folder is repeated, in ms. */
const retryDelayMs = 10_000;

/** The delay before the code that follows changes is loaded, in ms; pictures and texts of the first folder come first. */
const loadLiveAfterMs = 2000;

let folderLive: Promise<typeof FolderLive | null> | null = null;

/** Loads the code that follows changes; null if it cannot be loaded now. */
function loadFolderLive(): Promise<typeof FolderLive | null> {
  folderLive ??= new Promise<void>((resolve) => setTimeout(resolve, loadLiveAfterMs))
    .then(() => import('../live/folder-live.ts'))
    .then(
      (module) => module.FolderLive,
      () => {
        folderLive = null;
        return null;
      },
    );
  return folderLive;
}

/** The state of a shown folder: loads it into a {@link ListingModel}, keeps it up to date and reveals new entries. */
export class FolderSession {
  /** Whether the entries are those of one folder, in which others can be created. */
  readonly isFolder: boolean = true;
  /** Whether the user chooses how the entries are shown: as a list, tiles or photos. */
  readonly hasViews: boolean = true;
  readonly path: VirtualPath;
  readonly model = new ListingModel();
  #status: FolderStatus = { kind: 'loading' };
  readonly #listeners = new Set<() => void>();
  #running: AbortController | null = null;
  /** Whether something has changed since the running load began. */
  #isStale = false;
  #stopListening: (() => void) | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Names to select and scroll to when they arrive. */
  #namesToReveal = new Set<string>();
  /** Whether to scroll without selecting, as for the entry from which the user returns. */
  #isScrollOnly = true;
  #revealed: { readonly id: number } | null = null;
  /** Follows changes by others, once the folder has been loaded. */
  #live: FolderLive | null = null;
  #source: LiveSource = 'events';
  /** The uploads of this window to the folder; set by the application. */
  ownUploads: OwnUploads | null = null;
  /** Follows the sizes of the folders, where the server knows them. */
  #totals: FolderTotals | null = null;
  /** The number of times that the session was started or stopped. */
  #starts = 0;

  constructor(path: VirtualPath, scrollTo: readonly string[] = []) {
    this.path = path;
    this.#namesToReveal = new Set(scrollTo);
  }

  readonly getStatus = (): FolderStatus => this.#status;
  /** The entry to scroll to; a new object for each request. */
  readonly getRevealed = (): { readonly id: number } | null => this.#revealed;
  /** How the server detects changes by others: with `polling` they appear later, and some not at all. */
  readonly getSource = (): LiveSource => this.#source;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the folder and applies changes by actions, until {@link stop}. */
  start(): void {
    this.#starts += 1;
    this.#stopListening ??= onFilesChange((change) => this.applyChange(change));
    void this.reload();
  }

  stop(): void {
    this.#starts += 1;
    this.#stopListening?.();
    this.#stopListening = null;
    this.#live?.stop();
    this.#live = null;
    this.#totals?.stop();
    this.#totals = null;
    clearTimeout(this.#retryTimer);
    this.#running?.abort();
    this.#running = null;
  }

  get isLoading(): boolean {
    return this.#running !== null;
  }

  /** Whether changes appear by themselves, soon after they were made. */
  get isLive(): boolean {
    return this.#live !== null && this.#source === 'events';
  }

  /**
   * Loads the folder again and updates the shown entries. Resolves with the error if it is temporary; then the shown
   * entries remain and the load is repeated later.
   */
  async reload(): Promise<{ readonly error: unknown } | null> {
    if (this.#running) {
      this.#isStale = true;
      return null;
    }
    clearTimeout(this.#retryTimer);
    const running = new AbortController();
    this.#running = running;
    this.#isStale = false;
    if (this.#status.kind === 'failed') this.setStatus({ kind: 'loading' });
    const failure = await this.load(running.signal);
    if (this.#running !== running) return null;
    this.#running = null;
    if (failure) {
      this.#retryTimer = setTimeout(() => void this.reload(), retryDelayMs);
      return failure;
    }
    return this.#isStale && this.#status.kind === 'shown' ? this.reload() : null;
  }

  /** Ends a running load and starts another one. */
  protected restart(): void {
    this.#running?.abort();
    this.#running = null;
    void this.reload();
  }

  /** Selects entries and scrolls to the first, at once or when they arrive. */
  revealPaths(paths: readonly VirtualPath[]): void {
    this.reveal(paths.map((path) => this.nameFor(path)));
  }

  /** Returns the id of the entry at `path`, or null if it is not listed. */
  idOf(path: VirtualPath): number | null {
    return this.model.find(this.nameFor(path));
  }

  /** Returns the name under which the model knows the entry at `path`. */
  protected nameFor(path: VirtualPath): string {
    return nameOf(path);
  }

  /** Selects entries of this folder and scrolls to the first, at once or when they arrive. */
  reveal(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#namesToReveal = new Set(names);
    this.#isScrollOnly = false;
    this.#revealLoaded(false);
  }

  entry(id: number): FileEntry {
    const item = this.model.item(id);
    return {
      name: item.name,
      path: childOf(this.path, item.name),
      isFolder: item.isFolder,
      isSymlink: item.isSymlink,
      type: item.type,
      size: item.size,
      modifiedMs: item.modifiedMs,
    };
  }

  /** Returns the selected entries in the shown order, at most `limit`. */
  selectedEntries(limit = Number.POSITIVE_INFINITY): FileEntry[] {
    const ids = this.model.selectedIds();
    return (ids.length > limit ? ids.slice(0, limit) : ids).map((id) => this.entry(id));
  }

  /** Loads the entries into the model. Resolves with the error if it is temporary. */
  protected async load(signal: AbortSignal): Promise<{ readonly error: unknown } | null> {
    const { model } = this;
    const isFirst = this.#status.kind !== 'shown' && this.#status.kind !== 'truncated';
    let hasHeader = false;
    try {
      const opened = await openPath(this.path, {
        signal,
        onHeader: (header) => {
          if (!this.#isForThisPath(header)) return;
          hasHeader = true;
          model.open(header);
          if (isFirst) this.setStatus({ kind: 'shown' });
        },
        onRows: (rows) => {
          if (signal.aborted || !hasHeader) return;
          model.append(rows);
          if (isFirst) this.#revealLoaded(false);
        },
      });
      if (signal.aborted) return null;
      if (opened.kind === 'file') {
        this.setStatus({ kind: 'file', resource: opened.resource, version: opened.version });
        return null;
      }
      if (!hasHeader) return null;
      model.end();
      this.setStatus({ kind: 'shown' });
      this.#revealLoaded(!this.#isStale);
      void this.#followChanges(model.header?.version);
      void this.#followTotals();
    } catch (error) {
      if (signal.aborted) return null;
      if (hasHeader) {
        model.abort();
        // After a truncated reload the previous listing remains.
        if (isFirst) this.setStatus({ kind: 'truncated' });
      } else if (isFirst || !isTransient(error)) {
        this.setStatus({ kind: 'failed', error });
      } else {
        return { error };
      }
    }
    return null;
  }

  /** Called when the folder no longer exists for the user. A running load reports that itself. */
  onMissing(): void {
    if (this.#running === null) this.setStatus({ kind: 'failed', error: new ApiError(404, 'not_found') });
  }

  /** Called when the server begins to detect changes by others in another way. */
  onSource(source: LiveSource): void {
    if (this.#source === source) return;
    this.#source = source;
    this.notify();
  }

  /** Follows changes by others from the loaded version on. Listings of shares and of the trash have none. */
  async #followChanges(version: string | undefined): Promise<void> {
    if (version === undefined || this.#live !== null) return;
    const starts = this.#starts;
    const FolderLive = await loadFolderLive();
    if (FolderLive === null || this.#starts !== starts || this.#live !== null) return;
    this.#live = new FolderLive(this, version);
  }

  /** Loads the sizes of the folders, where the server counts them. */
  async #followTotals(): Promise<void> {
    const { model } = this;
    if (this.#totals !== null || model.totalCount === model.numFiles || !isCatalogueOn()) return;
    model.expectTotals();
    const starts = this.#starts;
    try {
      const { FolderTotals } = await import('../totals/folder-totals.ts');
      if (this.#starts === starts) this.#totals ??= new FolderTotals(this);
    } catch {
      // The code cannot be loaded; there is no size then.
      model.setTotals(null);
    }
  }

  /** Whether the response is for this path; others are ignored (docs/reference/behaviour.md §2). */
  #isForThisPath(header: ListingHeader): boolean {
    return parsePath(header.path).path === this.path;
  }

  /** Applies a change that an action has made. */
  protected applyChange({ folders, removed = [], moved = [], reveal = [] }: FilesChange): void {
    if (!folders.includes(this.path)) return;
    const { model } = this;
    model.batch(() => {
      const removedHere = removed.filter((path) => parentOf(path) === this.path);
      model.remove(removedHere.map((path) => model.find(nameOf(path))).filter((id) => id !== null));
      for (const { entry, to } of moved) this.#moveRow(entry, to);
    });
    this.reveal(reveal.filter((path) => parentOf(path) === this.path).map(nameOf));
    void this.reload();
  }

  #moveRow(entry: FileEntry, to: VirtualPath): void {
    const { model } = this;
    const id = parentOf(entry.path) === this.path ? model.find(nameOf(entry.path)) : null;
    const isDestination = parentOf(to) === this.path;
    if (id !== null && isDestination) model.rename(id, nameOf(to));
    else if (id !== null) model.remove([id]);
    else if (isDestination && this.#status.kind === 'shown' && model.phase === 'ready') {
      model.insert({ ...entry, name: nameOf(to) });
    }
  }

  #revealLoaded(isComplete: boolean): void {
    if (this.#namesToReveal.size === 0) return;
    const { model } = this;
    const ids = [...this.#namesToReveal].map((name) => model.find(name)).filter((id) => id !== null);
    if (ids.length < this.#namesToReveal.size && !isComplete) return;
    this.#namesToReveal.clear();
    const first = ids[0];
    if (first === undefined) return;
    if (this.#isScrollOnly) model.moveCursor(first);
    else if (ids.length === 1) model.selectOnly(first);
    else {
      model.select(ids);
      model.moveCursor(first);
    }
    this.#revealed = { id: first };
    this.notify();
  }

  protected setStatus(status: FolderStatus): void {
    if (status.kind === this.#status.kind && status.kind !== 'failed' && status.kind !== 'file') return;
    this.#status = status;
    this.notify();
  }

  /** Notifies the subscribers. */
  protected notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
