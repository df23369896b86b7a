import type { ScannedFolder } from '../storage/disk/scan/scan-protocol.ts';
import type { Columns } from './columns/columns.ts';
import type { FolderRequests } from './folder-requests.ts';

/** The number of folders whose times are compared by one request. */
const foldersPerCheck = 512;

/** The engine of the catalogue, as {@link FolderSweep} uses it. */
export interface SweepHost {
  readonly columns: () => Columns;
  readonly folders: FolderRequests;
  /** Whether the catalogue is being built, which makes a sweep needless. */
  readonly isBuilding: () => boolean;
  /** Unix seconds. */
  readonly now: () => number;
  /** Compares a folder that was read with the catalogue. */
  readonly compare: (folder: ScannedFolder) => void;
  /** Called when all folders have been compared, with the time at which the sweep began (Unix seconds). */
  readonly onEnd: (startedAt: number, isWhole: boolean) => void;
  /** Called when no sweep is left. */
  readonly onIdle: () => void;
}

/** Compares all folders of the catalogue with the disk, one request after the other. */
export class FolderSweep {
  readonly #host: SweepHost;
  #isRunning = false;
  /** A sweep that was requested during another one. */
  #next: { readonly isWhole: boolean } | null = null;

  constructor(host: SweepHost) {
    this.#host = host;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Begins a sweep: of the folders whose times of change differ, or with `isWhole` of all. During another one, it begins after that. */
  start(isWhole: boolean): void {
    const { columns: columnsOf, folders, isBuilding, now, compare } = this.#host;
    if (isBuilding()) return;
    if (this.#isRunning) {
      this.#next = { isWhole: isWhole || this.#next?.isWhole === true };
      return;
    }
    this.#isRunning = true;
    const startedAt = now();
    const columns = columnsOf();
    const order = columns.depthFirst();
    const checkNext = (): void => {
      const paths: string[] = [];
      const times: number[] = [];
      while (paths.length < foldersPerCheck) {
        const step = order.next();
        if (step.done === true) break;
        const entry = step.value;
        if (!columns.isFolder(entry) || columns.isRemoved(entry)) continue;
        paths.push(columns.pathOf(entry));
        times.push(isWhole ? Number.NaN : (columns.folders.times[columns.slotOf(entry)] ?? Number.NaN));
      }
      if (paths.length === 0) return this.#end(startedAt, isWhole);
      folders.check(paths, Float64Array.from(times), { onFolder: compare, onEnd: checkNext });
    };
    checkNext();
  }

  #end(startedAt: number, isWhole: boolean): void {
    this.#isRunning = false;
    this.#host.onEnd(startedAt, isWhole);
    const next = this.#next;
    this.#next = null;
    if (next !== null) this.start(next.isWhole);
    if (!this.#isRunning) this.#host.onIdle();
  }
}
