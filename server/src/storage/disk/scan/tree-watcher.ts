import fs, { type FSWatcher } from 'node:fs';
import { ChangeCollector } from '../../observe/change-collector.ts';
import { readMaxQueuedEvents } from '../../observe/max-queued-events.ts';
import { at, type Folder } from '../paths/folder.ts';
import { textOfRaw } from '../paths/raw-names.ts';
import { isErrno } from '../paths/syscalls.ts';
import { isReservedName } from '../paths/temporary-names.ts';
import type { WatchedChange, WatchedChanges } from './scan-protocol.ts';

/** The time for which changes are collected before they are reported (milliseconds). */
const collectMs = 500;
/** The time after which watching is tried again when the operating system refused it (milliseconds). */
const retryMs = 10 * 60_000;
/** A folder of which any entry may have changed is reported at most once within this time (milliseconds). */
const wholeFolderMs = 5_000;
/** If more entries of a folder have changed, all are read again: an upload of thousands of files changes fewer at a time. */
const maxNames = 4_000;
/** The name by which folders are watched, and that events of the folder itself have: no entry has it. */
const ownName = '.';

interface Watched {
  readonly path: string;
  readonly watcher: FSWatcher;
  /** When the whole folder was last reported (milliseconds). */
  reportedAt: number;
}

/** Receives the changes of a {@link TreeWatcher}. */
export interface TreeWatchListener {
  onChanges(changes: WatchedChanges): void;
  /** The operating system refused a watch; called at most once within ten minutes. */
  onExhausted(): void;
}

/**
 * Watches folders of the scanned tree by the operating system's events, up to a limit. An event says only that entries may have
 * changed: they are read again by their paths. The watches of a folder that was moved or removed, and of those in it, end.
 */
export class TreeWatcher {
  readonly #listener: TreeWatchListener;
  readonly #maxWatches: number;
  readonly #ids = new Map<string, number>();
  readonly #watched = new Map<number, Watched>();
  readonly #collector = new ChangeCollector(readMaxQueuedEvents(), maxNames);
  #nextId = 1;
  #exhaustedAt = -Infinity;
  #isOverflow = false;
  #isEndScheduled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxWatches: number, listener: TreeWatchListener) {
    this.#maxWatches = maxWatches;
    this.#listener = listener;
  }

  /** Whether further folders can be watched. */
  get hasRoom(): boolean {
    return performance.now() - this.#exhaustedAt >= retryMs && this.#watched.size < this.#maxWatches;
  }

  /** Whether the folder at `path` is watched. */
  has(path: string): boolean {
    return this.#ids.has(path);
  }

  /** Watches an open folder, which may be closed afterwards. Does nothing if it cannot be watched. */
  add(path: string, folder: Folder): void {
    if (!this.hasRoom || this.has(path)) return;
    const id = this.#nextId++;
    try {
      const watcher = fs.watch(at(folder, ownName), { encoding: 'buffer', persistent: false }, (kind, raw) =>
        this.#onEvent(id, kind, raw === null ? ownName : textOfRaw(raw)),
      );
      watcher.on('error', this.#onError);
      this.#ids.set(path, id);
      this.#watched.set(id, { path, watcher, reportedAt: -Infinity });
    } catch (error) {
      if (isErrno(error, 'ENOSPC', 'EMFILE')) this.#releaseTenth();
    }
  }

  /** Ends all watches. */
  close(): void {
    clearTimeout(this.#timer);
    for (const id of this.#watched.keys()) this.#end(id);
  }

  #onEvent(id: number, kind: string, name: string): void {
    if (name === ownName) this.#collector.addMoved(id);
    else if (!isReservedName(name)) this.#collector.add(id, kind === 'change' ? 'change' : 'rename', name);
    if (!this.#isEndScheduled) {
      this.#isEndScheduled = true;
      // Runs after all events of this iteration of the event loop.
      setImmediate(() => {
        this.#isEndScheduled = false;
        if (this.#collector.endIteration([])) this.#isOverflow = true;
      });
    }
    this.#reportSoon();
  }

  #reportSoon(): void {
    this.#timer ??= setTimeout(() => this.#report(), collectMs);
  }

  /** One function for all watches: tens of thousands would take some megabytes. Which folder may have changed is not known. */
  readonly #onError = (): void => {
    this.#isOverflow = true;
    this.#reportSoon();
  };

  #report(): void {
    this.#timer = undefined;
    const now = performance.now();
    const changes: WatchedChange[] = [];
    const moved: string[] = [];
    for (const [id, { names, isMoved }] of this.#collector.take()) {
      const watched = this.#watched.get(id);
      if (watched === undefined) continue;
      if (isMoved) moved.push(watched.path);
      else if (names !== null) changes.push([watched.path, names]);
      else if (now - watched.reportedAt >= wholeFolderMs) {
        watched.reportedAt = now;
        changes.push([watched.path, null]);
      } else {
        // Changes of other folders do not wait for it.
        this.#collector.addAny(id);
        this.#reportSoon();
      }
    }
    for (const path of moved) this.#endBelow(path);
    const isOverflow = this.#isOverflow;
    this.#isOverflow = false;
    if (changes.length + moved.length > 0 || isOverflow)
      this.#listener.onChanges({ changes, moved, isOverflow });
  }

  /** Ends the watches of a folder and of those in it, which may be somewhere else now. */
  #endBelow(path: string): void {
    const prefix = path === '' ? '' : `${path}/`;
    for (const [watched, id] of this.#ids) if (watched === path || watched.startsWith(prefix)) this.#end(id);
  }

  #end(id: number): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    watched.watcher.close();
    this.#watched.delete(id);
    this.#ids.delete(watched.path);
    this.#collector.forget(id);
  }

  #releaseTenth(): void {
    this.#exhaustedAt = performance.now();
    for (const id of [...this.#watched.keys()].slice(Math.floor(this.#watched.size * 0.9))) this.#end(id);
    this.#listener.onExhausted();
  }
}
