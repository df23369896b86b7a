import type { ListingHeader, ListingRow } from '@filestead/contract/files';
import type { Sorting } from '@filestead/contract/users';
import { ChangeFeed } from './change-feed.ts';
import type { EntryFields } from './listing-columns.ts';
import { ListingEntries, type ListingItem } from './listing-entries.ts';

/** `loading`: nothing has arrived; `streaming`: rows arrive and are shown; `reloading`: rows arrive and wait for the end. */
export type ListingPhase = 'loading' | 'streaming' | 'reloading' | 'ready';

/** The order as it was before entries went. */
export interface OrderBefore {
  readonly order: Uint32Array;
  /** The position an entry had; -1 when it had none. */
  at(id: number): number;
}

/** The entries of a folder while they arrive, are sorted and change. What is marked about them is for its heir. */
export abstract class ListingContents {
  #entries = new ListingEntries();
  /** Rows of a reload until it is complete. */
  #arriving: ListingEntries | null = null;
  #header: ListingHeader | null = null;
  #phase: ListingPhase = 'loading';
  #orderVersion = 0;
  #dataVersion = 0;
  protected readonly feed = new ChangeFeed();

  /** All entries have gone. */
  protected abstract onCleared(): void;
  /** There may be ids up to `capacity` now. */
  protected abstract onGrown(capacity: number): void;
  /** Whether an entry stays though the server does not know it. */
  protected abstract isKept(id: number): boolean;
  /** Entries have gone. */
  protected abstract onGone(ids: ReadonlySet<number>, before: OrderBefore): void;

  /** Calls `listener` after every change until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => this.feed.subscribe(listener);

  /** Rises when entries come, go or change places. */
  get orderVersion(): number {
    return this.#orderVersion;
  }
  /** Rises when what rows show may have changed. */
  get dataVersion(): number {
    return this.#dataVersion;
  }
  get phase(): ListingPhase {
    return this.#phase;
  }
  /** Of the last load; null until one has begun. */
  get header(): ListingHeader | null {
    return this.#header;
  }
  get count(): number {
    return this.#entries.count;
  }
  get numFolders(): number {
    return this.#entries.numFolders;
  }
  get numFiles(): number {
    return this.count - this.numFolders;
  }
  /** The entries there will be when the stream has ended. */
  get expectedCount(): number {
    if (this.#phase !== 'streaming' || this.#header === null) return this.count;
    return Math.max(this.count, this.#header.numDirs + this.#header.numFiles);
  }

  /** Forgets everything: another folder is being opened. */
  reset(): void {
    this.#empty();
    this.#header = null;
    this.#phase = 'loading';
    this.feed.emit();
  }

  /**
   * Begins a load. The same folder again is a reload: what is shown stays until {@link end}, then it is brought up to
   * date with selection, cursor and pending rows kept by name. Another folder replaces what is there at once.
   */
  open(header: ListingHeader): void {
    const isReload = this.#header?.path === header.path && this.#phase !== 'loading';
    if (isReload && this.#phase !== 'streaming') {
      this.#arriving = new ListingEntries();
      this.#phase = 'reloading';
    } else {
      this.#empty();
      this.#phase = 'streaming';
    }
    this.#header = header;
    this.feed.emit();
  }

  /** Rows of the load that {@link open} began, in the order of the wire. */
  append(rows: readonly ListingRow[]): void {
    const types = this.#header?.types ?? [];
    if (this.#arriving) {
      this.#arriving.append(rows, types);
      return;
    }
    this.#entries.append(rows, types);
    this.onGrown(this.#entries.capacity);
    this.#orderVersion++;
    this.feed.emitSoon();
  }

  /** The load is complete. */
  end(): void {
    const arrived = this.#arriving;
    this.#arriving = null;
    this.#phase = 'ready';
    if (arrived) this.#mergeIn(arrived);
    this.feed.emit();
  }

  /** The load broke off: a reload leaves everything as it was, a first load what has arrived. */
  abandon(): void {
    this.#arriving = null;
    this.#phase = 'ready';
    this.feed.emit();
  }

  get sorting(): Sorting {
    return this.#entries.sorting;
  }

  sort(sorting: Sorting): void {
    const { by, asc } = this.sorting;
    if (by === sorting.by && asc === sorting.asc) return;
    this.#entries.sort(sorting);
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
  /** Bytes; says nothing for folders. */
  size(id: number): number {
    return this.#entries.size(id);
  }
  isFolder(id: number): boolean {
    return this.#entries.isFolder(id);
  }
  find(name: string): number | null {
    return this.#entries.find(name);
  }

  /** Adds an entry, or brings the one of the same name up to date. Returns its id. */
  insert(entry: EntryFields): number {
    const existing = this.find(entry.name);
    if (existing !== null && this.isFolder(existing) === entry.isFolder) {
      this.update(existing, entry);
      return existing;
    }
    if (existing !== null) this.remove([existing]);
    const id = this.#entries.insert(entry);
    this.onGrown(this.#entries.capacity);
    this.touched();
    return id;
  }

  update(id: number, change: Partial<Omit<EntryFields, 'name' | 'isFolder'>>): void {
    this.#entries.update(id, change);
    this.touched();
  }

  rename(id: number, name: string): void {
    this.#entries.rename(id, name);
    this.touched();
  }

  remove(ids: Iterable<number>): void {
    const going = new Set(ids);
    if (going.size === 0) return;
    const before = this.#orderBefore();
    this.#entries.remove(going);
    this.onGone(going, before);
    this.touched();
  }

  /** Several changes, told once. */
  batch(work: () => void): void {
    this.feed.batch(work);
  }

  /** Rows may look different or have other places. */
  protected touched(): void {
    this.#orderVersion++;
    this.#dataVersion++;
    this.feed.emit();
  }

  #empty(): void {
    const { sorting } = this;
    this.#entries = new ListingEntries();
    this.#entries.sort(sorting);
    this.#arriving = null;
    this.onCleared();
    this.#orderVersion++;
    this.#dataVersion++;
  }

  #mergeIn(arrived: ListingEntries): void {
    const before = this.#orderBefore();
    const { removed, hasChanged } = this.#entries.merge(arrived, (id) => this.isKept(id));
    this.onGrown(this.#entries.capacity);
    if (!hasChanged) return;
    this.onGone(new Set(removed), before);
    this.#orderVersion++;
    this.#dataVersion++;
  }

  #orderBefore(): OrderBefore {
    const order = this.order.slice();
    return { order, at: (id) => order.indexOf(id) };
  }
}
