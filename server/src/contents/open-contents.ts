import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { documentFormatOf } from '../media-types/document-format.ts';
import type { OpenFile, Storage } from '../storage/storage.ts';
import type { ContentFind, ContentFound } from './contents-protocol.ts';
import { DocumentReader } from './document-reader.ts';
import { Extractor, ExtractorDied } from './extractor.ts';
import type { ContentTerm } from './index/content-query.ts';
import type { Snippet } from './index/make-snippet.ts';
import { indexFileOf, removeIndex } from './index-file.ts';
import { IndexThread } from './index-thread.ts';
import { readBytes } from './read-document.ts';

/** The delay between the first activity of a user and the start of the threads; the catalogue starts first. */
const startDelayMs = 3_000;
/** A user counts as active for this time after a request. */
const activeMs = 10 * 60_000;
/** The interval at which the activity is checked. */
const checkMs = 60_000;
/** The time that a snippet of one document may take: it has been read before. */
const maxSnippetMs = 2_000;
/** The number of folders whose documents are requested together. */
const foldersAtOnce = 100;
/** Folders that are reported so long after they were renamed may have their former names, in milliseconds. */
const movesKeptMs = 10_000;
/** The greatest fraction of the documents that counts as read while changed folders have not been compared. */
const maxUnsettled = 0.99;

/** The options of the search in contents. */
export type ContentsOptions = Pick<Config, 'searchesContents' | 'hasCatalogue' | 'data' | 'root'>;

/** The parts of the server that the search in contents uses. */
export interface ContentsParts {
  readonly catalogue: Pick<Catalogue, 'files' | 'filesIn' | 'isSettled'>;
  /** The served folder. */
  readonly storage: Storage;
  readonly options: ContentsOptions;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>;
}

/** The rows that a search in contents has found, and how complete they are. */
export interface ContentsResult extends Omit<ContentFound, 'progress'> {
  /**
   * The fraction of the documents that have been read, from 0 to 1; null until all documents have been listed. It is 1 only if every change that the server
   * knew of when the search began is in the index.
   */
  readonly progress: number | null;
}

/** The index of the words in documents, and the job that reads them. Every access to files for users goes through a storage. */
export interface Contents {
  /** Whether requests are answered: the search is switched on, and the server is not stopping. */
  readonly isOn: boolean;
  /** Must be called for each request of a signed-in user: documents are read only while a user is active. */
  recordActivity(): void;
  /** Records that the entries of folders have changed, or of any folder if null. Paths have no leading slash. */
  changed(folders: readonly string[] | null): void;
  /** Records that an entry was renamed or moved. */
  moved(from: VirtualPath, to: VirtualPath): void;
  /** Searches the index. Null when it is off. */
  find(search: ContentFind, signal: AbortSignal): Promise<ContentsResult | null>;
  /** Returns the part of a file around the terms; null when it cannot be made in time. */
  snippet(file: OpenFile, name: string, terms: readonly ContentTerm[]): Promise<Snippet | null>;
  /** Stores the index and ends the threads. */
  close(): Promise<void>;
}

/** The search in contents of a running server. */
class ServedContents implements Contents {
  readonly #parts: ContentsParts;
  readonly #reader: DocumentReader;
  readonly #snippets = new Extractor(false);
  readonly #thread: IndexThread;
  #activeAt = -Infinity;
  #isClosed = false;
  /** Folders whose documents have to be compared; null when all have to be. */
  #changed: Set<string> | null = null;
  /** Whether all documents were compared since the thread was started, and none of them has to be compared again with all others. */
  #isListed = false;
  /** Whether the documents of changed folders are being requested. */
  #isComparing = false;
  /** Whether an entry was renamed meanwhile: what was requested before may have its former name. */
  #hasMoved = false;
  /** The latest renames. */
  #moves: { readonly from: string; readonly to: string; readonly at: number }[] = [];
  #job: Promise<void> | null = null;
  /** Whether there is further work since the running job has begun. */
  #hasMoreWork = false;
  #cancelStart: (() => void) | null = null;
  readonly #stopChecks: () => void;

