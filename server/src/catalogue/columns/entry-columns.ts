import { growColumn } from '../grow-column.ts';
import { NameBuffer } from '../names/name-buffer.ts';
import { type EntryData, folderKind } from './entry-kinds.ts';
import { NameBounds } from './name-bounds.ts';
import type { ColumnSource, SavedEntries, SavedRest } from './saved-columns.ts';

/** Bits of {@link EntryColumns.flags} above the kind. */
const kindMask = 0b11;
const removedFlag = 1 << 2;
const originalFlag = 1 << 3;
const dotFlag = 1 << 4;

/** An entry number is stored for each block of 2^`blockShift` bytes of names, to find the entry at a position. */
const blockShift = 5;
/** A value that does not fit into its column is stored in a map; the column then contains one of these markers. */
const oddTime = 0xffff_ffff;
const oddBlocks = 0xffff_ffff;
const oddSize = 0xffff;

/** Columns are reserved for at most this number of entries; beyond it they grow. */
const maxReserved = 4_000_000;
/** The bytes of names that are reserved for each entry. */
const nameBytes = 32;

/** Options of {@link EntryColumns}. */
export interface ColumnsOptions {
  /** Whether names are scanned by WebAssembly where it is available. Default: true. */
  readonly usesKernel?: boolean | undefined;
  /** The expected maximum number of entries. */
  readonly capacity?: number | undefined;
}

/** The root of the catalogue, an entry without a name. */
export const rootEntry = 0;
/** The number that means “no entry”. */
export const noEntry = 0xffff_ffff;

/** The saved values of entries that do not fit into their columns. */
type OddValues = Pick<SavedRest, 'sizes' | 'blocks' | 'times'>;

/** The values of entries in typed arrays, by the number of the entry: name, kind, parent, size and time. */
export class EntryColumns {
  /** The number of entries, removed ones included. */
  count = 0;
  /** The number of removed entries. */
  removed = 0;
  /** The position of the name in {@link EntryColumns.names}. */
  offsets = new Uint32Array(0);
  parents = new Uint32Array(0);
  /** The low 32 bits of the size; for folders their slot. */
  sizes = new Uint32Array(0);
  sizesHigh = new Uint16Array(0);
  blocks = new Uint32Array(0);
  times = new Uint32Array(0);
  flags = new Uint8Array(0);
  names: NameBuffer;
  bounds: NameBounds;
  readonly #oddSizes = new Map<number, number>();
  readonly #oddBlocks = new Map<number, number>();
  readonly #oddTimes = new Map<number, number>();
  /** For each block of the names: the entry whose name contains the first byte of the block. */
  #entryOfBlock = new Uint32Array(0);
  protected readonly options: ColumnsOptions;
  /** The number of entries for which columns are reserved. */
  protected readonly reserved: number;

  constructor(options: ColumnsOptions = {}) {
    this.options = options;
    this.reserved = Math.max(1024, Math.min(options.capacity ?? 0, maxReserved));
    this.names = new NameBuffer({ ...options, capacity: this.reserved });
    this.bounds = new NameBounds(this.reserved * nameBytes);
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

  /** The slot of a folder in `Columns.folders`. */
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

  /** The end of the name of an entry: the position of its NUL, which is right before the next name. */
  nameEndOf(entry: number): number {
    return (entry + 1 < this.count ? (this.offsets[entry + 1] ?? 0) : this.names.end) - 1;
  }

  /** The hash of the name of an entry; see `NameBuffer.hashAt`. */
  protected hashOf(entry: number): number {
    return this.names.hashAt(this.offsets[entry] ?? 0, this.nameEndOf(entry));
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

  /** Appends an entry. The slot of a folder has to be set afterwards. */
  protected appendEntry(parent: number, data: EntryData): number {
    const entry = this.count;
    this.#grow(entry + 1);
    this.count = entry + 1;
    const { position, hasOriginal } = this.names.append(entry, data.name);
    this.offsets[entry] = position;
    this.#index(entry, position);
    this.parents[entry] = parent;
    this.flags[entry] =
      data.kind | (hasOriginal ? originalFlag : 0) | (data.name.startsWith('.') ? dotFlag : 0);
    this.setTime(entry, data.time);
    if (data.kind !== folderKind) this.setSize(entry, data.size, data.blocks);
    return entry;
  }

  #grow(length: number): void {
    if (length <= this.offsets.length) return;
    const reserved = this.reserved;
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
      this.#entryOfBlock = growColumn(this.#entryOfBlock, to + 1, this.reserved);
    for (let block = from; block <= to; block++) this.#entryOfBlock[block] = entry;
  }

  protected setTime(entry: number, time: number): void {
    const fits = time >= 0 && time < oddTime;
    const stored = fits ? time : oddTime;
    this.times[entry] = stored;
    this.bounds.add(this.offsets[entry] ?? 0, this.nameEndOf(entry), stored);
    if (fits) this.#oddTimes.delete(entry);
    else this.#oddTimes.set(entry, time);
  }

  protected setSize(entry: number, size: number, blocks: number): void {
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

  /** Marks an entry as removed and overwrites its name. */
  protected wipe(entry: number): void {
    this.flags[entry] = (this.flags[entry] ?? 0) | removedFlag;
    this.names.wipe(this.offsets[entry] ?? 0);
    this.removed += 1;
  }

  /** The columns to be saved, which share the memory of this object, and the values that do not fit into them. */
  protected entryData(): { columns: SavedEntries; odd: OddValues } {
    const entries = this.count;
    const { names, caseBits, originals, originalEntries, originalOffsets } = this.names.data();
    return {
      columns: {
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
      },
      odd: { sizes: [...this.#oddSizes], blocks: [...this.#oddBlocks], times: [...this.#oddTimes] },
    };
  }

  /** Reads saved columns. Throws when they contradict each other. */
  protected restoreEntries(source: ColumnSource, odd: OddValues): void {
    this.names.restore(source);
    this.bounds = new NameBounds(this.reserved * nameBytes);
    const entries = source.lengthOf('parents');
    this.#grow(entries);
    this.count = entries;
    for (const name of ['parents', 'sizes', 'sizesHigh', 'blocks', 'times', 'flags'] as const)
      source.read(name, this[name].subarray(0, entries));
    this.#restoreOffsets();
    for (const [entry, size] of odd.sizes) this.#oddSizes.set(entry, size);
    for (const [entry, count] of odd.blocks) this.#oddBlocks.set(entry, count);
    for (const [entry, time] of odd.times) this.#oddTimes.set(entry, time);
  }

  /** Computes the positions of all names, which follow each other with a NUL after each. */
  #restoreOffsets(): void {
    const { scanner, start, end } = this.names;
    const { offsets, times, count } = this;
    const entryOfBlock = new Uint32Array(Math.max(((end - start) >> blockShift) + 1, this.reserved));
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
        this.bounds.add(position, nul, times[entry] ?? 0);
        offsets[entry++] = position;
        position = nul + 1;
      }
    }
    if (entry < count) throw new Error('there are fewer names than entries');
    if (position !== end) throw new Error('the last name has no end');
    this.#entryOfBlock = entryOfBlock;
  }
}
