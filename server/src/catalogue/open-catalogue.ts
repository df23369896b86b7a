import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { VisiblePart } from '../access/rules/visible-part.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { startWorkerScript } from '../programs/worker-script.ts';
import type { ScanThread, TreeScan } from '../storage/disk/scan/open-scan.ts';
import type {
  FilesPosition,
  FilesResponse,
  FindRequest,
  FindResponse,
  FolderFiles,
  FolderFilesResponse,
  FromCatalogue,
  MapResponse,
  ToCatalogue,
  TotalsResponse,
} from './catalogue-protocol.ts';

/** The name of the catalogue file in the data folder. */
export const catalogueFileName = 'catalogue';

/**
 * The delay between the first activity of a user and the start of the threads, so that they do not slow down the first
 * page.
 */
const startDelayMs = 1_000;
/** A user counts as active for this time after a request. */
const activeMs = 10 * 60_000;
/** Interval at which all entries are read again, because changed sizes do not change the time of their folder. */
const wholeSweepMs = 24 * 60 * 60_000;
/** The time for which changes of the marked entries are gathered (milliseconds). */
const inodesDelayMs = 1_000;
/** The maximum number of times that a thread that ended is restarted within {@link restartWindowMs}. */
const maxRestarts = 3;
const restartWindowMs = 10 * 60_000;

/** The options of the catalogue. */
export type CatalogueOptions = Pick<
  Config,
  'hasCatalogue' | 'catalogueEntries' | 'catalogueBudget' | 'scansNetwork' | 'sweepIntervalMs' | 'data'
>;

/** The parts of the server that the catalogue uses. */
export interface CatalogueParts {
  readonly scan: TreeScan;
  readonly options: CatalogueOptions;
  /** A string of all options that decide which entries are in the catalogue, such as excluded paths. */
  readonly rules: string;
  /** Called when entries of {@link Catalogue.watchFor} are in a folder that was read. */
  readonly onMarked?: (folder: VirtualPath, names: readonly string[]) => void;
  /** Called with folders whose entries have changed, as paths without a leading slash; with null when any may have changed. */
  readonly onChanged?: ((folders: readonly string[] | null) => void) | undefined;
  /** Called with a rename or move that this server has made. */
  readonly onMoved?: ((from: VirtualPath, to: VirtualPath) => void) | undefined;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>;
}

/** A search in the catalogue; see {@link FindRequest}. */
export type CatalogueFind = Omit<FindRequest, 'kind' | 'id' | 'stop' | 'now'> & {
  readonly signal: AbortSignal;
};

/**
 * The catalogue of all names, sizes and times below the served folder, in a thread of its own. Never a source of truth: every
 * access to files goes through a storage.
 */
export interface Catalogue {
  /** Whether it answers requests: it is switched on, and its threads have not failed. */
  readonly isOn: boolean;
  /** Must be called for each request of a signed-in user: the disk is read only while a user is active. */
  recordActivity(): void;
  /** Searches below a folder. Null when the catalogue is off. */
  find(search: CatalogueFind): Promise<FindResponse | null>;
  /** The sizes of a folder and of the folders in it. Null when the catalogue is off. */
  totals(visible: VisiblePart): Promise<TotalsResponse | null>;
  /** The largest entries of a folder. Null when the catalogue is off. */
  map(
    visible: VisiblePart,
    options: { readonly depth: number; readonly limit: number },
  ): Promise<MapResponse | null>;
  /** A part of the list of all documents. Null when the catalogue is off. */
  files(from: FilesPosition | null): Promise<FilesResponse | null>;
  /** The documents directly in folders, which are paths without a leading slash. Null when the catalogue is off. */
  filesIn(folders: readonly string[]): Promise<readonly FolderFiles[] | null>;
  /** Reads folders again that may have changed, with `isDeep` including everything below them. */
  changed(places: readonly VirtualPath[], options?: { readonly isDeep?: boolean }): void;
  /** Reads entries of a folder again that may have been created, changed or removed. */
  changedNames(folder: VirtualPath, names: readonly string[]): void;
  /** Records that an entry was renamed or moved. */
  moved(from: VirtualPath, to: VirtualPath): void;
  /** Sets the inodes, as decimal digits, whose entries are reported wherever they are read. */
  watchFor(inodes: ReadonlySet<string>): void;
  /** The case sensitivity of the file systems of the served folder. */
  readonly letterCases: VisiblePart['letterCases'];
  /** Saves the catalogue and ends its threads. */
  close(): Promise<void>;
}

