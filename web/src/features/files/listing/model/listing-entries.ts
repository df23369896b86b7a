import type { EntryType, ListingRow } from '@filestead/contract/files';
import type { Sorting } from '@filestead/contract/users';
import { IdList } from './id-list.ts';
import { type EntryFields, EntryColumns } from './entry-columns.ts';
import { mergeSection, insertionIndex } from './merge-section.ts';
import { sortOrder } from './sort-order.ts';

/** The size of everything in a folder. */
export interface FolderTotal {
  readonly bytes: number;
  /** Unix milliseconds: when the folder was last compared with the disk; null if unknown. */
  readonly checkedAtMs: number | null;
  /** The number of entries in it and in the folders in it. */
  readonly entries?: number;
  /** The number of folders among them. */
  readonly folders?: number;
}

/** An entry of the listing. Its id is stable across sorting, renaming and reloading. */
export interface ListingItem extends EntryFields {
  readonly id: number;
  /** The path from the listed folder: the name, or several names where entries of several folders are listed. */
  readonly path: string;
  /** The size of a folder; null while it is unknown, and for files; undefined where none are counted. */
  readonly total: FolderTotal | null | undefined;
}

/** Returns the date of a file by which it is sorted instead of its modification time, or null without one. */
export type DateOf = (id: number) => number | null;

/** Marks a removed entry in {@link ListingEntries.position}. */
const removedPosition = 0xffff_ffff;

/** Returns the last name of a path. */
const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The entries of a folder in name order and in the shown order, independent of selection and rendering. */
export class ListingEntries {
  #columns = new EntryColumns();
  #folders = new IdList();
  #files = new IdList();
  #sorting: Sorting = { by: 'name', asc: false };
  #order: Uint32Array = new Uint32Array(0);
  #positions = new Uint32Array(0);
  #isArranged = true;
  /** The words that shown names contain, in lower case; empty without a filter. */
  #filter: readonly string[] = [];
  #shownFolders = 0;
  /** The sizes of folders by id; null where none are counted. */
  #totals: Map<number, FolderTotal> | null = null;
  /** The positions of entries by id, where the order is given instead of computed. */
  #ranks: ReadonlyMap<number, number> | null = null;
  #dateOf: DateOf | null = null;
  #counted = { length: 0, count: 0 };

  /** The number of shown entries. */
  get count(): number {
    return this.#filter.length > 0 ? this.order.length : this.totalCount;
  }

  /** The number of entries, including those that the filter hides. */
  get totalCount(): number {
    return this.#folders.length + this.#files.length;
  }

  /** The number of pictures and videos, with those that the filter hides. Counted again when the number of files changes. */
  get mediaCount(): number {
    const { ids } = this.#files;
    if (this.#counted.length !== ids.length) {
      let count = 0;
      for (const id of ids) {
        const type = this.#columns.type(id);
        if (type === 'image' || type === 'video') count += 1;
      }
      this.#counted = { length: ids.length, count };
    }
    return this.#counted.count;
  }

