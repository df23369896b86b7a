import { randomBytes } from 'node:crypto';
import type { FolderChanges, LiveSource } from '@filestead/contract/endpoints/live';
import type { ListingRow } from '@filestead/contract/files';
import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { maxLiveNames } from '@filestead/contract/values/limits';
import type { Clock } from '../clock.ts';
import { isAppError } from '../errors.ts';
import { forEachConcurrently } from '../scheduling/for-each-concurrently.ts';
import type { Entry, FolderChange, FolderObservation, Storage } from '../storage/storage.ts';
import { ChangeLog, joinNames } from './change-log.ts';

/** The time for which the first changes after a pause are collected (milliseconds). */
export const firstCollectMs = 50;
/** The time for which further changes are collected (milliseconds). */
export const collectMs = 250;
/** The minimum time between two requests to list a folder again (milliseconds). */
export const relistIntervalMs = 2_000;
/**
 * The maximum time over which the requests to list a folder again are spread, so that its windows do not all list it at
 * once (milliseconds).
 */
const maxSpreadMs = 1_000;
/** The part of {@link maxSpreadMs} per window (milliseconds). */
const spreadPerWindowMs = 20;
/** The delay before another attempt to observe a folder (milliseconds). */
export const retryMs = 2_000;
/** Modification times may lag behind the clock by this much (milliseconds), because file systems use a coarser clock. */
const clockSlackMs = 50;
/** The maximum number of versions whose changes are cached until the next change. */
const maxCachedDeltas = 100;
/** The number of entries that are read at once. */
const parallelReads = 16;

/** A user's storage, which is released after use. */
export interface OpenedStorage {
  readonly storage: Storage;
  readonly release: () => void;
}

/** The parts of a {@link LiveFolder}. */
export interface LiveFolderParts {
  /** Opens the current storage of one of the users who see the same entries of the folder. Throws when there is none. */
  readonly open: () => Promise<OpenedStorage>;
  readonly rowOf: (entry: Entry) => ListingRow;
  readonly clock: Clock;
  /** Called with the names that the observation reports; null for any name. */
  readonly onOutside?: (names: readonly string[] | null) => void;
  /** The time of the disk in Unix milliseconds; replaced in tests. */
  readonly diskTime?: () => number;
  /** A number from 0 to 1; replaced in tests. */
  readonly random?: () => number;
}

/** The changes of a folder between two versions, as JSON of a `FolderChanges`. */
export interface Delta {
  readonly version: string;
  /** Null when nothing has changed. */
  readonly json: string | null;
}

/** The version of a listing that began at this time (Unix milliseconds). */
export const listingVersion = (beganAtMs: number): string => `at-${beganAtMs}`;

/** The time of {@link listingVersion}; null for other versions. */
function timeOfVersion(version: string): number | null {
  const time = /^at-(\d{1,15})$/.exec(version)?.[1];
  return time === undefined ? null : Number(time);
}

/** The errors that mean that the user cannot see an entry. */
const isUnseen = (error: unknown): boolean =>
  isAppError(error, 'not_found', 'forbidden', 'external_link', 'not_a_folder');

/** The entry at `path` in a listing of the user; null when there is none. */
async function readEntry(storage: Storage, path: VirtualPath): Promise<Entry | null> {
  try {
    return await storage.stat(path);
  } catch (error) {
    if (isUnseen(error)) return null;
    throw error;
  }
}

/**
 * An open folder, shared by all windows whose users see the same entries of it. A change only contains the affected names; their
 * rows are read from the storage when they are sent. A version consists of a random name of this object and the number of
 * changes so far.
 */
export class LiveFolder {
  readonly path: VirtualPath;
  readonly #parts: LiveFolderParts;
  readonly #instance = randomBytes(9).toString('base64url');
  readonly #log = new ChangeLog();
  readonly #listeners = new Set<() => void>();
  readonly #deltas = new Map<string, Promise<Delta>>();
  #pending: { names: Set<string> | null; renamed: (readonly [string, string])[] } | null = null;
  #cancelFlush: (() => void) | null = null;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #relistedAt = Number.NEGATIVE_INFINITY;
  #observation: FolderObservation | null = null;
  #releaseStorage: () => void = () => undefined;
  /** The time since which all changes are observed, in Unix milliseconds. */
  #observedAt = Number.POSITIVE_INFINITY;
  #starting: Promise<void> | null = null;
  #cancelRetry: () => void = () => undefined;
  #isClosed = false;

