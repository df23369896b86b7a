import type { ListingHeader, ListingRow } from '@filestead/contract/files';
import type { Sorting } from '@filestead/contract/users';
import { ChangeFeed } from './change-feed.ts';
import type { EntryFields } from './entry-columns.ts';
import { type DateOf, type FolderTotal, ListingEntries, type ListingItem } from './listing-entries.ts';

/**
 * The loading state. `loading`: nothing has arrived; `streaming`: rows are shown as they arrive; `reloading`: rows
 * are collected until the end.
 */
export type ListingPhase = 'loading' | 'streaming' | 'reloading' | 'ready';

/** The order before entries were removed. */
export interface OrderBefore {
  readonly order: Uint32Array;
  /** Returns the former position of an entry, or -1. */
  at(id: number): number;
}

/** The entries of a folder: loading, sorting and changes. Subclasses keep state per entry, such as the selection. */
export abstract class ListingContents {
  #entries = new ListingEntries();
  /** The rows of a reload until it is complete. */
  #reloaded: ListingEntries | null = null;
  #header: ListingHeader | null = null;
  #phase: ListingPhase = 'loading';
  #orderVersion = 0;
  #dataVersion = 0;
  #hasTotals = false;
  #shownBytes = { version: '', bytes: 0 };
  protected readonly feed = new ChangeFeed();

  /** Called when all entries were removed. */
  protected abstract onCleared(): void;
  /** Called when ids up to `capacity` may exist. */
  protected abstract onGrown(capacity: number): void;
  /** Whether an entry is kept although the server does not list it. */
  protected abstract isKept(id: number): boolean;
  /** Called when the filter hides a different set of entries. */
  protected abstract onFiltered(): void;
  /** Called when entries were removed. */
  protected abstract onRemoved(ids: ReadonlySet<number>, before: OrderBefore): void;

