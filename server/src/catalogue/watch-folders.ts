import { namesOf, type ScannedFolder } from '../storage/disk/scan/scan-protocol.ts';
import { type Columns, noEntry, rootEntry } from './columns/columns.ts';
import type { FolderRequests } from './folder-requests.ts';

/** The number of folders that are watched and compared by one request. */
const foldersPerRequest = 512;

/** The engine of the catalogue, as {@link WatchedFolders} uses it. */
export interface WatchHost {
  readonly columns: () => Columns;
  readonly folders: FolderRequests;
  /** Compares a folder that was read with the catalogue. */
  readonly compare: (folder: ScannedFolder) => void;
  /** Called when no request is left. */
  readonly onIdle: () => void;
}

/**
 * The folders of the catalogue that the scanning thread watches, so that changes by other programs are known at once: as many as the
 * limit allows, those that were changed last first. A folder is watched before it is compared with the disk, so that no change is lost in between;
 * those of the whole catalogue are compared by their times only, so that a size that changed in between is found by the next reading of everything.
 */
export class WatchedFolders {
  readonly #host: WatchHost;
  readonly #limit: number;
  /** New folders that have to be watched once their contents were read. */
  readonly #added = new Set<string>();

  constructor(limit: number, host: WatchHost) {
    this.#limit = limit;
    this.#host = host;
  }

  /** Watches the folders of the whole catalogue. */
  watchAll(): void {
    if (this.#limit > 0) this.#watchEntries(this.#host.columns(), this.#latest(), 0);
  }

  /** Records new folders for {@link watchAdded}. */
  add(paths: readonly string[]): void {
    if (this.#limit > 0) for (const path of paths) this.#added.add(path);
  }

  /** Records a folder that was renamed, with the folders in it: their watches have ended. */
  addBelow(path: string): void {
    const columns = this.#host.columns();
    const top = columns.locate(namesOf(path));
    if (this.#limit === 0 || top === noEntry || !columns.isFolder(top)) return;
    const pending = [top];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      this.#added.add(columns.pathOf(folder));
      for (const child of columns.children(folder)) if (columns.isFolder(child)) pending.push(child);
    }
  }

  /** Watches the recorded folders. */
  watchAdded(): void {
    if (this.#added.size === 0) return;
    const paths = [...this.#added].slice(0, foldersPerRequest);
    for (const path of paths) this.#added.delete(path);
    // Read again whatever their times are: the size of a file may have changed since.
    const next = (): void => (this.#added.size > 0 ? this.watchAdded() : this.#host.onIdle());
    this.#watch(paths, () => Number.NaN, next);
  }

  /** Returns the folders that were changed last, as many as may be watched. */
  #latest(): Uint32Array {
    const columns = this.#host.columns();
    const found = new Uint32Array(columns.count);
    let count = 0;
    for (let entry = 0; entry < columns.count; entry++)
      if (columns.isFolder(entry) && !columns.isRemoved(entry)) found[count++] = entry;
    const folders = found.slice(0, count);
    if (count <= this.#limit) return folders;
    // A time that is not known is that of a recent change.
    const timeOf = (entry: number): number => {
      const time = columns.folders.times[columns.slotOf(entry)] ?? Number.NaN;
      return entry === rootEntry || Number.isNaN(time) ? Infinity : time;
    };
    const oldest = Float64Array.from(folders, timeOf).sort()[count - this.#limit] ?? 0;
    return folders.filter((entry) => timeOf(entry) >= oldest).slice(0, this.#limit);
  }

  /** The time of a folder's last change in the catalogue; NaN if it is not known. */
  #timeOf(path: string): number {
    const columns = this.#host.columns();
    const entry = columns.locate(namesOf(path));
    if (entry === noEntry || !columns.isFolder(entry)) return Number.NaN;
    return columns.folders.times[columns.slotOf(entry)] ?? Number.NaN;
  }

  /** Watches entries from the index `from` on. Starts over if the entries were renumbered meanwhile: watching a folder again costs little. */
  #watchEntries(columns: Columns, entries: Uint32Array, from: number): void {
    if (this.#host.columns() !== columns) return this.watchAll();
    const part = entries.subarray(from, from + foldersPerRequest);
    const present = [...part].filter((entry) => columns.isFolder(entry) && !columns.isRemoved(entry));
    const paths = present.map((entry) => columns.pathOf(entry));
    const next = (): void => this.#watchEntries(columns, entries, from + foldersPerRequest);
    if (part.length === 0) this.#host.onIdle();
    else this.#watch(paths, (path) => this.#timeOf(path), next);
  }

  #watch(paths: readonly string[], timeOf: (path: string) => number, onEnd: () => void): void {
    const { folders, compare } = this.#host;
    folders.watch(paths, () => {
      folders.check(paths, Float64Array.from(paths, timeOf), { onFolder: compare, onEnd });
    });
  }
}
