import { namesOf, type ScannedFolder, type WatchedChanges } from '../storage/disk/scan/scan-protocol.ts';
import { ColumnsBuilder, type DepthLimit } from './columns/build-columns.ts';
import { loadCatalogue, saveCatalogue, type SavedState, UnusableFile } from './columns/catalogue-file.ts';
import type { CatalogueStart, FromCatalogue, ToCatalogue } from './catalogue-protocol.ts';
import { CatalogueRequests, type CatalogueState, type EngineHost } from './catalogue-requests.ts';
import { ChangedFolders } from './changed-folders.ts';
import { Columns, noEntry, rootEntry } from './columns/columns.ts';
import { compareFolder } from './columns/compare-folder.ts';
import { listFiles, listFolderFiles } from './list-files.ts';
import { FolderRequests, type ScanPort } from './folder-requests.ts';
import { FolderSweep } from './folder-sweep.ts';
import { ScheduledSave } from './scheduled-save.ts';
import { WatchedFolders } from './watch-folders.ts';

/** A loaded catalogue whose last complete reading is older than this is read again as a whole. */
const wholeSweepSeconds = 24 * 60 * 60;
/**
 * The columns are put in order again when more than this fraction of the entries, and more than {@link minDisorder}, is out of
 * order.
 */
const maxDisorderFraction = 0.05;
const minDisorder = 50_000;
/** The columns are put in order only when there has been no search for this time (milliseconds). */
const quietMs = 5_000;
/** The maximum number of changes that are remembered while the catalogue is built; beyond it everything is read again. */
const maxEarlyChanges = 10_000;

/** The path of the folder that contains `path`. */
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

type Change = Extract<ToCatalogue, { kind: 'changed' | 'changedNames' | 'moved' }>;

/**
 * The catalogue: builds it from the folders that the scanning thread reads, keeps it equal to the disk, and answers searches and
 * questions about sizes. Used by one thread, which owns all of it.
 */
export class CatalogueEngine {
  readonly #host: EngineHost;
  readonly #start: CatalogueStart;
  readonly #folders: FolderRequests;
  readonly #requests: CatalogueRequests;
  readonly #watched: WatchedFolders;
  readonly #changedFolders: ChangedFolders;
  readonly #save: ScheduledSave;
  readonly #sweep: FolderSweep;
  #columns = new Columns();
  #builder: ColumnsBuilder | null = null;
  /**
   * Changes while the catalogue is built, whose folders are read at its end: they may have been read before the change without being in
   * the columns yet. Null when there are too many.
   */
  #earlyChanges: (() => void)[] | null = [];
  /** The number of unfinished readings of new folders with their contents. */
  #deepReads = 0;
  #state: SavedState = { checkedAt: 0, readAt: 0, isCut: false };
  /** Counts the states of the columns in which entries have other numbers. */
  #generation = 0;
  /** Whether the loaded catalogue has not been compared with the disk yet. */
  #isUnchecked = false;

