import { type ColumnsOptions, EntryColumns, noEntry, rootEntry } from './entry-columns.ts';
import { type EntryData, folderKind, linkKind } from './entry-kinds.ts';
import { FolderColumns, type Totals } from './folder-columns.ts';
import type { ColumnSource, SavedColumns, SavedRest } from './saved-columns.ts';
import { NameBuffer } from '../names/name-buffer.ts';

export { type ColumnsOptions, noEntry, rootEntry } from './entry-columns.ts';

/** The number of entries for each folder that is reserved. */
const entriesPerFolder = 4;

/**
 * The entries of a tree as columns in typed arrays. Entries that are appended depth first form one run per folder; entries
 * that are added later, or whose folder is moved, are *strays*: outside of the run of their folder.
 */
export class Columns extends EntryColumns {
  /** Entries from this number on were added after the columns were put in order. */
  ordered = 0;
  /** While true, entries are appended depth first and belong to the runs of their folders. */
  isBuilding = true;
  readonly folders = new FolderColumns();
  /** Runs of entries that are below another folder than the one whose run they are in, as [start, end). */
  strayRuns: [start: number, end: number][] = [];
  /** The entries outside of the run of their folder, by the slot of the folder. */
  readonly extras = new Map<number, number[]>();
  /** The number of folders for which columns are reserved. */
  readonly #reservedFolders: number;

  constructor(options: ColumnsOptions = {}) {
    super(options);
    this.#reservedFolders = Math.max(1024, Math.ceil(this.reserved / entriesPerFolder));
    this.#append(noEntry, { name: '', kind: folderKind, size: 0, blocks: 0, time: 0 });
  }

  /** The entries directly in the folder `parent`. */
  *children(parent: number): Generator<number> {
    const slot = this.slotOf(parent);
    const end = Math.min(this.folders.runEnds[slot] ?? 0, this.count);
    for (let at = this.folders.runStarts[slot] ?? 0; at < end;) {
      const isChild = this.parents[at] === parent && !this.isRemoved(at);
      // Computed before the entry is yielded, since the caller may remove it.
      const next = this.isFolder(at) ? this.#endOfRun(at) : at + 1;
      if (isChild) yield at;
      at = next;
    }
    for (const entry of this.extras.get(slot) ?? [])
      if (this.parents[entry] === parent && !this.isRemoved(entry)) yield entry;
  }

