import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { VisiblePart } from '../access/rules/visible-part.ts';
import type { Catalogue, CatalogueFind, CatalogueParts } from './catalogue.ts';
import { type CatalogueResponse, type CatalogueReport, CatalogueThreads } from './catalogue-threads.ts';
import type {
  FilesPosition,
  FilesResponse,
  FindResponse,
  FolderFiles,
  FolderFilesResponse,
  MapResponse,
  SettledResponse,
  ToCatalogue,
  TotalsResponse,
} from './catalogue-protocol.ts';

/**
 * The delay between the first activity of a user and the start of the threads, so that they do not slow down the first
 * page.
 */
const startDelayMs = 1_000;
/** A user counts as active for this time after a request. */
const activeMs = 10 * 60_000;
/** Interval at which all entries are read again, because changed sizes do not change the time of their folder. */
const wholeSweepMs = 24 * 60 * 60_000;
/** The time for which changes of the marked entries are collected (milliseconds). */
const inodesDelayMs = 1_000;
const numbersOf = (inodes: ReadonlySet<string>): ReadonlySet<number> => new Set([...inodes].map(Number));
/** The maximum number of times that a thread that ended is restarted within {@link restartWindowMs}. */
const maxRestarts = 3;
const restartWindowMs = 10 * 60_000;

const toPath = (place: VirtualPath): string => place.slice(1);

