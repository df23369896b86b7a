import { namesOf, type ScannedFolder } from '../../storage/disk/scan/scan-protocol.ts';
import { Columns, noEntry, rootEntry } from './columns.ts';
import { entriesOf } from './compare-folder.ts';
import { type EntryData, folderKind } from './entry-kinds.ts';

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
  readonly #open: OpenFolder[] = [];
  /** Whether entries were left out because there are too many. */
  isCut = false;

  constructor(options: { readonly maxEntries: number; readonly usesKernel?: boolean }) {
    this.columns = new Columns(options);
    this.#maxEntries = options.maxEntries;
  }

  /** Appends a folder with its entries. */
  add(scanned: ScannedFolder, now: number): void {
    const entry = this.#enter(namesOf(scanned.path));
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
      else if (this.#hasRoom()) columns.insert(entry, data);
    }
  }

  #hasRoom(): boolean {
    if (this.columns.count - this.columns.removed < this.#maxEntries) return true;
    this.isCut = true;
    return false;
  }

  /** The entry of the folder with these names, appended now; `noEntry` when its parent does not exist any more. */
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
    if (!this.#hasRoom() || this.columns.isRemoved(parent.entry)) return noEntry;
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