  constructor(start: CatalogueStart, scan: ScanPort, host: EngineHost) {
    this.#start = start;
    this.#host = host;
    this.#folders = new FolderRequests(scan, {
      onMarked: (folder, names) => host.post({ kind: 'marked', folder, names }),
      onChanges: (changes) => this.#applyWatched(changes),
      onExhausted: () => this.#report('exhausted'),
    });
    this.#watched = new WatchedFolders(start.maxWatches, {
      columns: () => this.#columns,
      folders: this.#folders,
      compare: (folder) => this.#compare(folder, false),
      onIdle: () => this.#finishIfIdle(),
    });
    this.#sweep = new FolderSweep({
      columns: () => this.#columns,
      folders: this.#folders,
      isBuilding: () => this.#builder !== null,
      now: () => this.#nowSeconds,
      compare: (folder) => this.#compare(folder, false),
      onEnd: (startedAt, isWhole) => this.#endSweep(startedAt, isWhole),
      onIdle: () => this.#finishIfIdle(),
    });
    this.#requests = new CatalogueRequests(host, () => this.#catalogueState);
    this.#changedFolders = new ChangedFolders(host);
    this.#save = new ScheduledSave({
      after: host.after,
      now: host.now,
      isComplete: () => this.#builder === null,
      write: () => saveCatalogue(start.file, start.source, { ...this.#state, columns: this.#columns }),
      onSaved: (error) => this.#report(error === null ? 'saved' : 'unsaved', error ?? ''),
    });
  }

  /** Loads the saved catalogue and compares it with the disk, or builds a new one. */
  open(): void {
    const { file, source } = this.#start;
    try {
      const loaded = loadCatalogue(file, source, { capacity: this.#start.maxEntries });
      if (loaded !== null) {
        const { columns, ...state } = loaded;
        this.#columns = columns;
        this.#state = state;
        this.#isUnchecked = true;
        this.#report('loaded');
        this.#refresh(this.#nowSeconds - state.readAt >= wholeSweepSeconds);
        return;
      }
    } catch (error) {
      this.#report('discarded', error instanceof UnusableFile ? error.message : String(error));
    }
    this.#build();
  }

  /** Handles a message of the main thread. */
  handle(message: ToCatalogue): void {
    switch (message.kind) {
      case 'start':
        break;
      case 'find':
        this.#answer(message, () => this.#requests.find(message));
        break;
      case 'totals':
        this.#answer(message, () => this.#requests.totals(message));
        break;
      case 'map':
        this.#answer(message, () => this.#requests.map(message));
        break;
      case 'files':
        this.#host.post(listFiles(message, this.#columns, this.#builder === null ? this.#generation : null));
        break;
      case 'folderFiles':
        this.#host.post(listFolderFiles(message, this.#columns));
        break;
      case 'settled':
        this.#host.post({ ...message, isSettled: this.#isSettled });
        break;
      case 'changed':
      case 'changedNames':
      case 'moved':
        if (this.#builder === null) this.#apply(message);
        else this.#postpone(() => this.#apply(message));
        break;
      case 'sweep':
        this.#refresh(message.isWhole);
        break;
      case 'reportInodes':
        this.#folders.reportInodes(message.inodes);
        break;
      case 'save':
        this.#host.post({ kind: 'saved', id: message.id, error: this.#save.save() });
        break;
    }
  }

  #answer({ id }: { readonly id: number }, work: () => Promise<void>): void {
    work().catch((error: unknown) =>
      this.#host.post({
        kind: 'failed',
        id,
        message: error instanceof Error ? error.message : String(error),
      }),
    );
  }

  #report(state: Extract<FromCatalogue, { kind: 'state' }>['state'], detail = ''): void {
    const entries = this.#columns.count - this.#columns.removed;
    this.#host.post({ kind: 'state', state, detail, entries });
  }

  get #nowSeconds(): number {
    return Math.floor(this.#host.now() / 1000);
  }

  /** Whether all changes that are known have been read and reported. */
  get #isSettled(): boolean {
    const isComplete = this.#builder === null && !this.#isUnchecked;
    return isComplete && !this.#folders.isReading && !this.#changedFolders.isReportDue;
  }

  get #catalogueState(): CatalogueState {
    const isBuilding = this.#builder !== null || this.#deepReads > 0;
    const { checkedAt, isCut } = this.#state;
    return {
      columns: this.#columns,
      coverage: isBuilding ? 'building' : isCut ? 'parts' : 'all',
      checkedAt: checkedAt === 0 ? null : checkedAt,
    };
  }

  /**
   * Reads the whole tree. If it has too many entries, it is read a second time down to the level with which the catalogue is full: the
   * first reading has counted the entries of each level.
   */
  #build(limit: DepthLimit | null = null): void {
    const builder = new ColumnsBuilder({ maxEntries: this.#start.maxEntries, limit });
    this.#builder = builder;
    this.#columns = builder.columns;
    this.#requests.forgetViews();
    this.#generation += 1;
    this.#isUnchecked = false;
    this.#state = { checkedAt: 0, readAt: 0, isCut: false, maxDepth: limit?.depth };
    const startedAt = this.#nowSeconds;
    this.#folders.read(
      [''],
      { isDeep: true, isUrgent: false, maxDepth: limit?.depth },
      {
        onFolder: (folder) => {
          builder.add(folder, this.#nowSeconds);
          this.#requests.forgetViews();
        },
        onEnd: () => {
          const further = limit === null && builder.isCut ? builder.depthLimit : null;
          if (further !== null) return this.#build(further);
          builder.finish();
          this.#builder = null;
          this.#state = {
            ...this.#state,
            checkedAt: startedAt,
            readAt: startedAt,
            isCut: this.#state.isCut || builder.isCut,
          };
          this.#changed();
          this.#reportFolder(null);
          this.#report('built');
          if (this.#state.isCut) this.#report('cut');
          this.#applyEarlyChanges();
          this.#watched.watchAll();
          this.#finishIfIdle();
        },
      },
    );
  }

  #postpone(apply: () => void): void {
    if (this.#earlyChanges === null) return;
    if (this.#earlyChanges.length < maxEarlyChanges) this.#earlyChanges.push(apply);
    else this.#earlyChanges = null;
  }

  #applyEarlyChanges(): void {
    const changes = this.#earlyChanges;
    this.#earlyChanges = [];
    if (changes === null) this.#sweep.start(true);
    else for (const apply of changes) apply();
  }

  /** Compares the catalogue with the disk. If entries were left out, a comparison of all decides again which have room. */
  #refresh(isWhole: boolean): void {
    if (isWhole && this.#state.isCut && this.#builder === null && !this.#sweep.isRunning) this.#build();
    else this.#sweep.start(isWhole);
  }

  #endSweep(startedAt: number, isWhole: boolean): void {
    this.#state = { ...this.#state, checkedAt: startedAt, ...(isWhole ? { readAt: startedAt } : {}) };
    if (this.#isUnchecked) {
      this.#reportFolder(null);
      this.#watched.watchAll();
    }
    this.#isUnchecked = false;
    this.#report('swept');
  }

  /** Called when nothing is running. Puts the columns in order if it is worthwhile and nobody is searching, and reports `idle`. */
  #finishIfIdle(): void {
    if (this.#folders.running > 0 || this.#builder !== null || this.#sweep.isRunning) return;
    const { disorder, count } = this.#columns;
    const isQuiet = this.#host.now() - this.#requests.searchedAtMs > quietMs;
    if (isQuiet && disorder > Math.max(minDisorder, count * maxDisorderFraction)) {
      this.#columns = this.#columns.inOrder();
      this.#generation += 1;
      this.#changed();
    }
    this.#report('idle');
  }

  #apply(change: Change): void {
    if (change.kind === 'changed') this.#readChanged(change.paths, change.isDeep);
    else if (change.kind === 'changedNames') this.#readNames(change.path, change.names);
    else this.#move(change.from, change.to);
  }

  /** Reads what has changed in watched folders. */
  #applyWatched(watched: WatchedChanges): void {
    const { changes, moved, isOverflow } = watched;
    // The catalogue is built again, and the folders of the earlier one are still watched.
    if (this.#builder !== null) return this.#postpone(() => this.#applyWatched(watched));
    if (isOverflow) this.#sweep.start(false);
    for (const [path, names] of changes) {
      if (names === null) this.#readChanged([path], false, false);
      else this.#readNames(path, names, false);
    }
    for (const path of moved) this.#readMoved(path);
  }

  /** Reads a folder that another program has moved or removed: another one may have its path. */
  #readMoved(path: string): void {
    this.#folders.read(
      [folderOf(path)],
      { isDeep: false, isUrgent: false },
      {
        onFolder: (folder) => this.#compare(folder, false),
        onEnd: () => {
          if (path === '' || !this.#isFolder(path)) return this.#finishIfIdle();
          this.#watched.addBelow(path);
          this.#readDeep([path], false);
        },
      },
    );
  }

  #compare(folder: ScannedFolder, isUrgent: boolean, isDeep = false): void {
    const { maxEntries } = this.#start;
    const { maxDepth = Infinity } = this.#state;
    const change = compareFolder(this.#columns, folder, { maxEntries, maxDepth, now: this.#nowSeconds });
    if (change.isCut) this.#state = { ...this.#state, isCut: true };
    if (change.isChanged) {
      this.#changed();
      if (change.hasChangedDocuments) this.#reportFolder(folder.path);
    }
    this.#watched.add(change.added);
    if (!isDeep && change.added.length > 0) this.#readDeep(change.added, isUrgent);
  }

  /** Reads new folders with everything below them. */
  #readDeep(paths: readonly string[], isUrgent: boolean): void {
    this.#deepReads += 1;
    this.#folders.read(
      paths,
      { isDeep: true, isUrgent },
      {
        onFolder: (folder) => this.#compare(folder, isUrgent, true),
        onEnd: () => {
          this.#deepReads -= 1;
          this.#watched.watchAdded();
          this.#finishIfIdle();
        },
      },
    );
  }

  #readChanged(paths: readonly string[], isDeep: boolean, isUrgent = true): void {
    // A folder that is not in the catalogue is found by reading the nearest folder above it that is.
    const known = [...new Set(paths.map((path) => this.#nearestFolder(path)))];
    const deep = isDeep ? paths.filter((path) => this.#isFolder(path)) : [];
    if (deep.length > 0) this.#readDeep(deep, isUrgent);
    this.#folders.read(
      known,
      { isDeep: false, isUrgent },
      { onFolder: (folder) => this.#compare(folder, isUrgent), onEnd: () => this.#finishIfIdle() },
    );
  }

  /** Reads entries of a folder by name: a large folder is not read again for each of them. */
  #readNames(path: string, names: readonly string[], isUrgent = true): void {
    if (!this.#isFolder(path)) return this.#readChanged([path], false, isUrgent);
    this.#folders.readNames(
      path,
      names,
      { isUrgent },
      { onFolder: (folder) => this.#compare(folder, isUrgent), onEnd: () => this.#finishIfIdle() },
    );
  }

  #isFolder(path: string): boolean {
    const entry = this.#columns.locate(namesOf(path));
    return entry !== noEntry && this.#columns.isFolder(entry);
  }

  #nearestFolder(path: string): string {
    let at = path;
    while (at !== '' && !this.#isFolder(at)) at = folderOf(at);
    return at;
  }

  #move(from: string, to: string): void {
    const columns = this.#columns;
    const entry = columns.locate(namesOf(from));
    const parentPath = folderOf(to);
    const parent = columns.locate(namesOf(parentPath));
    const canMove =
      !this.#sweep.isRunning &&
      entry !== noEntry &&
      entry !== rootEntry &&
      parent !== noEntry &&
      columns.isFolder(parent) &&
      parent !== entry &&
      !columns.isBelow(parent, entry) &&
      columns.locate(namesOf(to)) === noEntry;
    if (canMove) {
      columns.relocate(entry, parent, to.slice(to.lastIndexOf('/') + 1));
      this.#watched.addBelow(to);
      this.#watched.watchAdded();
      this.#changed();
      // The readings below find no difference any more.
      this.#reportFolder(folderOf(from));
      this.#reportFolder(parentPath);
    }
    this.#readChanged([folderOf(from), parentPath], false);
    // A reading in progress may be about to read the contents under the old path.
    if ((!canMove || this.#deepReads > 0) && this.#isFolder(to)) this.#readDeep([to], true);
  }

  /** Reports a changed folder; null for all. */
  #reportFolder(path: string | null): void {
    // While the catalogue is built or compared for the first time, all folders are reported at the end.
    if (!this.#start.reportsChanges || this.#builder !== null || (this.#isUnchecked && path !== null)) return;
    this.#changedFolders.add(path);
  }

  #changed(): void {
    this.#requests.forgetViews();
    this.#save.changed();
  }
}