  constructor(parts: ContentsParts) {
    this.#parts = parts;
    this.#thread = new IndexThread(parts, () => {
      this.#isListed = false;
      this.#changed = null;
    });
    this.#reader = new DocumentReader(parts, (message, transferred) =>
      this.#thread.send(message, transferred),
    );
    this.#stopChecks = parts.clock.every(checkMs, () => this.#check());
  }

  get isOn(): boolean {
    return !this.#isClosed;
  }

  get #isActive(): boolean {
    return !this.#isClosed && this.#parts.clock.now() - this.#activeAt < activeMs;
  }

  recordActivity(): void {
    const wasActive = this.#isActive;
    this.#activeAt = this.#parts.clock.now();
    if (wasActive || this.#isClosed) return;
    this.#cancelStart ??= this.#parts.clock.after(startDelayMs, () => {
      this.#cancelStart = null;
      this.#work();
    });
  }

  changed(folders: readonly string[] | null): void {
    if (folders === null) this.#changed = null;
    else for (const folder of folders) for (const path of this.#pathsOf(folder)) this.#changed?.add(path);
    if (this.#isActive && this.#cancelStart === null) this.#work();
  }

  moved(from: VirtualPath, to: VirtualPath): void {
    this.#hasMoved ||= this.#isComparing;
    this.#moves.push({ from: from.slice(1), to: to.slice(1), at: this.#parts.clock.now() });
    if (this.#changed !== null)
      this.#changed = new Set([...this.#changed].flatMap((folder) => this.#pathsOf(folder)));
    // A stopped thread compares all documents when it starts.
    this.#thread.send({ kind: 'moved', from: from.slice(1), to: to.slice(1) });
  }

  /** Returns the path of a folder, and those that it has after the latest renames. */
  #pathsOf(folder: string): string[] {
    const since = this.#parts.clock.now() - movesKeptMs;
    this.#moves = this.#moves.filter(({ at }) => at >= since);
    const paths = [folder];
    for (const { from, to } of this.#moves) {
      const last = paths.at(-1) ?? folder;
      if (last === from || last.startsWith(`${from}/`)) paths.push(to + last.slice(from.length));
    }
    return paths;
  }

  async find(find: ContentFind, signal: AbortSignal): Promise<ContentsResult | null> {
    if (!this.isOn) return null;
    const stop = new SharedArrayBuffer(4);
    const onAbort = (): void => void Atomics.store(new Int32Array(stop), 0, 1);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const isSettled = await this.#parts.catalogue.isSettled();
      // A list that arrives at the thread after the search is not part of its progress.
      const isListed = this.#thread.isRunning && this.#isListed && this.#changed !== null;
      const isCompared = isSettled && !this.#isComparing && this.#changed?.size === 0;
      const response = await this.#thread.request((id) => ({ kind: 'find', id, find, stop }));
      signal.throwIfAborted();
      if (response?.kind === 'failed') throw new Error(`contents-worker: ${response.message}`);
      if (response?.kind !== 'found') return { rows: [], hasMore: false, progress: null };
      const { rows, hasMore, progress } = response;
      if (!isListed) return { rows, hasMore, progress: null };
      return { rows, hasMore, progress: isCompared ? progress : Math.min(progress, maxUnsettled) };
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async snippet(file: OpenFile, name: string, terms: readonly ContentTerm[]): Promise<Snippet | null> {
    const format = documentFormatOf(name, file.entry.size);
    if (format === null) return null;
    const request = { kind: 'snippet', key: `${format} ${file.fingerprint}`, format, terms } as const;
    try {
      const known = await this.#snippets.run({ ...request, bytes: null }, maxSnippetMs);
      if (known.kind === 'snippet' && known.snippet !== null) return known.snippet;
      const made = await this.#snippets.run({ ...request, bytes: await readBytes(file) }, maxSnippetMs);
      return made.kind === 'snippet' ? made.snippet : null;
    } catch (error) {
      if (error instanceof ExtractorDied) return null;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopChecks();
    this.#cancelStart?.();
    this.#reader.close();
    this.#snippets.close();
    await this.#job;
    await this.#thread.close();
  }

  /** Ends the thread of the index when no user is active. */
  #check(): void {
    if (this.#isActive) this.#work();
    else if (this.#job === null) void this.#thread.stop();
  }

  /** Compares and reads documents until there are no more to read, unless that is being done already. */
  #work(): void {
    if (this.#isClosed) return;
    if (this.#job !== null) {
      this.#hasMoreWork = true;
      return;
    }
    this.#hasMoreWork = false;
    this.#job = this.#run()
      .catch((error: unknown) => {
        this.#thread.pause();
        // Some of the changed folders may not have been compared.
        this.#changed = null;
        this.#parts.log.debug({ err: error }, 'reading documents was interrupted');
      })
      .finally(() => {
        this.#job = null;
        this.#parts.log.debug('contents: idle');
        if (this.#hasMoreWork) this.#work();
      });
  }

  async #run(): Promise<void> {
    // While some documents are being extracted, the files of the next ones are read.
    let extracting: Promise<void> | null = null;
    let isFirst = true;
    try {
      while (this.#isActive) {
        if (!(await this.#thread.start())) return;
        await this.#compare();
        const response = await this.#thread.request((id) => ({ kind: 'next', id, isFirst }));
        if (response?.kind !== 'next') return;
        isFirst = false;
        const { documents } = response;
        const files = await this.#reader.open(documents);
        const isBusy = extracting !== null;
        await extracting;
        extracting = null;
        if (documents.length > 0) {
          extracting = this.#reader.extract(files);
          // Handled when it is awaited.
          extracting.catch(() => undefined);
        }
        // A catalogue that is being built reports its end. A list that has become stale is requested again.
        else if (!isBusy && this.#changed !== null && (!this.#isListed || this.#changed.size === 0)) return;
      }
    } finally {
      await extracting;
    }
  }

  /** Compares the documents of changed folders with the index. */
  async #compare(): Promise<void> {
    this.#isComparing = true;
    this.#hasMoved = false;
    try {
      await (this.#changed === null ? this.#compareAll() : this.#compareFolders(this.#changed));
    } finally {
      this.#isComparing = false;
      if (this.#hasMoved) this.#changed = null;
    }
  }

  async #compareFolders(folders: Set<string>): Promise<void> {
    const { catalogue } = this.#parts;
    while (folders.size > 0 && this.#changed === folders) {
      const some = [...folders].slice(0, foldersAtOnce);
      for (const folder of some) folders.delete(folder);
      const listed = await catalogue.filesIn(some);
      if (listed !== null) this.#thread.send({ kind: 'folders', folders: listed });
    }
  }

  async #compareAll(): Promise<void> {
    const { catalogue } = this.#parts;
    this.#changed = new Set();
    this.#isListed = false;
    let part = await catalogue.files(null);
    for (let isFirst = true; part !== null && part.state === 'read';) {
      const { names, sizes, times, next } = part;
      this.#thread.send({ kind: 'files', files: { names, sizes, times }, isFirst, isLast: next === null });
      if (next === null) {
        this.#isListed = true;
        return;
      }
      isFirst = false;
      part = await catalogue.files(next);
    }
    // Without a catalogue, such as on a network file system, there is nothing to list.
    if (part === null) this.#isListed = true;
    // A list that has become stale begins again; one of a catalogue that is being built when that is complete.
    if (part?.state === 'stale') this.#changed = null;
  }
}

/** The search in contents of a server on which it is switched off. */
class NoContents implements Contents {
  readonly isOn = false;
  recordActivity(): void {
    // Nothing is read.
  }
  changed(): void {
    // Nothing is kept.
  }
  moved(): void {
    // Nothing is kept.
  }
  async find(): Promise<null> {
    return null;
  }
  async snippet(): Promise<null> {
    return null;
  }
  async close(): Promise<void> {
    // Nothing is open.
  }
}

/** Whether documents are searched: the option is on, and there is a catalogue, from which changed files are known. */
export const searchesContents = ({
  searchesContents: isWanted,
  hasCatalogue,
}: Pick<ContentsOptions, 'searchesContents' | 'hasCatalogue'>): boolean => isWanted && hasCatalogue;

/**
 * Opens the search in contents of a server. Its threads start with the first activity of a user. Switched off, it removes the
 * index of an earlier start.
 */
export function openContents(parts: ContentsParts): Contents {
  if (searchesContents(parts.options)) return new ServedContents(parts);
  removeIndex(indexFileOf(parts.options.data));
  return new NoContents();
}