  get numFolders(): number {
    if (this.#ranks !== null) return 0;
    if (this.#filter.length === 0) return this.#folders.length;
    if (!this.#isArranged) this.#arrange();
    return this.#shownFolders;
  }

  get filter(): readonly string[] {
    return this.#filter;
  }

  /** Shows only entries whose names contain all `words`, which are in lower case. */
  setFilter(words: readonly string[]): void {
    this.#filter = words;
    this.#isArranged = false;
  }

  get capacity(): number {
    return this.#columns.capacity;
  }

  /** Whether the order is given: folders and files are one section then. */
  get isRanked(): boolean {
    return this.#ranks !== null;
  }

  /** Shows the entries in the order of `ids`, others after them. */
  rank(ids: readonly number[]): void {
    this.#ranks = new Map(ids.map((id, position) => [id, position]));
    this.#isArranged = false;
  }

  /** Replaces the sizes of folders with their names; null where none are counted. */
  setTotals(totals: ReadonlyMap<string, FolderTotal> | null): void {
    this.#totals = totals && new Map();
    if (totals) {
      for (const id of this.#folders.ids) {
        const total = totals.get(this.#columns.name(id));
        if (total) this.#totals?.set(id, total);
      }
    }
    if (this.#sorting.by === 'size') this.#isArranged = false;
  }

  /** Returns the size of a folder; null while it is unknown, undefined where none are counted. */
  total(id: number): FolderTotal | null | undefined {
    return this.#totals === null ? undefined : (this.#totals.get(id) ?? null);
  }

  get sorting(): Sorting {
    return this.#sorting;
  }

  /** The ids by position. Sorted lazily, so that several changes cost one sort. */
  get order(): Uint32Array {
    if (!this.#isArranged) this.#arrange();
    return this.#order;
  }

  position(id: number): number | null {
    if (!this.#isArranged) this.#arrange();
    const position = this.#positions[id];
    return position === undefined || position === removedPosition ? null : position;
  }

  item(id: number): ListingItem {
    const columns = this.#columns;
    const path = columns.name(id);
    return {
      id,
      path,
      name: lastSegment(path),
      isFolder: columns.isFolder(id),
      isSymlink: columns.isSymlink(id),
      type: columns.type(id),
      size: columns.sizes[id] ?? 0,
      modifiedMs: columns.modifiedMs[id] ?? 0,
      total: columns.isFolder(id) ? this.total(id) : null,
    };
  }

  name(id: number): string {
    return lastSegment(this.#columns.name(id));
  }

  isFolder(id: number): boolean {
    return this.#columns.isFolder(id);
  }

  /** Returns the size in bytes. */
  size(id: number): number {
    return this.#columns.sizes[id] ?? 0;
  }

  /** Returns the id of the entry with the path `name` from the listed folder, or null. */
  find(name: string): number | null {
    for (const list of [this.#folders, this.#files]) {
      const index = insertionIndex(this.#columns, list, name);
      if (index < list.length && this.#columns.name(list.at(index)) === name) return list.at(index);
    }
    return null;
  }

  sort(sorting: Sorting): void {
    this.#sorting = sorting;
    this.#isArranged = false;
  }

  /** Sorts files by other dates than those of their modification; null for these. */
  sortByDate(dateOf: DateOf | null): void {
    this.#dateOf = dateOf;
    this.#isArranged = false;
  }

  /** The function of {@link sortByDate}. */
  get dateOf(): DateOf | null {
    return this.#dateOf;
  }

  /** Returns the modification time in Unix milliseconds. */
  modifiedMs(id: number): number {
    return this.#columns.modifiedMs[id] ?? 0;
  }

  type(id: number): EntryType {
    return this.#columns.type(id);
  }

  /** Adds rows that follow the existing ones in name order, folders first. */
  append(rows: readonly ListingRow[], types: readonly EntryType[]): void {
    this.#columns.reserve(rows.length);
    for (const row of rows) {
      const id = this.#columns.addRow(row, types);
      (this.#columns.isFolder(id) ? this.#folders : this.#files).push(id);
    }
    this.#isArranged = false;
  }

  /** Adds an entry at its position in name order. Returns its id. */
  insert(entry: EntryFields): number {
    const id = this.#columns.add(entry);
    this.#place(id);
    return id;
  }

  update(id: number, change: Partial<Omit<EntryFields, 'name' | 'isFolder'>>): void {
    this.#columns.update(id, change);
    this.#isArranged = false;
  }

  rename(id: number, name: string): void {
    const list = this.#sectionOf(id);
    const index = list.ids.indexOf(id);
    if (index === -1) return;
    list.removeAt(index);
    this.#columns.names[id] = name;
    this.#place(id);
  }

  remove(ids: ReadonlySet<number>): void {
    this.#folders.removeAll((id) => ids.has(id));
    this.#files.removeAll((id) => ids.has(id));
    this.#isArranged = false;
  }

  /** Replaces the entries with those of `reloaded`; entries of the same name keep their id. Returns the removed ids. */
  merge(
    reloaded: ListingEntries,
    isKept: (id: number) => boolean,
  ): { removed: readonly number[]; hasChanged: boolean } {
    const columns = this.#columns;
    const folders = mergeSection(columns, this.#folders, reloaded.#columns, reloaded.#folders, isKept);
    const files = mergeSection(columns, this.#files, reloaded.#columns, reloaded.#files, isKept);
    this.#folders = folders.list;
    this.#files = files.list;
    this.#isArranged = false;
    return {
      removed: [...folders.removed, ...files.removed],
      hasChanged: folders.hasChanged || files.hasChanged,
    };
  }

  #sectionOf(id: number): IdList {
    return this.#columns.isFolder(id) ? this.#folders : this.#files;
  }

  #place(id: number): void {
    const list = this.#sectionOf(id);
    list.insert(insertionIndex(this.#columns, list, this.#columns.name(id)), id);
    this.#isArranged = false;
  }

  #arrange(): void {
    const dateOf = this.#dateOf;
    this.#order = sortOrder(
      {
        folders: this.#folders.ids,
        files: this.#files.ids,
        capacity: this.#columns.capacity,
        sortFields: (id) => {
          const fields = this.#columns.sortFields(id);
          if (this.#columns.isFolder(id)) return { ...fields, size: this.#totals?.get(id)?.bytes ?? 0 };
          return dateOf === null ? fields : { ...fields, modifiedMs: dateOf(id) ?? fields.modifiedMs };
        },
        hasFolderSizes: this.#totals !== null,
      },
      this.#sorting,
    );
    const ranks = this.#ranks;
    if (ranks !== null) {
      const rankOf = (id: number): number => ranks.get(id) ?? ranks.size;
      this.#order.sort((a, b) => rankOf(a) - rankOf(b));
    }
    if (this.#filter.length > 0) this.#order = this.#filtered(this.#order);
    if (this.#positions.length < this.#columns.capacity) {
      this.#positions = new Uint32Array(this.#columns.capacity);
    }
    this.#positions.fill(removedPosition);
    for (let position = 0; position < this.#order.length; position++) {
      this.#positions[this.#order[position] ?? 0] = position;
    }
    this.#isArranged = true;
  }

  #filtered(order: Uint32Array): Uint32Array {
    const words = this.#filter;
    const shown = order.filter((id) => {
      const name = this.#columns.name(id).toLowerCase();
      return words.every((word) => name.includes(word));
    });
    const firstFile = shown.findIndex((id) => !this.#columns.isFolder(id));
    this.#shownFolders = firstFile === -1 ? shown.length : firstFile;
    return shown;
  }
}
