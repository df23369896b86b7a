import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { storedUploadsKey } from './stored-key.ts';

/** The record of an unfinished chunked upload: enough to resume it when the file is chosen again. */
export interface UnfinishedUpload {
  /** The upload address on the server. */
  readonly address: string;
  /** The destination of the file. */
  readonly path: VirtualPath;
  /** The size of the whole file in bytes. */
  readonly size: number;
  /** The modification time of the file on the user's machine, in Unix milliseconds. */
  readonly modifiedMs: number;
  /** Whether it overwrites an existing file. */
  readonly override: boolean;
  /** Number of bytes that the server has confirmed. */
  readonly offset: number;
}

interface StoredUpload extends UnfinishedUpload {
  /** The page that sends it; empty after that page has announced that it is closing. */
  owner: string;
  /** When the record was last stored, in Unix milliseconds. */
  readonly keptAtMs: number;
}

/** The properties that identify a file: a browser exposes no others. */
export type FileIdentity = Pick<UnfinishedUpload, 'path' | 'size' | 'modifiedMs' | 'override'>;

/** Maximum number of records; the oldest are removed. */
const maxRecords = 200;
/** Without Web Locks (plain HTTP), a page that has stored nothing for this long counts as closed, in ms. */
const staleAfterMs = 60_000;

const lockPrefix = 'filestead.uploads.';

/**
 * Stores in this browser which chunked uploads of one user are unfinished, so that they can be resumed after the page
 * was closed. Uploads of another open page are left alone.
 */
export class UnfinishedUploads {
  readonly #key: string;
  /** Identifies this page among the open ones. */
  readonly #owner = Math.random().toString(36).slice(2);
  #isLocked = false;
  readonly #stop = new AbortController();

  constructor(userId: number) {
    this.#key = storedUploadsKey(userId);
    window.addEventListener('pagehide', () => this.#release(), { signal: this.#stop.signal });
  }

  /** Stores the progress of an upload of this page. */
  store(upload: UnfinishedUpload): void {
    this.#lock();
    const others = this.#read().filter(({ address }) => address !== upload.address);
    this.#write([...others, { ...upload, owner: this.#owner, keptAtMs: Date.now() }]);
  }

  /** Removes the record of a finished or cancelled upload. */
  forget(address: string): void {
    const stored = this.#read();
    const others = stored.filter((upload) => upload.address !== address);
    if (others.length < stored.length) this.#write(others);
  }

  /** Returns the uploads that no open page sends, the oldest first. */
  async interrupted(): Promise<readonly UnfinishedUpload[]> {
    const stored = this.#read().filter(({ owner }) => owner !== this.#owner);
    if (stored.length === 0) return [];
    const isBeingSent = await findOpenPages();
    return stored.filter((upload) => !isBeingSent(upload));
  }

  /** Returns the interrupted upload of the same file to the same destination. */
  async find(file: FileIdentity): Promise<UnfinishedUpload | null> {
    const isSame = (upload: UnfinishedUpload) =>
      upload.path === file.path &&
      upload.size === file.size &&
      upload.modifiedMs === file.modifiedMs &&
      upload.override === file.override;
    return (await this.interrupted()).findLast(isSame) ?? null;
  }

  /** Releases the uploads of this user, so that they can be resumed later, before another user takes over. */
  close(): void {
    this.#release();
    this.#stop.abort();
  }

  /** Marks the uploads of this page as interrupted for other pages, without waiting. */
  #release(): void {
    const stored = this.#read();
    const ownUploads = stored.filter(({ owner }) => owner === this.#owner);
    for (const upload of ownUploads) upload.owner = '';
    if (ownUploads.length > 0) this.#write(stored);
  }

  /** Acquires a lock that is released when the page is closed or crashes. */
  #lock(): void {
    if (this.#isLocked || !('locks' in navigator)) return;
    this.#isLocked = true;
    const { signal } = this.#stop;
    const untilClosed = () =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    navigator.locks.request(lockPrefix + this.#owner, untilClosed).catch(() => undefined);
  }

  #read(): StoredUpload[] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]');
      return Array.isArray(stored) ? stored.flatMap(parseStored) : [];
    } catch {
      return [];
    }
  }

  #write(uploads: readonly StoredUpload[]): void {
    try {
      if (uploads.length === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(uploads.slice(-maxRecords)));
    } catch {
      // Storage is forbidden or full: the upload continues and is lost with the page.
    }
  }
}

/** Returns a predicate for uploads that an open page is sending. */
async function findOpenPages(): Promise<(upload: StoredUpload) => boolean> {
  if (!('locks' in navigator)) {
    return ({ owner, keptAtMs }) => owner !== '' && Date.now() - keptAtMs < staleAfterMs;
  }
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map(({ name }) => name));
  return ({ owner }) => owner !== '' && names.has(lockPrefix + owner);
}

/** Parses one record; empty if it was not written by this code. */
function parseStored(value: unknown): StoredUpload[] {
  if (typeof value !== 'object' || value === null) return [];
  const { address, path, size, modifiedMs, override, offset, owner, keptAtMs } = value as Record<
    keyof StoredUpload,
    unknown
  >;
  if (
    typeof address !== 'string' ||
    typeof path !== 'string' ||
    typeof size !== 'number' ||
    typeof modifiedMs !== 'number' ||
    typeof override !== 'boolean' ||
    typeof offset !== 'number' ||
    typeof owner !== 'string' ||
    typeof keptAtMs !== 'number' ||
    !/^\/(?!\/)/u.test(address)
  ) {
    return [];
  }
  try {
    return [{ address, path: virtualPath(path), size, modifiedMs, override, offset, owner, keptAtMs }];
  } catch {
    return [];
  }
}
