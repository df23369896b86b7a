import type {
  ScanMessage,
  ScannedFolder,
  ScanRequest,
  WatchedChanges,
} from '../storage/disk/scan/scan-protocol.ts';

/** The port of the scanning thread. */
export interface ScanPort {
  postMessage(request: ScanRequest, transferred: []): void;
  on(event: 'message', listener: (message: ScanMessage) => void): void;
}

/** Receives the folders of one request. */
export interface FolderListener {
  onFolder(folder: ScannedFolder): void;
  onEnd(): void;
}

/** Receives what the scanning thread reports without a request. */
export interface ScanListener {
  /** Called with a folder and its entries that {@link FolderRequests.reportInodes} asked for. */
  onMarked(folder: string, names: readonly string[]): void;
  /** Called with changes of watched folders. */
  onChanges(changes: WatchedChanges): void;
  /** The operating system refuses further watches. */
  onExhausted(): void;
}

/** Requests to the scanning thread, with the listener of each. */
export class FolderRequests {
  readonly #port: ScanPort;
  readonly #listeners = new Map<number, FolderListener>();
  /** The requests that read folders or entries. */
  readonly #readings = new Set<number>();
  #nextId = 1;

  constructor(port: ScanPort, { onMarked, onChanges, onExhausted }: ScanListener) {
    this.#port = port;
    port.on('message', (message) => {
      if (message.kind === 'changes') return onChanges(message);
      if (message.kind === 'exhausted') return onExhausted();
      const listener = this.#listeners.get(message.id);
      if (message.kind === 'end') {
        this.#listeners.delete(message.id);
        this.#readings.delete(message.id);
        listener?.onEnd();
      } else
        for (const folder of message.folders) {
          if (folder.marked !== undefined) onMarked(folder.path, folder.marked);
          listener?.onFolder(folder);
        }
    });
  }

  /** The number of requests that have not ended. */
  get running(): number {
    return this.#listeners.size;
  }

  /** Whether folders or entries are being read that may have changed; comparisons of times do not count. */
  get isReading(): boolean {
    return this.#readings.size > 0;
  }

  /** Reads folders; see `ScanRequest`. */
  read(
    paths: readonly string[],
    options: {
      readonly isDeep: boolean;
      readonly isUrgent: boolean;
      readonly maxDepth?: number | undefined;
    },
    listener: FolderListener,
  ): void {
    const id = this.#listen(listener);
    this.#readings.add(id);
    this.#port.postMessage({ kind: 'read', id, paths, ...options }, []);
  }

  /** Reads entries of a folder by name; see `ScanRequest`. */
  readNames(
    path: string,
    names: readonly string[],
    options: { readonly isUrgent: boolean },
    listener: FolderListener,
  ): void {
    const id = this.#listen(listener);
    this.#readings.add(id);
    this.#port.postMessage({ kind: 'readNames', id, path, names, ...options }, []);
  }

  /** Reads the folders whose time of change differs; see `ScanRequest`. */
  check(paths: readonly string[], times: Float64Array, listener: FolderListener): void {
    this.#port.postMessage({ kind: 'check', id: this.#listen(listener), paths, times }, []);
  }

  /** Watches folders; see `ScanRequest`. */
  watch(paths: readonly string[], onEnd: () => void): void {
    const id = this.#listen({ onFolder: () => undefined, onEnd });
    this.#port.postMessage({ kind: 'watch', id, paths }, []);
  }

  /** Sets the inodes whose entries are reported with their folder; see `ScanRequest`. */
  reportInodes(inodes: ReadonlySet<number>): void {
    this.#port.postMessage({ kind: 'reportInodes', inodes }, []);
  }

  #listen(listener: FolderListener): number {
    const id = this.#nextId++;
    this.#listeners.set(id, listener);
    return id;
  }
}