  constructor(path: VirtualPath, parts: LiveFolderParts) {
    this.path = path;
    this.#parts = parts;
  }

  get version(): string {
    return `${this.#instance}-${this.#log.count}`;
  }

  get source(): LiveSource {
    return this.#observation?.source ?? 'polling';
  }

  /** Observes the folder unless it is observed. Throws what `Storage.observe` throws. */
  async start(): Promise<void> {
    if (this.#observation !== null) return;
    this.#starting ??= this.#observe().finally(() => {
      this.#starting = null;
    });
    await this.#starting;
  }

  /** Ends the observation. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#cancelFlush?.();
    this.#stopObserving();
  }

  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records a change. Listeners are notified after a delay, in which further changes are collected. */
  addChange({ names, renamed }: FolderChange): void {
    if (this.#isClosed) return;
    const pending = this.#pending ?? { names: new Set<string>(), renamed: [] };
    const wasForRelisting = pending.names === null;
    pending.names = joinNames(pending.names, names);
    pending.renamed.push(...renamed);
    this.#pending = pending;
    if (this.#cancelFlush !== null && wasForRelisting === (pending.names === null)) return;
    this.#cancelFlush?.();
    this.#cancelFlush = this.#parts.clock.after(this.#delayMs(pending.names === null), () => this.#flush());
  }

  /** Observes the path again, because it may be another folder now. */
  restart(): void {
    if (this.#isClosed || this.#starting !== null) return;
    this.#stopObserving();
    this.addChange({ names: null, renamed: [] });
    void this.#startAfter(0);
  }

  /** The changes since `version`, with the rows as they are now. */
  async changesSince(version: string | undefined): Promise<Delta> {
    if (version === this.version) return { version, json: null };
    const key = version ?? '';
    // Versions of listings differ from window to window, so caching them is useless; others are shared by many windows.
    if (timeOfVersion(key) !== null) return this.#changesSince(version);
    const known = this.#deltas.get(key);
    if (known !== undefined) return known;
    const delta = this.#changesSince(version);
    if (this.#deltas.size < maxCachedDeltas) this.#deltas.set(key, delta);
    // A failure is not cached.
    delta.catch(() => this.#deltas.delete(key));
    return delta;
  }

  #delayMs(isForRelisting: boolean): number {
    const now = this.#parts.clock.now();
    if (isForRelisting) return Math.max(firstCollectMs, this.#relistedAt + relistIntervalMs - now);
    return Math.max(firstCollectMs, this.#flushedAt + collectMs - now);
  }

  #flush(): void {
    this.#cancelFlush = null;
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null) return;
    const { clock, random = Math.random } = this.#parts;
    const names = pending.names && [...pending.names];
    this.#log.add({ names, renamed: names === null ? [] : pending.renamed }, this.#diskTime());
    this.#deltas.clear();
    this.#flushedAt = clock.now();
    if (names === null) this.#relistedAt = this.#flushedAt;
    const windows = this.#listeners.size;
    const spreadMs = names === null ? Math.min(maxSpreadMs, (windows - 1) * spreadPerWindowMs) : 0;
    for (const listener of this.#listeners) {
      if (spreadMs === 0) listener();
      else clock.after(random() * spreadMs, listener);
    }
  }

  #diskTime(): number {
    return (this.#parts.diskTime ?? Date.now)();
  }

  async #observe(): Promise<void> {
    const { storage, release } = await this.#parts.open();
    let hasEnded = false;
    try {
      const observation = await storage.observe(this.path, {
        onChange: (change) => {
          this.addChange(change);
          this.#parts.onOutside?.(change.names);
        },
        onEnd: () => {
          if (hasEnded) return;
          hasEnded = true;
          this.#stopObserving();
          this.addChange({ names: null, renamed: [] });
          void this.#startAfter(0);
        },
      });
      if (this.#isClosed) observation.close();
      else {
        this.#observation = observation;
        this.#observedAt = this.#diskTime();
        this.#releaseStorage = release;
        return;
      }
    } catch (error) {
      release();
      throw error;
    }
    release();
  }

  /** Tries to observe the folder until it succeeds; then asks the windows to list it again. */
  async #startAfter(delayMs: number): Promise<void> {
    this.#cancelRetry();
    if (delayMs > 0) {
      this.#cancelRetry = this.#parts.clock.after(delayMs, () => void this.#startAfter(0));
      return;
    }
    try {
      await this.start();
      this.addChange({ names: null, renamed: [] });
    } catch {
      if (!this.#isClosed) void this.#startAfter(retryMs);
    }
  }

  #stopObserving(): void {
    this.#observation?.close();
    this.#observation = null;
    this.#observedAt = Number.POSITIVE_INFINITY;
    this.#releaseStorage();
    this.#releaseStorage = () => undefined;
  }

  async #changesSince(version: string | undefined): Promise<Delta> {
    const now = this.version;
    const { storage, release } = await this.#parts.open();
    try {
      const { names, renamed } = await this.#changedNames(storage, version);
      if (names === null) {
        const isMissing = (await readEntry(storage, this.path)) === null;
        const code = isMissing && ({ code: 'not_found' } as const);
        return { version: now, json: this.#json({ version: now, again: true, ...code }) };
      }
      if (names.length === 0) return { version: now, json: null };
      return {
        version: now,
        json: this.#json({ version: now, ...(await this.#read(storage, names, renamed)) }),
      };
    } finally {
      release();
    }
  }

  async #changedNames(storage: Storage, version = ''): Promise<FolderChange> {
    const listedAt = timeOfVersion(version);
    if (listedAt !== null) {
      const logged = this.#log.sinceTime(listedAt);
      if (logged.names === null || listedAt > this.#observedAt) return logged;
      const unobserved = await this.#changedSince(storage, listedAt - clockSlackMs);
      const names = joinNames(new Set(logged.names), unobserved);
      return { names: names && [...names], renamed: logged.renamed };
    }
    const [instance, count] = splitVersion(version);
    if (instance !== this.#instance) return { names: null, renamed: [] };
    return this.#log.since(count);
  }

  /**
   * The names of the entries whose modification time is `timeMs` (Unix milliseconds) or later; null if names were added or
   * removed.
   */
  async #changedSince(storage: Storage, timeMs: number): Promise<string[] | null> {
    const listing = await storage.list(this.path);
    const isFolderChanged = Number(listing.folder.modifiedNs / 1_000_000n) >= timeMs;
    const names: string[] = [];
    for await (const batch of listing.batches()) {
      // Leaving the loop stops the listing.
      if (isFolderChanged || names.length > maxLiveNames) break;
      for (let i = 0; i < batch.count; i++) {
        const name = listing.names[batch.first + i];
        if (name !== undefined && (batch.modifiedMs[i] ?? 0) >= timeMs) names.push(name);
      }
    }
    return isFolderChanged || names.length > maxLiveNames ? null : names;
  }

  async #read(
    storage: Storage,
    names: readonly string[],
    renamed: FolderChange['renamed'],
  ): Promise<Pick<FolderChanges, 'changed' | 'removed' | 'moved'>> {
    const rows = new Map<string, ListingRow>();
    const removed = new Set<string>();
    await forEachConcurrently(names, parallelReads, async (name) => {
      const entry = await readEntry(storage, childOf(this.path, name));
      if (entry === null) removed.add(name);
      else rows.set(name, this.#parts.rowOf({ ...entry, name }));
    });
    const moved = renamed.filter(([from, to]) => removed.has(from) && rows.has(to));
    return {
      ...(rows.size > 0 && { changed: [...rows.values()] }),
      ...(removed.size > 0 && { removed: [...removed] }),
      ...(moved.length > 0 && { moved: moved.map(([from, to]): [string, string] => [from, to]) }),
    };
  }

  #json(changes: Omit<FolderChanges, 'path'>): string {
    return JSON.stringify({ path: this.path, ...changes } satisfies FolderChanges);
  }
}

function splitVersion(version: string): [instance: string, count: number] {
  const at = version.lastIndexOf('-');
  const count = Number(version.slice(at + 1));
  return [version.slice(0, Math.max(0, at)), Number.isSafeInteger(count) ? count : -1];
}
