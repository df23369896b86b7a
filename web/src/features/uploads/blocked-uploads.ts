import {
  discardUpload,
  finishBlockedUpload,
  listUploads,
  type UnfinishedUpload,
} from '@filestead/contract/uploads';
import { nameOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call, isApiError } from '../../api/call.ts';
import type { UploadFailure } from './queue/upload-job.ts';
import { failureOf, type UploadedEntry } from './queue/upload-transport.ts';

/** A file whose bytes have all arrived on the server, which could not give it its name. */
export interface BlockedUpload {
  readonly id: string;
  readonly path: VirtualPath;
  /** Bytes. */
  readonly size: number;
  readonly reason: UploadFailure;
}

/** The choices for a blocked upload, apart from discarding it. */
export type BlockedChoice =
  | { readonly action: 'retry' | 'keep_both' | 'replace' }
  | { readonly action: 'move'; readonly path: VirtualPath };

/** How the list reaches the server. */
export interface BlockedServer {
  list: () => Promise<readonly UnfinishedUpload[]>;
  /** The path that the file has in the end. */
  finish: (id: string, choice: BlockedChoice) => Promise<string>;
  discard: (id: string) => Promise<void>;
}

/** The product's server. */
export const blockedServer: BlockedServer = {
  list: () => call(listUploads),
  finish: async (id, choice) => (await call(finishBlockedUpload, { params: { id }, body: choice })).path,
  discard: async (id) => {
    await call(discardUpload, { params: { id } });
  },
};

/** The id in the address that a server gave to an upload; null when it has none. */
const idIn = (address: string): string | null =>
  new URL(address, document.baseURI).searchParams.get('upload');

/** The blocked uploads of the user who is signed in. The server keeps them; this is its list as read last. */
export class BlockedUploads {
  readonly #server: BlockedServer;
  readonly #listeners = new Set<() => void>();
  readonly #finishedListeners = new Set<(entry: UploadedEntry) => void>();
  #shown: readonly BlockedUpload[] = [];
  /** Counts the users who signed in: an answer for an earlier one is not shown. */
  #turn = 0;

  constructor(server: BlockedServer) {
    this.#server = server;
  }

  /** The same array until it changes; the oldest first. */
  readonly getSnapshot = (): readonly BlockedUpload[] => this.#shown;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls `listener` for each file that has its name after all. Returns the way to stop. */
  onFinished(listener: (entry: UploadedEntry) => void): () => void {
    this.#finishedListeners.add(listener);
    return () => this.#finishedListeners.delete(listener);
  }

  /** Nobody is signed in any more. */
  close(): void {
    this.#turn += 1;
    this.#show([]);
  }

  /** Reads the list again. Without a connection it stays as it is. */
  async refresh(): Promise<void> {
    const turn = this.#turn;
    let found;
    try {
      found = await this.#server.list();
    } catch {
      return;
    }
    if (turn !== this.#turn) return;
    this.#show(
      found
        .filter(({ state }) => state === 'blocked')
        .map(({ id, path, size, reason }) => ({
          id,
          path: virtualPath(path),
          size,
          reason: (reason ?? 'unknown') as UploadFailure,
        })),
    );
  }

  /** Whether the upload at this address is blocked, as the server says now. */
  async has(address: string): Promise<boolean> {
    const id = idIn(address);
    if (id === null) return false;
    await this.refresh();
    return this.#shown.some((upload) => upload.id === id);
  }

  /** Finishes one. Resolves to why that was refused; null when the file has its name. */
  async finish({ id, size }: BlockedUpload, choice: BlockedChoice): Promise<UploadFailure | null> {
    try {
      const path = virtualPath(await this.#server.finish(id, choice));
      const entry = { path, name: nameOf(path), isFolder: false, size, modifiedMs: Date.now() };
      for (const listener of this.#finishedListeners) listener(entry);
      return null;
    } catch (error) {
      return failureOf(error);
    } finally {
      await this.refresh();
    }
  }

  /** Lets the server remove one. Resolves to why that failed; null when it is gone. */
  async discard({ id }: BlockedUpload): Promise<UploadFailure | null> {
    try {
      await this.#server.discard(id);
      return null;
    } catch (error) {
      return isApiError(error, 'not_found') ? null : failureOf(error);
    } finally {
      await this.refresh();
    }
  }

  #show(shown: readonly BlockedUpload[]): void {
    if (shown.length === 0 && this.#shown.length === 0) return;
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}
