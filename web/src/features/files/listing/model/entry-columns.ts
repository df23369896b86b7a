import { type EntryType, entryTypes, type ListingRow } from '@filestead/contract/files';
import type { SortFields } from '@filestead/contract/values/listing-columns';

/** The metadata of an entry in the listing. */
export interface EntryFields {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isSymlink: boolean;
  readonly type: EntryType;
  /** In bytes; meaningless for folders. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
}

const folderFlag = 1;
const linkFlag = 2;
const smallestCapacity = 64;

/** The fields of entries by their id, one array per field: an object per entry would cost ten times the memory. */
export class EntryColumns {
  readonly names: string[] = [];
  sizes = new Float64Array(smallestCapacity);
  modifiedMs = new Float64Array(smallestCapacity);
  #types = new Uint8Array(smallestCapacity);
  #flags = new Uint8Array(smallestCapacity);

  /** The number of assigned ids, including those of removed entries: an id is never reused. */
  get length(): number {
    return this.names.length;
  }

  get capacity(): number {
    return this.#flags.length;
  }

  /** Reserves capacity for `more` entries. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.capacity) return;
    const capacity = Math.max(needed, this.capacity * 2);
    this.sizes = grown(this.sizes, new Float64Array(capacity));
    this.modifiedMs = grown(this.modifiedMs, new Float64Array(capacity));
    this.#types = grown(this.#types, new Uint8Array(capacity));
    this.#flags = grown(this.#flags, new Uint8Array(capacity));
  }

  /** Adds a row of a response; `types` are those of its header. Returns the new id. */
  addRow([name, size, modifiedMs, type, link]: ListingRow, types: readonly EntryType[]): number {
    const entryType = types[type] ?? 'blob';
    return this.#put(name, entryType, entryType === '', link === 1, size, modifiedMs);
  }

  /** Adds an entry. Returns the new id. */
  add(entry: EntryFields): number {
    return this.#put(entry.name, entry.type, entry.isFolder, entry.isSymlink, entry.size, entry.modifiedMs);
  }

  /** Copies the fields of the entry `from` of `other`, except its name, to `id`. Returns whether anything changed. */
  copyFrom(other: EntryColumns, from: number, id: number): boolean {
    const isSame =
      this.sizes[id] === other.sizes[from] &&
      this.modifiedMs[id] === other.modifiedMs[from] &&
      this.#types[id] === other.#types[from] &&
      this.#flags[id] === other.#flags[from];
    if (isSame) return false;
    this.sizes[id] = other.sizes[from] ?? 0;
    this.modifiedMs[id] = other.modifiedMs[from] ?? 0;
    this.#types[id] = other.#types[from] ?? 0;
    this.#flags[id] = other.#flags[from] ?? 0;
    return true;
  }

  update(id: number, change: Partial<Omit<EntryFields, 'name' | 'isFolder'>>): void {
    if (change.size !== undefined) this.sizes[id] = change.size;
    if (change.modifiedMs !== undefined) this.modifiedMs[id] = change.modifiedMs;
    if (change.type !== undefined) this.#types[id] = entryTypes.indexOf(change.type);
    if (change.isSymlink !== undefined) {
      this.#flags[id] = ((this.#flags[id] ?? 0) & folderFlag) | (change.isSymlink ? linkFlag : 0);
    }
  }

  name(id: number): string {
    return this.names[id] ?? '';
  }

  isFolder(id: number): boolean {
    return ((this.#flags[id] ?? 0) & folderFlag) !== 0;
  }

  isSymlink(id: number): boolean {
    return ((this.#flags[id] ?? 0) & linkFlag) !== 0;
  }

  type(id: number): EntryType {
    return entryTypes[this.#types[id] ?? 0] ?? '';
  }

  sortFields(id: number): SortFields {
    return { size: this.sizes[id] ?? 0, modifiedMs: this.modifiedMs[id] ?? 0, type: this.type(id) };
  }

  #put(
    name: string,
    type: EntryType,
    isFolder: boolean,
    isSymlink: boolean,
    size: number,
    modifiedMs: number,
  ): number {
    this.reserve(1);
    const id = this.names.push(name) - 1;
    this.sizes[id] = size;
    this.modifiedMs[id] = modifiedMs;
    this.#types[id] = entryTypes.indexOf(type);
    this.#flags[id] = (isFolder ? folderFlag : 0) | (isSymlink ? linkFlag : 0);
    return id;
  }
}

/** Copies the values of `old` into a larger array, and returns that. */
export function grown<T extends Float32Array | Float64Array | Uint8Array | Uint32Array>(
  old: T,
  larger: T,
): T {
  larger.set(old);
  return larger;
}