/** The catalogue is outside of the heap of its thread, whose new objects are small and short-lived. */
const catalogueLimits = { maxYoungGenerationSizeMb: 6 };

interface Threads {
  readonly worker: Worker;
  readonly scan: ScanThread;
  /** The number of the served folder, see {@link TreeScan.check}. */
  readonly generation: number;
}

type Answer = Exclude<FromCatalogue, { kind: 'state' | 'marked' | 'changed' }>;

const toPath = (place: VirtualPath): string => place.slice(1);

/** The catalogue of a running server. */
class ServedCatalogue implements Catalogue {
  readonly #parts: CatalogueParts;
  #threads: Promise<Threads | null> | null = null;
  readonly #pending = new Map<number, (answer: Answer | null) => void>();
  #nextId = 1;
  #activeAt = -Infinity;
  #sweptAt = -Infinity;
  #readAt = -Infinity;
  readonly #ends: number[] = [];
  #hasFailed = false;
  /** Whether the catalogue is complete and no reading is in progress. */
  #isIdle = false;
  #suspending: Promise<void> | null = null;
  #isClosed = false;
  #hasReportedUnsaved = false;
  #hasReportedExhausted = false;
  #cancelStart: (() => void) | null = null;
  #inodes: ReadonlySet<number> = new Set();
  #cancelInodes: (() => void) | null = null;
  readonly #stopSweeps: () => void;

  constructor(parts: CatalogueParts) {
    this.#parts = parts;
    const { clock, options } = parts;
    this.#stopSweeps = clock.every(options.sweepIntervalMs, () => this.#sweepIfActive());
  }

  get isOn(): boolean {
    return !this.#hasFailed && !this.#isClosed;
  }

  get letterCases(): VisiblePart['letterCases'] {
    return this.#parts.scan.letterCases;
  }

