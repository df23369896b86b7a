import { type EntryData, folderKind } from './entry-kinds.ts';
import { NameBuffer } from '../names/name-buffer.ts';
import { growColumn } from '../grow-column.ts';
import { FolderColumns, type Totals } from './folder-columns.ts';
import type { SavedColumns, SavedRest } from './saved-columns.ts';

/** Bits of {@link Columns.flags} above the kind. */
const kindMask = 0b11;
const removedFlag = 1 << 2;
const originalFlag = 1 << 3;
const dotFlag = 1 << 4;

/** The entry at a position of the names is found through one entry number per block of 2^this bytes. */
const blockShift = 5;
/** A value that does not fit into its column is stored in a map; the column then contains one of these markers. */
const oddTime = 0xffff_ffff;
const oddBlocks = 0xffff_ffff;
const oddSize = 0xffff;

/** Columns are reserved for at most this number of entries; beyond it they grow. */
const maxReserved = 4_000_000;
/** The number of entries for each folder that is reserved. */
const entriesPerFolder = 4;

/** Options of {@link Columns}. */
export interface ColumnsOptions {
  /** Whether names are scanned by WebAssembly where it is available. Default: true. */
  readonly usesKernel?: boolean | undefined;
  /** The expected maximum number of entries. */
  readonly capacity?: number | undefined;
}

/** The number of entries for which columns are reserved. */
export const reservedEntries = ({ capacity = 0 }: ColumnsOptions): number => Math.min(capacity, maxReserved);

/** The root of the catalogue, an entry without a name. */
export const rootEntry = 0;
/** The number that means “no entry”. */
export const noEntry = 0xffff_ffff;

/**
 * The entries of a tree as columns in typed arrays. Entries that are appended depth first form one run per folder; entries
 * that are added later, or whose folder is moved, are *strays*: outside of the run of their folder.
 */
export class Columns {
  /** The number of entries, removed ones included. */
  count = 0;
  /** The number of removed entries. */
  removed = 0;
  /** Entries from this number on were added after the columns were put in order. */
  ordered = 0;
  /** While true, entries are appended depth first and belong to the runs of their folders. */
  isBuilding = true;
  offsets = new Uint32Array(0);
  parents = new Uint32Array(0);
  /** The low 32 bits of the size; for folders their slot. */
  sizes = new Uint32Array(0);
  sizesHigh = new Uint16Array(0);
  blocks = new Uint32Array(0);
  times = new Uint32Array(0);
  flags = new Uint8Array(0);
  names: NameBuffer;
  readonly folders = new FolderColumns();
  /** Runs of entries that are below another folder than the one whose run they are in, as [start, end). */
  strayRuns: [start: number, end: number][] = [];
  /** The entries outside of the run of their folder, by the slot of the folder. */
  readonly extras = new Map<number, number[]>();
  readonly #oddSizes = new Map<number, number>();
  readonly #oddBlocks = new Map<number, number>();
  readonly #oddTimes = new Map<number, number>();
  /** For each block of the names: the entry whose name contains the first byte of the block. */
  #entryOfBlock = new Uint32Array(0);
  readonly #options: ColumnsOptions;
  /** The numbers of entries and folders for which columns are reserved. */
  readonly #reserved: number;
  readonly #reservedFolders: number;

