import { namesOf, type ScannedFolder } from '../../storage/disk/scan/scan-protocol.ts';
import { Columns, noEntry, rootEntry } from './columns.ts';
import { entriesOf } from './compare-folder.ts';
import { type EntryData, folderKind } from './entry-kinds.ts';

/** The part of a tree that a catalogue of limited size contains: all levels above `depth`, and `room` entries of that level. */
export interface DepthLimit {
  /** The number of names in the path of an entry. */
  readonly depth: number;
  readonly room: number;
}

/** A folder that is being appended. */
interface OpenFolder {
  readonly entry: number;
  readonly name: string;
  /** Its subfolders that have not been appended yet, by name: each is appended right before its contents. */
  readonly inner: Map<string, EntryData>;
}

/**
 * Builds the columns of a tree whose folders arrive depth first, so that the entries below each folder are one run. The columns
 * can be searched meanwhile.
 */
export class ColumnsBuilder {
  readonly columns: Columns;
  readonly #maxEntries: number;
  readonly #limit: DepthLimit | null;
  /** The number of entries of each level in the tree, also of those that were left out. */
  readonly #levels: number[] = [];
  /** The number of entries of the level {@link DepthLimit.depth} that were appended. */
  #deepestCount = 0;
  readonly #open: OpenFolder[] = [];
  /** Whether entries were left out because there are too many. */
  isCut = false;

  constructor(options: {
    readonly maxEntries: number;
    readonly limit?: DepthLimit | null;
    readonly usesKernel?: boolean;
  }) {
    this.columns = new Columns({ ...options, capacity: options.maxEntries });
    this.#maxEntries = options.maxEntries;
    this.#limit = options.limit ?? null;
  }

  /** The limit with which the upper levels of the tree that was read fit into the catalogue; null if all of it does. */
  get depthLimit(): DepthLimit | null {
    let room = this.#maxEntries - 1;
    for (const [depth, entries = 0] of this.#levels.entries()) {
      if (entries > room) return { depth, room };
      room -= entries;
    }
    return null;
  }

  /** Appends a folder with its entries. */
  add(scanned: ScannedFolder, now: number): void {
    const names = namesOf(scanned.path);
    const depth = names.length + 1;
    this.#levels[depth] = (this.#levels[depth] ?? 0) + scanned.kinds.length;
    const entry = this.#enter(names);
    if (entry === noEntry) return;
    const { columns } = this;
    const slot = columns.slotOf(entry);
    columns.folders.checked[slot] = now;
    if (scanned.state === 'gone' && entry !== rootEntry) columns.remove(entry);
    if (scanned.state !== 'read') return;
    columns.folders.times[slot] = scanned.time;
    const inner = this.#open.at(-1)?.inner;
    for (const data of entriesOf(scanned)) {
      if (data.kind === folderKind) inner?.set(data.name, data);
      else if (this.#hasRoom(depth)) columns.insert(entry, data);
    }
  }

  /** Whether another entry of a level is to be appended. */
  #hasRoom(depth: number): boolean {
    const limit = this.#limit;
    const isWithin =
      limit === null || depth < limit.depth || (depth === limit.depth && this.#deepestCount < limit.room);
    if (isWithin && this.columns.count - this.columns.removed < this.#maxEntries) {
      if (depth === limit?.depth) this.#deepestCount += 1;
      return true;
    }
    this.isCut = true;
    return false;
  }

  /** The entry of the folder with these names, appended now; `noEntry` when its parent no longer exists. */
  #enter(names: readonly string[]): number {
    if (names.length === 0) {
      if (this.#open.length === 0) this.#open.push({ entry: rootEntry, name: '', inner: new Map() });
      return rootEntry;
    }
    // The number of open folders that the path shares, the root included.
    let shared = 1;
    while (shared <= names.length - 1 && this.#open[shared]?.name === names[shared - 1]) shared++;
    this.#close(shared);
    const parent = this.#open.at(-1);
    const name = names.at(-1) ?? '';
    const data = parent?.inner.get(name);
    if (parent === undefined || shared !== names.length || data === undefined) return noEntry;
    parent.inner.delete(name);
    if (this.columns.isRemoved(parent.entry) || !this.#hasRoom(names.length)) return noEntry;
    const entry = this.columns.insert(parent.entry, data);
    this.#open.push({ entry, name, inner: new Map() });
    return entry;
  }

  #close(length: number): void {
    while (this.#open.length > length) {
      const closed = this.#open.pop();
      if (closed !== undefined) this.columns.endRun(closed.entry);
    }
  }

  /** Closes the open folders and returns the complete columns. */
  finish(): Columns {
    this.#close(0);
    this.columns.finishBuilding();
    return this.columns;
  }
}
