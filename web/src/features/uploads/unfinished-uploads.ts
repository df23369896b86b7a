import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A file that is sent in parts and has not arrived whole: enough to go on with it when it is chosen again. */
export interface UnfinishedUpload {
  /** Where the server goes on with it. */
  readonly address: string;
  /** Where the file goes. */
  readonly path: VirtualPath;
  /** Bytes of the whole file. */
  readonly size: number;
  /** When the file was changed on the user's machine, in Unix milliseconds. */
  readonly modifiedMs: number;
  /** Whether it replaces a file that is there. */
  readonly override: boolean;
  /** Bytes that the server is known to hold. */
  readonly offset: number;
}

interface KeptUpload extends UnfinishedUpload {
  /** The page that sends it; empty when that page has said that it goes. */
  owner: string;
  /** When it was written down last, in Unix milliseconds. */
  readonly keptAtMs: number;
}

/** What tells one file from another: a browser gives no more away. */
export type FileFacts = Pick<UnfinishedUpload, 'path' | 'size' | 'modifiedMs' | 'override'>;

/** More are not kept: the oldest give way. */
const most = 200;
/** Where browsers have no locks (plain HTTP), a page that has been silent for so long is taken for closed, in ms. */
const silentMs = 60_000;

const lockPrefix = 'filestead.uploads.';

/**
 * Remembers in this browser which uploads of one user are under way on the server, so that they can be gone on with after
 * the page was closed. Uploads that another open page sends are left alone.
 */
export class UnfinishedUploads {
  readonly #key: string;
  /** Names this page among those that are open. */
  readonly #owner = Math.random().toString(36).slice(2);
  #isLocked = false;
  readonly #stop = new AbortController();

  constructor(userId: number) {
    this.#key = `filestead.uploads.${userId}`;
    window.addEventListener('pagehide', () => this.#release(), { signal: this.#stop.signal });
  }

  /** Writes down how far an upload of this page is. */
  keep(upload: UnfinishedUpload): void {
    this.#lock();
    const others = this.#read().filter(({ address }) => address !== upload.address);
    this.#write([...others, { ...upload, owner: this.#owner, keptAtMs: Date.now() }]);
  }

  /** Forgets an upload that has arrived or was given up. */
  forget(address: string): void {
    const kept = this.#read();
    const others = kept.filter((upload) => upload.address !== address);
    if (others.length < kept.length) this.#write(others);
  }

  /** Those that no open page sends, the oldest first. */
  async interrupted(): Promise<readonly UnfinishedUpload[]> {
    const kept = this.#read().filter(({ owner }) => owner !== this.#owner);
    if (kept.length === 0) return [];
    const isAlive = await livingPages();
    return kept.filter((upload) => !isAlive(upload));
  }

  /** The interrupted upload of the same file to the same place. */
  async find(file: FileFacts): Promise<UnfinishedUpload | null> {
    const isSame = (upload: UnfinishedUpload) =>
      upload.path === file.path &&
      upload.size === file.size &&
      upload.modifiedMs === file.modifiedMs &&
      upload.override === file.override;
    return (await this.interrupted()).findLast(isSame) ?? null;
  }

  /** Another user takes over: what this one has under way is left to be gone on with. */
  close(): void {
    this.#release();
    this.#stop.abort();
  }

  /** Tells other pages, without waiting, that this one is no longer at it. */
  #release(): void {
    const kept = this.#read();
    const own = kept.filter(({ owner }) => owner === this.#owner);
    for (const upload of own) upload.owner = '';
    if (own.length > 0) this.#write(kept);
  }

  /** Held until the page is gone, however it goes. */
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

  #read(): KeptUpload[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]');
      return Array.isArray(kept) ? kept.flatMap(readKept) : [];
    } catch {
      return [];
    }
  }

  #write(uploads: readonly KeptUpload[]): void {
    try {
      if (uploads.length === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(uploads.slice(-most)));
    } catch {
      // Storage is forbidden or full: the upload goes on and is lost with the page.
    }
  }
}

/** Tells which kept uploads are being sent by a page that is open. */
async function livingPages(): Promise<(upload: KeptUpload) => boolean> {
  if (!('locks' in navigator)) {
    return ({ owner, keptAtMs }) => owner !== '' && Date.now() - keptAtMs < silentMs;
  }
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map(({ name }) => name));
  return ({ owner }) => owner !== '' && names.has(lockPrefix + owner);
}

/** One kept upload, or nothing when somebody else has written it. */
function readKept(value: unknown): KeptUpload[] {
  if (typeof value !== 'object' || value === null) return [];
  const { address, path, size, modifiedMs, override, offset, owner, keptAtMs } = value as Record<
    keyof KeptUpload,
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