/** The catalogue of a running server. */
class ServedCatalogue implements Catalogue {
  readonly #parts: CatalogueParts;
  #threads: Promise<CatalogueThreads | null> | null = null;
  #activeAt = -Infinity;
  /** The time of the last sweep, and of the last one that read all entries (Unix milliseconds). */
  #sweptAt = -Infinity;
  #readAt = -Infinity;
  /** The times at which threads ended unexpectedly (Unix milliseconds). */
  readonly #ends: number[] = [];
  #hasFailed = false;
  /** Whether the catalogue is complete and no reading is in progress. */
  #isIdle = false;
  #suspending: Promise<void> | null = null;
  #isClosed = false;
  /** The number of changes that are announced. */
  #expected = 0;
  #hasReportedUnsaved = false;
  #hasReportedExhausted = false;
  #hasReportedCut = false;
  #cancelStart: (() => void) | null = null;
  #inodes: ReadonlySet<string> = new Set();
  #hasNewInodes = false;
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
      const response = await this.#request((id) => ({ kind: 'find', id, stop, now, ...search }));
      signal.throwIfAborted();
      return response as FindResponse | null;
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
    const response = await this.#request((id) => ({ kind: 'folderFiles', id, folders }));
    return (response as FolderFilesResponse | null)?.folders ?? null;
  }

  async isSettled(): Promise<boolean> {
    if (!this.isOn) return true;
    if (this.#expected > 0) return false;
    const response = await this.#request((id) => ({ kind: 'settled', id }));
    if (response !== null) return (response as SettledResponse).isSettled;
    // Where it cannot be started, such as on a network file system, it notices no changes.
    return this.#threads !== null && (await this.#threads) === null;
  }

  expectChange(): () => void {
    this.#expected += 1;
    let isExpected = true;
    return () => {
      if (isExpected) this.#expected -= 1;
      isExpected = false;
    };
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

  reportInodes(inodes: ReadonlySet<string>): void {
    this.#inodes = inodes;
    this.#hasNewInodes = true;
    if (this.#cancelInodes === null) this.#sendInodes();
  }

  /** Sends the inodes of the marked entries, and what is added to them meanwhile together after a while. */
  #sendInodes(): void {
    this.#hasNewInodes = false;
    this.#send({ kind: 'reportInodes', inodes: numbersOf(this.#inodes) });
    this.#cancelInodes = this.#parts.clock.after(inodesDelayMs, () => {
      this.#cancelInodes = null;
      if (this.#hasNewInodes) this.#sendInodes();
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
    await threads.save();
    await threads.end();
  }

  /**
   * Sends a message if the threads are running. Otherwise it is not needed: they compare everything with the disk when they
   * start.
   */
  #send(message: ToCatalogue): void {
    void this.#threads?.then((threads) => threads?.send(message));
  }

  /** Sends a request and returns the response; starts the threads if necessary. Null when the catalogue is off. */
  async #request(requestOf: (id: number) => ToCatalogue): Promise<CatalogueResponse | null> {
    if (!this.isOn) return null;
    const threads = await this.#open();
    if (threads === null) return null;
    const response = await threads.request(requestOf);
    if (response?.kind === 'failed') throw new Error(`catalogue-worker: ${response.message}`);
    return response;
  }

  /** Starts the threads, or returns the running ones; null when they cannot be started. */
  async #open(): Promise<CatalogueThreads | null> {
    const generation = await this.#parts.scan.check();
    const running = await this.#threads;
    if (running !== null && running !== undefined && running.generation !== generation) {
      this.#parts.log.info('the served folder was replaced: building its catalogue again');
      this.#threads = null;
      await running.end();
    }
    this.#threads ??= this.#start(generation).catch((error: unknown) => {
      this.#threads = null;
      this.#parts.log.warn({ err: error }, 'the catalogue could not be started');
      return null;
    });
    return this.#threads;
  }

  async #start(generation: number): Promise<CatalogueThreads | null> {
    const { scan, options, clock } = this.#parts;
    if (this.#isClosed || (!options.scansNetwork && (await scan.isRemote()))) return null;
    const started: Promise<CatalogueThreads> = CatalogueThreads.start(this.#parts, generation, {
      onReport: (report) => this.#onReport(report),
      onEnd: (error) => void this.#onEnd(started, error),
    });
    const threads = await started;
    threads.send({ kind: 'reportInodes', inodes: numbersOf(this.#inodes) });
    this.#isIdle = false;
    this.#sweptAt = clock.now();
    this.#readAt = clock.now();
    return threads;
  }

  #onReport(message: CatalogueReport): void {
    if (message.kind === 'marked') {
      this.#parts.onMarked?.(`/${message.folder}` as VirtualPath, message.names);
      return;
    }
    if (message.kind === 'changed') {
      this.#parts.onChanged?.(message.folders);
      return;
    }
    const { log } = this.#parts;
    const { state, detail, entries } = message;
    if (state === 'idle') this.#isIdle = true;
    if (state === 'discarded')
      log.warn({ reason: detail }, 'the saved catalogue cannot be used: building it again');
    else if (state === 'built') log.info({ entries }, 'the catalogue was built');
    else if (state === 'cut' && !this.#hasReportedCut) {
      this.#hasReportedCut = true;
      log.warn(
        { entries },
        'the catalogue is full: searches read the deepest levels from the disk, and folders have no sizes; raise --catalogueEntries',
      );
    } else if (state === 'unsaved' && !this.#hasReportedUnsaved) {
      this.#hasReportedUnsaved = true;
      log.warn({ reason: detail }, 'the catalogue cannot be saved; it is kept in memory');
    } else if (state === 'exhausted' && !this.#hasReportedExhausted) {
      this.#hasReportedExhausted = true;
      log.warn(
        'the operating system refuses to watch further folders for the catalogue: it compares them with the disk at intervals instead',
      );
    } else log.debug({ entries }, `catalogue: ${state}`);
  }

  /**
   * Handles the unexpected end of a thread, which may come while the other one is being started. The next request starts both again, up
   * to a limit.
   */
  async #onEnd(started: Promise<CatalogueThreads>, error: Error): Promise<void> {
    const threads = await started.catch(() => null);
    if (threads === null || (await this.#threads) !== threads) return;
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
    await threads.end();
  }

  /** Saves the catalogue and ends the threads; the next activity or request starts them again. */
  async #suspend(): Promise<void> {
    const running = this.#threads;
    const threads = await running;
    if (threads === null || !this.#isIdle || threads.isBusy || this.#threads !== running) return;
    this.#threads = null;
    await threads.save();
    await threads.end();
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
  async isSettled(): Promise<true> {
    return true;
  }
  expectChange(): () => void {
    return () => undefined;
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
  reportInodes(): void {
    // Nothing is read.
  }
  async close(): Promise<void> {
    // Nothing is open.
  }
}

/** Opens the catalogue of a server. Its threads start with the first activity of a user. */
export const openCatalogue = (parts: CatalogueParts): Catalogue =>
  parts.options.hasCatalogue ? new ServedCatalogue(parts) : new NoCatalogue();