  recordActivity(): void {
    const now = this.#parts.clock.now();
    const wasActive = now - this.#activeAt < activeMs;
    this.#activeAt = now;
    if (wasActive || !this.isOn) return;
    if (this.#threads !== null) return this.#sweepIfActive();
    this.#cancelStart ??= this.#parts.clock.after(startDelayMs, () => {
      this.#cancelStart = null;
      // While the served folder is unavailable, the next request tries again.
      this.#open().catch((error: unknown) =>
        this.#parts.log.debug({ err: error }, 'the catalogue could not be started'),
      );
    });
  }

  async find({ signal, ...search }: CatalogueFind): Promise<FindResponse | null> {
    const stop = new SharedArrayBuffer(4);
    const onAbort = (): void => void Atomics.store(new Int32Array(stop), 0, 1);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const now = Math.floor(this.#parts.clock.now() / 1000);
      const answer = await this.#request((id) => ({ kind: 'find', id, stop, now, ...search }));
      signal.throwIfAborted();
      return answer as FindResponse | null;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async totals(visible: VisiblePart): Promise<TotalsResponse | null> {
    return (await this.#request((id) => ({ kind: 'totals', id, visible }))) as TotalsResponse | null;
  }

  async map(visible: VisiblePart, options: { depth: number; limit: number }): Promise<MapResponse | null> {
    return (await this.#request((id) => ({ kind: 'map', id, visible, ...options }))) as MapResponse | null;
  }

  async files(from: FilesPosition | null): Promise<FilesResponse | null> {
    return (await this.#request((id) => ({ kind: 'files', id, from }))) as FilesResponse | null;
  }

  async filesIn(folders: readonly string[]): Promise<readonly FolderFiles[] | null> {
    const answer = await this.#request((id) => ({ kind: 'folderFiles', id, folders }));
    return (answer as FolderFilesResponse | null)?.folders ?? null;
  }

  changed(places: readonly VirtualPath[], { isDeep = false }: { readonly isDeep?: boolean } = {}): void {
    this.#send({ kind: 'changed', paths: places.map(toPath), isDeep });
  }

  changedNames(folder: VirtualPath, names: readonly string[]): void {
    // Where the case of letters is ignored, the entry may have the name in another case.
    if (this.letterCases.some(({ isIgnored }) => isIgnored)) this.changed([folder]);
    else this.#send({ kind: 'changedNames', path: toPath(folder), names });
  }

  moved(from: VirtualPath, to: VirtualPath): void {
    this.#parts.onMoved?.(from, to);
    this.#send({ kind: 'moved', from: toPath(from), to: toPath(to) });
  }

  watchFor(inodes: ReadonlySet<string>): void {
    this.#inodes = new Set([...inodes].map(Number));
    this.#cancelInodes ??= this.#parts.clock.after(inodesDelayMs, () => {
      this.#cancelInodes = null;
      this.#send({ kind: 'watchFor', inodes: this.#inodes });
    });
  }

  async close(): Promise<void> {
    this.#cancelInodes?.();
    await this.#suspending;
    const threads = await this.#threads;
    this.#isClosed = true;
    this.#stopSweeps();
    this.#cancelStart?.();
    if (threads === null) return;
    await this.#requestFrom(threads, (id) => ({ kind: 'save', id }));
    await this.#end(threads);
  }

  /**
   * Sends a message if the threads are running. Otherwise it is not needed: they compare everything with the disk when they
   * start.
   */
  #send(message: ToCatalogue): void {
    void this.#threads?.then((threads) => threads?.worker.postMessage(message, []));
  }

  /** Sends a request and returns the response; starts the threads if necessary. Null when the catalogue is off. */
  async #request(requestOf: (id: number) => ToCatalogue): Promise<Answer | null> {
    if (!this.isOn) return null;
    const threads = await this.#open();
    if (threads === null) return null;
    const answer = await this.#requestFrom(threads, requestOf);
    if (answer?.kind === 'failed') throw new Error(`catalogue-worker: ${answer.message}`);
    return answer;
  }

  #requestFrom({ worker }: Threads, requestOf: (id: number) => ToCatalogue): Promise<Answer | null> {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#pending.set(id, resolve);
      worker.postMessage(requestOf(id), []);
    });
  }

  /** Starts the threads, or returns the running ones; null when they cannot be started. */
  async #open(): Promise<Threads | null> {
    const generation = await this.#parts.scan.check();
    const running = await this.#threads;
    if (running !== null && running !== undefined && running.generation !== generation) {
      this.#parts.log.info('the served folder was replaced: building its catalogue again');
      this.#threads = null;
      await this.#end(running);
    }
    this.#threads ??= this.#start(generation).catch((error: unknown) => {
      this.#threads = null;
      this.#parts.log.warn({ err: error }, 'the catalogue could not be started');
      return null;
    });
    return this.#threads;
  }

  async #start(generation: number): Promise<Threads | null> {
    const { scan, options, rules, clock } = this.#parts;
    if (this.#isClosed || (!options.scansNetwork && (await scan.isRemote()))) return null;
    const thread = await scan.start(options.catalogueBudget, (error) => void this.#onEnd(threads, error));
    const source = new URL('./catalogue-worker.ts', import.meta.url);
    const worker = startWorkerScript('catalogue-worker', source, undefined, catalogueLimits);
    const threads: Threads = { worker, scan: thread, generation };
    worker.on('message', (message: FromCatalogue) => this.#onMessage(message));
    worker.on('error', (error: Error) => void this.#onEnd(threads, error));
    worker.on(
      'exit',
      (code) => void this.#onEnd(threads, new Error(`catalogue-worker ended with exit code ${code}`)),
    );
    worker.postMessage(
      {
        kind: 'start',
        scan: thread.port,
        source: { rootId: thread.rootId, rules },
        file: join(options.data, catalogueFileName),
        maxEntries: options.catalogueEntries,
        reportsChanges: this.#parts.onChanged !== undefined,
        maxWatches: thread.maxWatches,
      } satisfies ToCatalogue,
      [thread.port],
    );
    worker.postMessage({ kind: 'watchFor', inodes: this.#inodes } satisfies ToCatalogue, []);
    this.#isIdle = false;
    this.#sweptAt = clock.now();
    this.#readAt = clock.now();
    return threads;
  }

  #onMessage(message: FromCatalogue): void {
    if (message.kind === 'marked') {
      this.#parts.onMarked?.(`/${message.folder}` as VirtualPath, message.names);
      return;
    }
    if (message.kind === 'changed') {
      this.#parts.onChanged?.(message.folders);
      return;
    }
    if (message.kind !== 'state') {
      this.#pending.get(message.id)?.(message);
      this.#pending.delete(message.id);
      return;
    }
    const { log } = this.#parts;
    const { state, detail, entries } = message;
    if (state === 'idle') this.#isIdle = true;
    if (state === 'discarded')
      log.warn({ reason: detail }, 'the saved catalogue cannot be used: building it again');
    else if (state === 'built') log.info({ entries }, 'the catalogue was built');
    else if (state === 'unsaved' && !this.#hasReportedUnsaved) {
      this.#hasReportedUnsaved = true;
      log.warn({ reason: detail }, 'the catalogue cannot be saved; it is kept in memory');
    } else if (state === 'exhausted' && !this.#hasReportedExhausted) {
      this.#hasReportedExhausted = true;
      log.warn(
        'the operating system refuses to watch further folders for the catalogue: it compares them with the disk at intervals instead',
      );
    } else log.debug({ entries }, `catalogue: ${state}`);
  }

  /** Handles the unexpected end of a thread. The next request starts both threads again, up to a limit. */
  async #onEnd(threads: Threads, error: Error): Promise<void> {
    if ((await this.#threads) !== threads) return;
    this.#threads = null;
    const { clock, log } = this.#parts;
    const now = clock.now();
    this.#ends.push(now);
    const recent = this.#ends.filter((at) => now - at < restartWindowMs).length;
    this.#hasFailed = recent > maxRestarts;
    const consequence = this.#hasFailed
      ? 'the catalogue stays off until the server is restarted'
      : 'restarting it';
    log.error({ err: error }, `a thread of the catalogue ended; ${consequence}`);
    await this.#end(threads);
  }

  /** Saves the catalogue and ends the threads; the next activity or request starts them again. */
  async #suspend(): Promise<void> {
    const running = this.#threads;
    const threads = await running;
    if (threads === null || !this.#isIdle || this.#pending.size > 0 || this.#threads !== running) return;
    this.#threads = null;
    await this.#requestFrom(threads, (id) => ({ kind: 'save', id }));
    await this.#stop(threads);
  }

  async #stop({ worker, scan }: Threads): Promise<void> {
    worker.removeAllListeners();
    worker.on('error', () => undefined);
    await Promise.all([worker.terminate(), scan.close()]);
  }

  async #end(threads: Threads): Promise<void> {
    await this.#stop(threads);
    for (const resolve of this.#pending.values()) resolve(null);
    this.#pending.clear();
  }

  /** Starts a sweep if a user is active and the last sweep is long enough ago; ends the threads if no user is active. */
  #sweepIfActive(): void {
    const { clock, options, scan } = this.#parts;
    const now = clock.now();
    if (this.#threads === null) return;
    if (now - this.#activeAt >= activeMs) {
      this.#suspending ??= this.#suspend().finally(() => (this.#suspending = null));
      return;
    }
    if (now - this.#sweptAt < options.sweepIntervalMs) return;
    const isWhole = now - this.#readAt >= wholeSweepMs;
    this.#sweptAt = now;
    if (isWhole) this.#readAt = now;
    scan.check().then(
      () => this.#send({ kind: 'sweep', isWhole }),
      // The served folder is not available: the catalogue is kept as it is.
      () => undefined,
    );
  }
}

/** The catalogue of a server on which it is switched off. */
class NoCatalogue implements Catalogue {
  readonly isOn = false;
  readonly letterCases = [];
  recordActivity(): void {
    // Nothing is read.
  }
  async find(): Promise<null> {
    return null;
  }
  async totals(): Promise<null> {
    return null;
  }
  async map(): Promise<null> {
    return null;
  }
  async files(): Promise<null> {
    return null;
  }
  async filesIn(): Promise<null> {
    return null;
  }
  changed(): void {
    // Nothing is kept.
  }
  changedNames(): void {
    // Nothing is kept.
  }
  moved(): void {
    // Nothing is kept.
  }
  watchFor(): void {
    // Nothing is read.
  }
  async close(): Promise<void> {
    // Nothing is open.
  }
}

/** Opens the catalogue of a server. Its threads start with the first activity of a user. */
export const openCatalogue = (parts: CatalogueParts): Catalogue =>
  parts.options.hasCatalogue ? new ServedCatalogue(parts) : new NoCatalogue();
