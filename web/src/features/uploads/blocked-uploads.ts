import {
  discardUpload,
  finishBlockedUpload,
  listUploads,
  type UnfinishedUpload,
} from '@filestead/contract/uploads';
import { nameOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call, isApiError } from '../../api/call.ts';
import { exactCode } from '../../api/exact-code.ts';
import type { UploadFailure } from './queue/upload-job.ts';
import { failureOf, type UploadedEntry } from './queue/upload-transport.ts';

/** An upload whose bytes have all been received, but whose file could not be put in place. */
export interface BlockedUpload {
  readonly id: string;
  readonly path: VirtualPath;
  /** In bytes. */
  readonly size: number;
  readonly reason: UploadFailure;
}

/** The actions for a blocked upload, except discarding it. */
export type BlockedChoice =
  | { readonly action: 'retry' | 'keep_both' | 'replace' }
  | { readonly action: 'move'; readonly path: VirtualPath };

/** The interface to the server. */
export interface BlockedServer {
  list: () => Promise<readonly UnfinishedUpload[]>;
  /** Finishes an upload and resolves to the final path of the file. */
  finish: (id: string, choice: BlockedChoice) => Promise<string>;
  discard: (id: string) => Promise<void>;
}

/** The implementation that uses the API. */
export const blockedServer: BlockedServer = {
  list: () => call(listUploads),
  finish: async (id, choice) => (await call(finishBlockedUpload, { params: { id }, body: choice })).path,
  discard: async (id) => {
    await call(discardUpload, { params: { id } });
  },
};

/** Extracts the upload id from an upload's address; null if it has none. */
const idIn = (address: string): string | null =>
  new URL(address, document.baseURI).searchParams.get('upload');

/** The blocked uploads of the signed-in user, as last read from the server. */
export class BlockedUploads {
  readonly #server: BlockedServer;
  readonly #listeners = new Set<() => void>();
  readonly #finishedListeners = new Set<(entry: UploadedEntry) => void>();
  #uploads: readonly BlockedUpload[] = [];
  /** Incremented with every sign-out, so that a response for the previous user is dropped. */
  #generation = 0;

  constructor(server: BlockedServer) {
    this.#server = server;
  }

  /** Returns the same array until it changes; the oldest first. */
  readonly getSnapshot = (): readonly BlockedUpload[] => this.#uploads;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls `listener` for each file that was put in place. Returns the function that unsubscribes. */
  onFinished(listener: (entry: UploadedEntry) => void): () => void {
    this.#finishedListeners.add(listener);
    return () => this.#finishedListeners.delete(listener);
  }

  /** Clears the list after the user has signed out. */
  close(): void {
    this.#generation += 1;
    this.#show([]);
  }

  /** Reads the list again. Without a connection it stays as it is. */
  async refresh(): Promise<void> {
    const generation = this.#generation;
    let found;
    try {
      found = await this.#server.list();
    } catch {
      return;
    }
    if (generation !== this.#generation) return;
    this.#show(
      found
        .filter(({ state }) => state === 'blocked')
        .map(({ id, path, size, reason, detail }) => ({
          id,
          path: virtualPath(path),
          size,
          reason: exactCode({ code: reason ?? 'unknown', detail }) as UploadFailure,
        })),
    );
  }

  /** Whether the server reports the upload at this address as blocked. */
  async has(address: string): Promise<boolean> {
    const id = idIn(address);
    if (id === null) return false;
    await this.refresh();
    return this.#uploads.some((upload) => upload.id === id);
  }

  /** Finishes an upload. Resolves to the reason of a refusal; null on success. */
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

  /** Lets the server remove an upload. Resolves to the reason of a failure; null on success. */
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

  #show(uploads: readonly BlockedUpload[]): void {
    if (uploads.length === 0 && this.#uploads.length === 0) return;
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