  /** The end of the run that begins at the folder `entry`. */
  #endOfRun(entry: number): number {
    const slot = this.slotOf(entry);
    // A folder that was moved has another entry now, but its run is still here.
    const start = this.folders.runStarts[slot] ?? 0;
    return start === entry + 1 ? Math.max(entry + 1, this.folders.runEnds[slot] ?? 0) : entry + 1;
  }

  /** The child `name` of a folder; {@link noEntry} when there is none. */
  find(parent: number, name: string): number {
    const hash = NameBuffer.hashOfName(name);
    for (const entry of this.children(parent))
      if (this.hashOf(entry) === hash && this.nameOf(entry) === name) return entry;
    return noEntry;
  }

  /** The children of a folder with one of `names`, by name. Decodes hardly any other names. */
  findAll(parent: number, names: Iterable<string>): Map<string, number> {
    const wanted = new Set(names);
    const hashes = new Set<number>();
    for (const name of wanted) hashes.add(NameBuffer.hashOfName(name));
    const found = new Map<string, number>();
    for (const entry of this.children(parent)) {
      if (!hashes.has(this.hashOf(entry))) continue;
      const name = this.nameOf(entry);
      if (wanted.has(name)) found.set(name, entry);
    }
    return found;
  }

  /** All children of a folder, by name. */
  childrenByName(parent: number): Map<string, number> {
    const children = new Map<string, number>();
    for (const entry of this.children(parent)) children.set(this.nameOf(entry), entry);
    return children;
  }

  /** The entry at a path of names; {@link noEntry} when there is none. */
  locate(names: readonly string[]): number {
    let entry = rootEntry;
    for (const name of names) {
      if (!this.isFolder(entry)) return noEntry;
      entry = this.find(entry, name);
      if (entry === noEntry) return noEntry;
    }
    return entry;
  }

  /** Appends an entry to a folder and counts it in the totals. */
  insert(parent: number, data: EntryData): number {
    const entry = this.#append(parent, data);
    if (!this.isBuilding) this.#addExtra(parent, entry);
    this.#count(entry, 1);
    return entry;
  }

  #addExtra(parent: number, entry: number): void {
    const slot = this.slotOf(parent);
    const known = this.extras.get(slot);
    if (known === undefined) this.extras.set(slot, [entry]);
    else known.push(entry);
  }

  #append(parent: number, data: EntryData): number {
    const entry = this.appendEntry(parent, data);
    if (data.kind === folderKind) this.#appendFolder(entry);
    return entry;
  }

  #appendFolder(entry: number): void {
    const slot = this.folders.count;
    this.folders.grow(slot + 1, this.#reservedFolders);
    this.folders.count = slot + 1;
    this.sizes[entry] = slot;
    this.folders.entries[slot] = entry;
    this.folders.runStarts[slot] = entry + 1;
    // The run of a folder that is being built is open until `endRun`.
    this.folders.runEnds[slot] = this.isBuilding ? noEntry : entry + 1;
    this.folders.times[slot] = Number.NaN;
  }

  /** Sets the metadata of an entry whose name and kind are those of `data`. */
  update(entry: number, { size, blocks, time }: Pick<EntryData, 'size' | 'blocks' | 'time'>): void {
    if (this.timeOf(entry) !== time) this.setTime(entry, time);
    if (this.isFolder(entry)) return;
    if (this.sizeOf(entry) === size && this.blocksOf(entry) === blocks) return;
    this.#count(entry, -1);
    this.setSize(entry, size, blocks);
    this.#count(entry, 1);
  }

  /** The contribution of an entry to the totals of the folders above it. */
  #share(entry: number, totals: 'all' | 'plain'): Totals {
    if (!this.isFolder(entry)) {
      const files = this.kindOf(entry) === linkKind ? 0 : 1;
      return { bytes: this.sizeOf(entry), blocks: this.blocksOf(entry), files, folders: 0 };
    }
    const below = this.folders[totals].at(this.slotOf(entry));
    return { ...below, folders: below.folders + 1 };
  }

  /** Adds an entry with everything below it to the totals of the folders above it, or removes it from them. */
  #count(entry: number, sign: 1 | -1): void {
    const all = this.#share(entry, 'all');
    const plain = this.#share(entry, 'plain');
    let isHidden = this.isDot(entry);
    for (let at = this.parentOf(entry); at !== noEntry; at = this.parentOf(at)) {
      const slot = this.slotOf(at);
      this.folders.all.add(slot, all, sign);
      if (!isHidden) this.folders.plain.add(slot, plain, sign);
      isHidden ||= this.isDot(at);
    }
  }

  /** Removes an entry with everything below it. */
  remove(entry: number): void {
    this.#count(entry, -1);
    const pending = [entry];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.isFolder(next)) {
        for (const child of this.children(next)) pending.push(child);
        this.extras.delete(this.slotOf(next));
      }
      this.wipe(next);
    }
  }

  /** Moves an entry with everything below it to another folder or name. Returns its new number. */
  relocate(entry: number, parent: number, name: string): number {
    this.#count(entry, -1);
    const data = {
      name,
      kind: this.kindOf(entry),
      size: this.sizeOf(entry),
      blocks: this.blocksOf(entry),
      time: this.timeOf(entry),
    };
    const children = this.isFolder(entry) ? [...this.children(entry)] : [];
    const slot = this.slotOf(entry);
    const moved = this.#append(parent, data);
    this.#addExtra(parent, moved);
    if (this.isFolder(entry)) {
      // The new entry takes over the slot, and with it the run and the totals.
      this.folders.count -= 1;
      this.sizes[moved] = slot;
      this.folders.entries[slot] = moved;
      for (const child of children) this.parents[child] = moved;
      const [start, end] = [this.folders.runStarts[slot] ?? 0, this.folders.runEnds[slot] ?? 0];
      if (start < end) this.strayRuns.push([start, end]);
    }
    this.wipe(entry);
    this.#count(moved, 1);
    return moved;
  }

  /** Marks the columns as complete: everything that is appended later is a stray. */
  finishBuilding(): void {
    this.isBuilding = false;
    this.ordered = this.count;
  }

  /** The number of entries that are out of order or removed. */
  get disorder(): number {
    return this.count - this.ordered + this.removed;
  }

  /**
   * Yields all entries depth first: of each folder first the entries that are not folders, then each folder with its
   * contents.
   */
  *depthFirst(): Generator<number> {
    const pending = [rootEntry];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      yield folder;
      if (!this.isFolder(folder)) continue;
      const inner: number[] = [];
      for (const child of this.children(folder)) {
        if (this.isFolder(child)) inner.push(child);
        else yield child;
      }
      for (const child of inner.reverse()) pending.push(child);
    }
  }

  /** Returns the same entries in order, without removed ones. */
  inOrder(): Columns {
    const ordered = new Columns(this.options);
    const numbers = new Uint32Array(this.count);
    const open: number[] = [rootEntry];
    ordered.#copyFolder(this, rootEntry, rootEntry);
    for (const entry of this.depthFirst()) {
      if (entry === rootEntry) continue;
      const parent = numbers[this.parentOf(entry)] ?? rootEntry;
      while (open.at(-1) !== parent) ordered.endRun(open.pop() ?? rootEntry);
      const copy = ordered.#append(parent, {
        name: this.nameOf(entry),
        kind: this.kindOf(entry),
        size: this.sizeOf(entry),
        blocks: this.blocksOf(entry),
        time: this.timeOf(entry),
      });
      numbers[entry] = copy;
      if (!this.isFolder(entry)) continue;
      ordered.#copyFolder(this, entry, copy);
      open.push(copy);
    }
    while (open.length > 0) ordered.endRun(open.pop() ?? rootEntry);
    ordered.finishBuilding();
    return ordered;
  }

  #copyFolder(from: Columns, entry: number, copy: number): void {
    const [source, target] = [from.slotOf(entry), this.slotOf(copy)];
    this.folders.times[target] = from.folders.times[source] ?? Number.NaN;
    this.folders.checked[target] = from.folders.checked[source] ?? 0;
    this.folders.all.add(target, from.folders.all.at(source), 1);
    this.folders.plain.add(target, from.folders.plain.at(source), 1);
  }

  /** Ends the run of a folder at the last entry. */
  endRun(folder: number): void {
    this.folders.runEnds[this.slotOf(folder)] = this.count;
  }

  /** The columns to be saved. They share the memory of this object. */
  data(): SavedColumns {
    const strays = [...this.extras.values()].flatMap((list) => list.filter((entry) => entry < this.ordered));
    const { columns, odd } = this.entryData();
    const { ordered, removed, strayRuns } = this;
    const rest: SavedRest = { ordered, removed, strays, strayRuns, ...odd };
    return { ...columns, ...this.folders.data(), rest: new TextEncoder().encode(JSON.stringify(rest)) };
  }

  /** Reads saved columns. Throws when they cannot be read or contradict each other. */
  static restore(source: ColumnSource, options: ColumnsOptions = {}): Columns {
    const columns = new Columns(options);
    columns.#restore(source);
    return columns;
  }

  #restore(source: ColumnSource): void {
    const text = new Uint8Array(source.lengthOf('rest'));
    source.read('rest', text);
    const rest = JSON.parse(new TextDecoder().decode(text)) as SavedRest;
    this.restoreEntries(source, rest);
    this.folders.restore(source, this.#reservedFolders);
    this.#restoreFolders(rest, this.folders.count);
    this.strayRuns = rest.strayRuns.map(([start, end]) => [start, end]);
    this.removed = rest.removed;
    this.isBuilding = false;
    this.ordered = rest.ordered;
  }

  #restoreFolders({ ordered, strays }: SavedRest, folders: number): void {
    for (let entry = 0; entry < this.count; entry++) {
      if (this.isRemoved(entry)) continue;
      const parent = this.parentOf(entry);
      if (entry !== rootEntry && (parent >= this.count || !this.isFolder(parent)))
        throw new Error('an entry has no folder');
      if (this.isFolder(entry)) {
        const slot = this.slotOf(entry);
        if (slot >= folders) throw new Error('a folder has no slot');
        this.folders.entries[slot] = entry;
      }
    }
    for (const entry of strays) this.#addExtra(this.parentOf(entry), entry);
    for (let entry = ordered; entry < this.count; entry++)
      if (!this.isRemoved(entry)) this.#addExtra(this.parentOf(entry), entry);
  }
}
