import { growColumn } from '../grow-column.ts';
import type { ColumnSource, SavedFolders } from './saved-columns.ts';

/** The sum of the entries below a folder, without the folder itself. */
export interface Totals {
  /** Bytes of files. */
  bytes: number;
  /** Allocated blocks of 512 bytes. */
  blocks: number;
  /** Neither folders nor symbolic links, which may lead to places that are denied to a user. */
  files: number;
  folders: number;
}

/** Returns totals of zero. */
export const noTotals = (): Totals => ({ bytes: 0, blocks: 0, files: 0, folders: 0 });

/** Adds totals to others; with a `sign` of -1 subtracts them. */
export function addTotals(to: Totals, added: Totals, sign = 1): void {
  to.bytes += sign * added.bytes;
  to.blocks += sign * added.blocks;
  to.files += sign * added.files;
  to.folders += sign * added.folders;
}

/** The columns of one set of {@link Totals}, by folder slot. */
class TotalColumns {
  bytes = new Float64Array(0);
  blocks = new Float64Array(0);
  files = new Uint32Array(0);
  folders = new Uint32Array(0);

  grow(length: number, reserved: number): void {
    this.bytes = growColumn(this.bytes, length, reserved);
    this.blocks = growColumn(this.blocks, length, reserved);
    this.files = growColumn(this.files, length, reserved);
    this.folders = growColumn(this.folders, length, reserved);
  }

  add(slot: number, added: Totals, sign: number): void {
    this.bytes[slot] = (this.bytes[slot] ?? 0) + sign * added.bytes;
    this.blocks[slot] = (this.blocks[slot] ?? 0) + sign * added.blocks;
    this.files[slot] = (this.files[slot] ?? 0) + sign * added.files;
    this.folders[slot] = (this.folders[slot] ?? 0) + sign * added.folders;
  }

  at(slot: number): Totals {
    return {
      bytes: this.bytes[slot] ?? 0,
      blocks: this.blocks[slot] ?? 0,
      files: this.files[slot] ?? 0,
      folders: this.folders[slot] ?? 0,
    };
  }
}

/** Columns that only folders have, by slot. The slot of a folder is in `Columns.sizes`. */
export class FolderColumns {
  count = 0;
  entries = new Uint32Array(0);
  /** The entries that were below the folder when the columns were put in order: numbers from `runStarts` to `runEnds`, exclusive. */
  runStarts = new Uint32Array(0);
  runEnds = new Uint32Array(0);
  /** The folder’s time of change when it was read (Unix milliseconds with fractions); NaN forces another reading. */
  times = new Float64Array(0);
  /** Unix seconds at which the folder was last compared with the disk. */
  checked = new Uint32Array(0);
  readonly all = new TotalColumns();
  /** Totals without entries whose names, or folders in between, begin with a dot. */
  readonly plain = new TotalColumns();

  /** Makes room for `length` folders, and for at least `reserved` ones when the columns have to be copied. */
  grow(length: number, reserved: number): void {
    if (length <= this.entries.length) return;
    this.entries = growColumn(this.entries, length, reserved);
    this.runStarts = growColumn(this.runStarts, length, reserved);
    this.runEnds = growColumn(this.runEnds, length, reserved);
    this.times = growColumn(this.times, length, reserved);
    this.checked = growColumn(this.checked, length, reserved);
    this.all.grow(length, reserved);
    this.plain.grow(length, reserved);
  }

  /** The columns that are saved. They share the memory of this object. */
  data(): SavedFolders {
    const { count, all, plain } = this;
    return {
      runStarts: this.runStarts.subarray(0, count),
      runEnds: this.runEnds.subarray(0, count),
      folderTimes: this.times.subarray(0, count),
      checked: this.checked.subarray(0, count),
      allBytes: all.bytes.subarray(0, count),
      allBlocks: all.blocks.subarray(0, count),
      allFiles: all.files.subarray(0, count),
      allFolders: all.folders.subarray(0, count),
      plainBytes: plain.bytes.subarray(0, count),
      plainBlocks: plain.blocks.subarray(0, count),
      plainFiles: plain.files.subarray(0, count),
      plainFolders: plain.folders.subarray(0, count),
    };
  }

  /** Reads saved columns, except `entries`, which are not saved. Throws when they contradict each other. */
  restore(source: ColumnSource, reserved: number): void {
    this.count = source.lengthOf('runEnds');
    this.grow(this.count, reserved);
    const columns = this.data();
    for (const name of Object.keys(columns) as (keyof SavedFolders)[]) source.read(name, columns[name]);
  }
}