  /** Calls `listener` after every change until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => this.feed.subscribe(listener);

  /** Increases when entries are added, removed or moved. */
  get orderVersion(): number {
    return this.#orderVersion;
  }
  /** Increases when the content of rows may have changed. */
  get dataVersion(): number {
    return this.#dataVersion;
  }
  get phase(): ListingPhase {
    return this.#phase;
  }
  /** The header of the last load; null before the first. */
  get header(): ListingHeader | null {
    return this.#header;
  }
  /** The number of shown entries; less than {@link totalCount} while a filter hides some. */
  get count(): number {
    return this.#entries.count;
  }
  get totalCount(): number {
    return this.#entries.totalCount;
  }
  get numFolders(): number {
    return this.#entries.numFolders;
  }
  get numFiles(): number {
    return this.count - this.numFolders;
  }
  /** The number of entries that are expected at the end of the stream. */
  get expectedCount(): number {
    if (this.#phase !== 'streaming' || this.#header === null || this.isFiltered) return this.count;
    return Math.max(this.count, this.#header.numDirs + this.#header.numFiles);
  }

  /** Removes everything before another folder is opened. */
  reset(): void {
    this.#empty();
    this.#header = null;
    this.#phase = 'loading';
    this.feed.emit();
  }

  /**
   * Starts a load. For the same folder it is a reload: the entries remain until {@link end} and are then updated, and
   * selection, cursor and pending rows are kept by name. Another folder replaces the entries at once.
   */
  open(header: ListingHeader): void {
    const isReload = this.#header?.path === header.path && this.#phase !== 'loading';
    if (isReload && this.#phase !== 'streaming') {
      this.#reloaded = new ListingEntries();
      this.#phase = 'reloading';
    } else {
      this.#empty();
      this.#phase = 'streaming';
    }
    this.#header = header;
    this.feed.emit();
  }

  /** Adds rows of the load that {@link open} started, in the order of the response. */
  append(rows: readonly ListingRow[]): void {
    const types = this.#header?.types ?? [];
    if (this.#reloaded) {
      this.#reloaded.append(rows, types);
      return;
    }
    this.#entries.append(rows, types);
    this.onGrown(this.#entries.capacity);
    this.#orderVersion++;
    this.feed.emitSoon();
  }

  /** Completes the load. */
  end(): void {
    const reloaded = this.#reloaded;
    this.#reloaded = null;
    this.#phase = 'ready';
    if (reloaded) this.#mergeIn(reloaded);
    this.feed.emit();
  }

  /** Aborts the load: after a reload the previous entries remain, after a first load those that have arrived. */
  abort(): void {
    this.#reloaded = null;
    this.#phase = 'ready';
    this.feed.emit();
  }

  get sorting(): Sorting {
    return this.#entries.sorting;
  }

  get isFiltered(): boolean {
    return this.#entries.filter.length > 0;
  }

  /** Shows only the entries whose names contain all words of `text`, in any order and case; all for an empty text. */
  filter(text: string): void {
    const words = text
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== '');
    if (words.join(' ') === this.#entries.filter.join(' ')) return;
    this.#entries.setFilter(words);
    this.onFiltered();
    this.#orderVersion++;
    this.feed.emit();
  }

  /** The total size of the shown entries in bytes; of the files only, while the size of a folder is unknown. */
  get shownBytes(): number {
    const version = `${this.#orderVersion} ${this.#dataVersion}`;
    if (this.#shownBytes.version !== version) this.#shownBytes = { version, bytes: this.bytesOf(this.order) };
    return this.#shownBytes.bytes;
  }

  /** Returns the total size of entries in bytes; of the files only, while the size of a folder is unknown. */
  protected bytesOf(ids: Iterable<number>): number {
    let files = 0;
    let folders = 0;
    for (const id of ids) {
      if (this.isFolder(id)) folders += this.#entries.total(id)?.bytes ?? Number.NaN;
      else files += this.size(id) || 0;
    }
    return files + (folders || 0);
  }

  /** Shows the sizes of folders, which are unknown until {@link setTotals} is called with them. */
  expectTotals(): void {
    if (!this.#hasTotals) this.setTotals(new Map());
  }

  /** Sets the sizes of folders by their names; null where none are counted. */
  setTotals(totals: ReadonlyMap<string, FolderTotal> | null): void {
    this.#hasTotals = totals !== null;
    this.#entries.setTotals(totals);
    if (this.sorting.by === 'size') this.#orderVersion++;
    this.#dataVersion++;
    this.feed.emit();
  }

  /** Returns the size of a folder; null while it is unknown, undefined where none are counted. */
  total(id: number): FolderTotal | null | undefined {
    return this.#entries.total(id);
  }

  sort(sorting: Sorting): void {
    const { by, asc } = this.sorting;
    if (by === sorting.by && asc === sorting.asc) return;
    this.#entries.sort(sorting);
    this.#orderVersion++;
    this.feed.emit();
  }

  /** Whether the entries are in a given order, as the results of a search are. */
  get isRanked(): boolean {
    return this.#entries.isRanked;
  }

  /** Shows the entries in the order of `ids`, folders and files together. */
  rank(ids: readonly number[]): void {
    this.#entries.rank(ids);
    this.#orderVersion++;
    this.feed.emit();
  }

  /** Sorts files by other dates than those of their modification; null for these. Called again when dates have changed. */
  arrangeByDate(dateOf: DateOf | null): void {
    if (dateOf === null && this.#entries.dateOf === null) return;
    this.#entries.sortByDate(dateOf);
    if (this.sorting.by !== 'modified') return;
    this.#orderVersion++;
    this.feed.emit();
  }

  /** The ids by position; valid until the next change. */
  get order(): Uint32Array {
    return this.#entries.order;
  }
  position(id: number): number | null {
    return this.#entries.position(id);
  }
  idAt(position: number): number | null {
    return this.order[position] ?? null;
  }
  item(id: number): ListingItem {
    return this.#entries.item(id);
  }
  name(id: number): string {
    return this.#entries.name(id);
  }
  /** Returns the size in bytes; meaningless for folders. */
  size(id: number): number {
    return this.#entries.size(id);
  }
  /** Returns the modification time in Unix milliseconds. */
  modifiedMs(id: number): number {
    return this.#entries.modifiedMs(id);
  }
  isFolder(id: number): boolean {
    return this.#entries.isFolder(id);
  }
  /** The number of pictures and videos, with those that the filter hides. */
  get mediaCount(): number {
    return this.#entries.mediaCount;
  }
  /** Whether the entry is a picture or a video. */
  isMedia(id: number): boolean {
    const type = this.#entries.type(id);
    return type === 'image' || type === 'video';
  }
  /** Returns the id of the entry with this path from the listed folder, or null. */
  find(name: string): number | null {
    return this.#entries.find(name);
  }

  /** Adds an entry, or updates the one of the same name. Returns its id. */
  insert(entry: EntryFields): number {
    const existing = this.find(entry.name);
    if (existing !== null && this.isFolder(existing) === entry.isFolder) {
      this.update(existing, entry);
      return existing;
    }
    if (existing !== null) this.remove([existing]);
    const id = this.#entries.insert(entry);
    this.onGrown(this.#entries.capacity);
    this.markChanged();
    return id;
  }

  update(id: number, change: Partial<Omit<EntryFields, 'name' | 'isFolder'>>): void {
    this.#entries.update(id, change);
    this.markChanged();
  }

  rename(id: number, name: string): void {
    this.#entries.rename(id, name);
    this.markChanged();
  }

  remove(ids: Iterable<number>): void {
    const removedIds = new Set(ids);
    if (removedIds.size === 0) return;
    const before = this.#orderBefore();
    this.#entries.remove(removedIds);
    this.onRemoved(removedIds, before);
    this.markChanged();
  }

  /** Makes several changes with one notification. */
  batch(run: () => void): void {
    this.feed.batch(run);
  }

  /** Reports that rows may have changed or moved. */
  protected markChanged(): void {
    this.#orderVersion++;
    this.#dataVersion++;
    this.feed.emit();
  }

  #empty(): void {
    const { sorting } = this;
    const { filter, dateOf } = this.#entries;
    this.#entries = new ListingEntries();
    this.#entries.sort(sorting);
    this.#entries.sortByDate(dateOf);
    this.#entries.setFilter(filter);
    this.#entries.setTotals(this.#hasTotals ? new Map() : null);
    this.#reloaded = null;
    this.onCleared();
    this.#orderVersion++;
    this.#dataVersion++;
  }

  #mergeIn(reloaded: ListingEntries): void {
    const before = this.#orderBefore();
    const { removed, hasChanged } = this.#entries.merge(reloaded, (id) => this.isKept(id));
    this.onGrown(this.#entries.capacity);
    if (!hasChanged) return;
    this.onRemoved(new Set(removed), before);
    this.#orderVersion++;
    this.#dataVersion++;
  }

  #orderBefore(): OrderBefore {
    const order = this.order.slice();
    return { order, at: (id) => order.indexOf(id) };
  }
}