  constructor(options: ColumnsOptions = {}) {
    this.#options = options;
    this.#reserved = Math.max(1024, reservedEntries(options));
    this.#reservedFolders = Math.max(1024, Math.ceil(this.#reserved / entriesPerFolder));
    this.names = new NameBuffer({ ...options, capacity: this.#reserved });
    this.#append(noEntry, { name: '', kind: folderKind, size: 0, blocks: 0, time: 0 });
  }

  kindOf(entry: number): number {
    return (this.flags[entry] ?? 0) & kindMask;
  }

  isFolder(entry: number): boolean {
    return this.kindOf(entry) === folderKind;
  }

  isRemoved(entry: number): boolean {
    return ((this.flags[entry] ?? 0) & removedFlag) !== 0;
  }

  /** Whether the name begins with a dot. */
  isDot(entry: number): boolean {
    return ((this.flags[entry] ?? 0) & dotFlag) !== 0;
  }

  /** The slot of a folder in {@link Columns.folders}. */
  slotOf(folder: number): number {
    return this.sizes[folder] ?? 0;
  }

  parentOf(entry: number): number {
    return this.parents[entry] ?? noEntry;
  }

  /** Bytes; 0 for folders. */
  sizeOf(entry: number): number {
    if (this.isFolder(entry)) return 0;
    const high = this.sizesHigh[entry] ?? 0;
    return high === oddSize
      ? (this.#oddSizes.get(entry) ?? 0)
      : high * 0x1_0000_0000 + (this.sizes[entry] ?? 0);
  }

  blocksOf(entry: number): number {
    const blocks = this.blocks[entry] ?? 0;
    return blocks === oddBlocks ? (this.#oddBlocks.get(entry) ?? 0) : blocks;
  }

  /** Unix seconds. */
  timeOf(entry: number): number {
    const time = this.times[entry] ?? 0;
    return time === oddTime ? (this.#oddTimes.get(entry) ?? 0) : time;
  }

  nameOf(entry: number): string {
    const hasOriginal = ((this.flags[entry] ?? 0) & originalFlag) !== 0;
    return this.names.read(entry, this.offsets[entry] ?? 0, hasOriginal);
  }

  /** The path of an entry from `top`, without a leading slash; empty for `top` itself. */
  pathOf(entry: number, top: number = rootEntry): string {
    let path = '';
    for (let at = entry; at !== top && at !== rootEntry; at = this.parentOf(at))
      path = path === '' ? this.nameOf(at) : `${this.nameOf(at)}/${path}`;
    return path;
  }

  /** Whether `entry` is below the folder `top`. */
  isBelow(entry: number, top: number): boolean {
    for (let at = entry; at !== rootEntry;) {
      at = this.parentOf(at);
      if (at === top) return true;
      if (at === noEntry) return false;
    }
    return false;
  }

  /** The entry whose name contains the byte at `position`. */
  entryAt(position: number): number {
    let entry = this.#entryOfBlock[(position - this.names.start) >> blockShift] ?? 0;
    while (entry + 1 < this.count && (this.offsets[entry + 1] ?? 0) <= position) entry++;
    return entry;
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
    for (const entry of this.children(parent)) if (this.nameOf(entry) === name) return entry;
    return noEntry;
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
    const entry = this.count;
    this.#grow(entry + 1);
    this.count = entry + 1;
    const { position, hasOriginal } = this.names.append(entry, data.name);
    this.offsets[entry] = position;
    this.#index(entry, position);
    this.parents[entry] = parent;
    this.flags[entry] =
      data.kind | (hasOriginal ? originalFlag : 0) | (data.name.startsWith('.') ? dotFlag : 0);
    this.#setTime(entry, data.time);
    if (data.kind === folderKind) this.#appendFolder(entry);
    else this.#setSize(entry, data.size, data.blocks);
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

  #grow(length: number): void {
    if (length <= this.offsets.length) return;
    const reserved = this.#reserved;
    this.offsets = growColumn(this.offsets, length, reserved);
    this.parents = growColumn(this.parents, length, reserved);
    this.sizes = growColumn(this.sizes, length, reserved);
    this.sizesHigh = growColumn(this.sizesHigh, length, reserved);
    this.blocks = growColumn(this.blocks, length, reserved);
    this.times = growColumn(this.times, length, reserved);
    this.flags = growColumn(this.flags, length, reserved);
  }

  /** Records the entry for the blocks whose first byte is in its name. */
  #index(entry: number, position: number): void {
    const { start, end } = this.names;
    const from = (position - start + (1 << blockShift) - 1) >> blockShift;
    const to = (end - 1 - start) >> blockShift;
    // Most names have fewer bytes than a block.
    if (to >= this.#entryOfBlock.length)
      this.#entryOfBlock = growColumn(this.#entryOfBlock, to + 1, this.#reserved);
    for (let block = from; block <= to; block++) this.#entryOfBlock[block] = entry;
  }

  #setTime(entry: number, time: number): void {
    const fits = time >= 0 && time < oddTime;
    this.times[entry] = fits ? time : oddTime;
    if (fits) this.#oddTimes.delete(entry);
    else this.#oddTimes.set(entry, time);
  }

  #setSize(entry: number, size: number, blocks: number): void {
    const high = Math.floor(size / 0x1_0000_0000);
    const fits = high < oddSize;
    this.sizes[entry] = fits ? size % 0x1_0000_0000 : 0;
    this.sizesHigh[entry] = fits ? high : oddSize;
    if (fits) this.#oddSizes.delete(entry);
    else this.#oddSizes.set(entry, size);
    const blocksFit = blocks < oddBlocks;
    this.blocks[entry] = blocksFit ? blocks : oddBlocks;
    if (blocksFit) this.#oddBlocks.delete(entry);
    else this.#oddBlocks.set(entry, blocks);
  }

  /** Sets the metadata of an entry whose name and kind are those of `data`. */
  update(entry: number, { size, blocks, time }: Pick<EntryData, 'size' | 'blocks' | 'time'>): void {
    if (this.timeOf(entry) !== time) this.#setTime(entry, time);
    if (this.isFolder(entry)) return;
    if (this.sizeOf(entry) === size && this.blocksOf(entry) === blocks) return;
    this.#count(entry, -1);
    this.#setSize(entry, size, blocks);
    this.#count(entry, 1);
  }

  /** The contribution of an entry to the totals of the folders above it. */
  #share(entry: number, totals: 'all' | 'plain'): Totals {
    if (!this.isFolder(entry))
      return { bytes: this.sizeOf(entry), blocks: this.blocksOf(entry), files: 1, folders: 0 };
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
      this.#wipe(next);
    }
  }

  #wipe(entry: number): void {
    this.flags[entry] = (this.flags[entry] ?? 0) | removedFlag;
    this.names.wipe(this.offsets[entry] ?? 0);
    this.removed += 1;
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
    this.#wipe(entry);
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
   * Yields all entries depth first: of each folder first the entries that are no folders, then each folder with its
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
    const ordered = new Columns(this.#options);
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
    const entries = this.count;
    const { count, runStarts, runEnds, times, checked, all, plain } = this.folders;
    const strays = [...this.extras.values()].flatMap((list) => list.filter((entry) => entry < this.ordered));
    const rest: SavedRest = {
      ordered: this.ordered,
      removed: this.removed,
      strays,
      strayRuns: this.strayRuns,
      sizes: [...this.#oddSizes],
      blocks: [...this.#oddBlocks],
      times: [...this.#oddTimes],
    };
    const { names, caseBits, originals, originalEntries, originalOffsets } = this.names.data();
    return {
      names,
      caseBits,
      originals,
      originalEntries,
      originalOffsets,
      parents: this.parents.subarray(0, entries),
      sizes: this.sizes.subarray(0, entries),
      sizesHigh: this.sizesHigh.subarray(0, entries),
      blocks: this.blocks.subarray(0, entries),
      times: this.times.subarray(0, entries),
      flags: this.flags.subarray(0, entries),
      runStarts: runStarts.subarray(0, count),
      runEnds: runEnds.subarray(0, count),
      folderTimes: times.subarray(0, count),
      checked: checked.subarray(0, count),
      allBytes: all.bytes.subarray(0, count),
      allBlocks: all.blocks.subarray(0, count),
      allFiles: all.files.subarray(0, count),
      allFolders: all.folders.subarray(0, count),
      plainBytes: plain.bytes.subarray(0, count),
      plainBlocks: plain.blocks.subarray(0, count),
      plainFiles: plain.files.subarray(0, count),
      plainFolders: plain.folders.subarray(0, count),
      rest: new TextEncoder().encode(JSON.stringify(rest)),
    };
  }

  /** Restores saved columns, which become those of the new object. Throws when they contradict each other. */
  static restore(data: SavedColumns, options: ColumnsOptions = {}): Columns {
    const columns = new Columns(options);
    columns.#restore(data);
    return columns;
  }

  #restore(data: SavedColumns): void {
    const entries = data.parents.length;
    const folders = data.runEnds.length;
    for (const column of ['sizes', 'sizesHigh', 'blocks', 'times', 'flags'] as const)
      if (data[column].length !== entries) throw new Error(`the column ${column} has another length`);
    this.names = new NameBuffer({ ...this.#options, capacity: this.#reserved });
    this.names.restore(data);
    // With the room behind the saved values.
    this.parents = new Uint32Array(data.parents.buffer);
    this.offsets = new Uint32Array(this.parents.length);
    this.sizes = new Uint32Array(data.sizes.buffer);
    this.sizesHigh = new Uint16Array(data.sizesHigh.buffer);
    this.blocks = new Uint32Array(data.blocks.buffer);
    this.times = new Uint32Array(data.times.buffer);
    this.flags = new Uint8Array(data.flags.buffer);
    this.count = entries;
    this.#restoreOffsets();
    this.folders.count = folders;
    this.folders.grow(folders, this.#reservedFolders);
    this.folders.runStarts.set(data.runStarts);
    this.folders.runEnds.set(data.runEnds);
    this.folders.times.set(data.folderTimes);
    this.folders.checked.set(data.checked);
    const { all, plain } = this.folders;
    all.bytes.set(data.allBytes);
    all.blocks.set(data.allBlocks);
    all.files.set(data.allFiles);
    all.folders.set(data.allFolders);
    plain.bytes.set(data.plainBytes);
    plain.blocks.set(data.plainBlocks);
    plain.files.set(data.plainFiles);
    plain.folders.set(data.plainFolders);
    const rest = JSON.parse(new TextDecoder().decode(data.rest)) as SavedRest;
    this.#restoreFolders(rest, folders);
    for (const [entry, size] of rest.sizes) this.#oddSizes.set(entry, size);
    for (const [entry, count] of rest.blocks) this.#oddBlocks.set(entry, count);
    for (const [entry, time] of rest.times) this.#oddTimes.set(entry, time);
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

  /** Computes the positions of all names, which follow each other with a NUL after each. */
  #restoreOffsets(): void {
    const { scanner, start, end } = this.names;
    const { offsets, count } = this;
    const entryOfBlock = new Uint32Array(Math.max(((end - start) >> blockShift) + 1, this.#reserved));
    let position = start;
    let entry = 0;
    scanner.setText(Uint8Array.of(0));
    for (let from = start; from < end;) {
      const found = scanner.scan(from, end);
      from = scanner.next;
      if (entry + found > count) throw new Error('there are more names than entries');
      for (let i = 0; i < found; i++) {
        const nul = scanner.found[i] ?? 0;
        const first = (position - start + (1 << blockShift) - 1) >> blockShift;
        const last = (nul - start) >> blockShift;
        for (let block = first; block <= last; block++) entryOfBlock[block] = entry;
        offsets[entry++] = position;
        position = nul + 1;
      }
    }
    if (entry < count) throw new Error('there are fewer names than entries');
    if (position !== end) throw new Error('the last name has no end');
    this.#entryOfBlock = entryOfBlock;
  }
}
