import fs from 'node:fs';
import type { Clock } from '../../clock.ts';
import { WorkerPool, type WorkerTask } from '../../programs/worker-pool.ts';
import type { WatchMessage, WatchRequest } from './observe-protocol.ts';

/** Upper limit of the default number of watched folders. */
const maxDefaultWatches = 32_768;
/** The time after which watching is tried again when the operating system refused it (milliseconds). */
export const retryWatchingMs = 10 * 60_000;

/** The limits of the operating system, which all programs of a user share; the second one is that of a container. */
const limitFiles = ['/proc/sys/fs/inotify/max_user_watches', '/proc/sys/user/max_inotify_watches'];

/** Returns the number of folders that the programs of a user may watch together; infinite where the system does not report it. */
export function systemWatchLimit(files: readonly string[] = limitFiles): number {
  let limit = Number.POSITIVE_INFINITY;
  for (const file of files) {
    try {
      const value = Number(fs.readFileSync(file, 'utf8'));
      if (Number.isSafeInteger(value)) limit = Math.min(limit, Math.max(0, value));
    } catch {
      // Not Linux, or not readable here.
    }
  }
  return limit;
}

/** Returns the default of the option `watchFolders`: a quarter of the operating system's limit, which other programs share. */
export const defaultWatchFolders = (limit = systemWatchLimit()): number =>
  Math.min(maxDefaultWatches, Math.floor(limit / 4));

/** The least number of watches that open folders may have, if there are as many. */
const minOpenWatches = 256;

/** Divides the option `watchFolders`: a quarter for open folders, the rest for those of the catalogue. */
export function shareWatches(total: number = defaultWatchFolders()): {
  readonly open: number;
  readonly catalogue: number;
} {
  const open = Math.min(total, Math.max(minOpenWatches, Math.floor(total / 4)));
  return { open, catalogue: total - open };
}

/** Receives the events of a watched folder. */
export interface WatchListener {
  /** The named entries, or any if null, may have changed. With `isMoved` the folder itself may have been moved or removed. */
  onChange(change: {
    readonly names: readonly string[] | null;
    readonly renamed: readonly (readonly [string, string])[];
    readonly isMoved: boolean;
  }): void;
  /** The watch has ended, because it was released for other programs or the worker failed. */
  onEnd(): void;
}

/** The worker that watches folders; replaced in tests. */
export type WatchWorker = Pick<WorkerPool<WatchRequest, WatchMessage>, 'open'>;

const openWorker = (): WatchWorker =>
  new WorkerPool<WatchRequest, WatchMessage>({
    name: 'observe-worker',
    source: new URL('./observe-worker.ts', import.meta.url),
    maxWorkers: 1,
    isLast: ({ kind }) => kind === 'failed' || kind === 'closed',
  });

/** An open watch. */
interface Watch {
  readonly task: WorkerTask<WatchRequest>;
  readonly listener: WatchListener;
}

/** The errors by which operating systems report that no more folders can be watched. */
const exhaustedCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE']);

/**
 * Watches folders through the operating system, in a worker, up to a limit. When the operating system refuses a watch because
 * too many exist, a tenth of the watches is released for other programs, and further ones are tried only after
 * {@link retryWatchingMs}.
 */
export class FolderWatches {
  readonly #worker: WatchWorker;
  readonly #clock: Clock;
  readonly #maxWatches: () => number;
  readonly #onExhausted: () => void;
  readonly #watches = new Set<Watch>();
  /** The limit after a refusal of the operating system, until watching is tried again; null otherwise. */
  #reducedLimit: number | null = null;
  #cancelRetry: () => void = () => undefined;
  #limit: number | null = null;
  #opening = 0;

  constructor(parts: {
    readonly clock: Clock;
    /** The option `watchFolders`, see {@link shareWatches}; defaults to {@link defaultWatchFolders}. */
    readonly maxWatches?: number | undefined;
    /** Called when the operating system refuses a watch, at most once per {@link retryWatchingMs}. */
    readonly onExhausted?: () => void;
    readonly worker?: WatchWorker;
  }) {
    const { maxWatches } = parts;
    this.#clock = parts.clock;
    this.#maxWatches = () => shareWatches(maxWatches).open;
    this.#onExhausted = parts.onExhausted ?? (() => undefined);
    this.#worker = parts.worker ?? openWorker();
  }

  /** Whether the operating system has refused a watch recently. */
  get isExhausted(): boolean {
    return this.#reducedLimit !== null;
  }

  /** The number of watched folders. */
  get count(): number {
    return this.#watches.size;
  }

  /**
   * Watches the folder at the disk path `path`, which has to be valid until the promise is resolved. Returns the function that
   * ends the watch; null when the folder cannot be watched.
   */
  async open(path: string, listener: WatchListener): Promise<(() => void) | null> {
    this.#limit ??= this.#maxWatches();
    const limit = this.#reducedLimit ?? this.#limit;
    if (this.#watches.size + this.#opening >= limit) return null;
    this.#opening += 1;
    try {
      return await this.#open(path, listener);
    } finally {
      this.#opening -= 1;
    }
  }

  /** Ends all watches without calling their listeners. */
  close(): void {
    this.#cancelRetry();
    for (const watch of this.#watches) this.#close(watch);
  }

  #open(path: string, listener: WatchListener): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const end = (): void => {
        resolve(null);
        if (this.#watches.delete(watch)) listener.onEnd();
      };
      const task = this.#worker.open({
        onMessage: (message) => {
          if (message.kind === 'watching') {
            this.#watches.add(watch);
            resolve(() => this.#close(watch));
          } else if (message.kind === 'change') {
            if (this.#watches.has(watch)) listener.onChange(message);
          } else if (message.kind === 'failed') {
            if (message.code !== undefined && exhaustedCodes.has(message.code)) this.#releaseTenth();
            end();
          }
        },
        onFailure: end,
      });
      const watch: Watch = { task, listener };
      task.send({ kind: 'watch', id: task.id, path });
    });
  }

  #close(watch: Watch): void {
    if (!this.#watches.delete(watch)) return;
    watch.task.send({ kind: 'close', id: watch.task.id });
  }

  /** Ends a tenth of the watches, the oldest ones, and lifts the reduced limit after {@link retryWatchingMs}. */
  #releaseTenth(): void {
    if (this.#reducedLimit !== null) return;
    const limit = Math.floor(this.#watches.size * 0.9);
    this.#reducedLimit = limit;
    for (const watch of [...this.#watches].slice(0, this.#watches.size - limit)) {
      this.#close(watch);
      watch.listener.onEnd();
    }
    this.#cancelRetry = this.#clock.after(retryWatchingMs, () => {
      this.#reducedLimit = null;
    });
    this.#onExhausted();
  }
}
