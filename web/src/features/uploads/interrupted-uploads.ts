import { UnfinishedUploads, type FileIdentity, type UnfinishedUpload } from './unfinished-uploads.ts';

/**
 * Fetches the offset of an upload from the server; null if the server no longer knows it. Throws if the server cannot
 * be reached.
 */
export type FetchOffset = (address: string) => Promise<number | null>;

interface Server {
  fetchOffset: FetchOffset;
  /** Lets the server remove an upload. Never throws. */
  discard: (address: string) => Promise<void>;
}

/**
 * The interrupted uploads of the signed-in user, whose page was closed. They are shown until they are resumed or
 * discarded.
 */
export class InterruptedUploads {
  readonly #server: Server;
  readonly #listeners = new Set<() => void>();
  #kept: UnfinishedUploads | null = null;
  #shown: readonly UnfinishedUpload[] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  /** Returns the same array until it changes; the oldest first. */
  readonly getSnapshot = (): readonly UnfinishedUpload[] => this.#shown;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows the uploads of this user from now on. */
  open(userId: number): void {
    this.close();
    this.#kept = new UnfinishedUploads(userId);
    void this.refresh();
  }

  /** Shows nothing after the user has signed out, and keeps the records. */
  close(): void {
    this.#kept?.close();
    this.#kept = null;
    this.#show([]);
  }

  /** Determines the interrupted uploads, and forgets those that the server no longer knows. */
  async refresh(): Promise<void> {
    const kept = this.#kept;
    if (!kept) return;
    const found = await kept.interrupted();
    const asked = await Promise.all(
      found.map(async (upload) => {
        try {
          const offset = await this.#server.fetchOffset(upload.address);
          // The last byte was received, although no page was open to read the response.
          if (offset !== null && offset < upload.size) return [{ ...upload, offset }];
          kept.forget(upload.address);
          return [];
        } catch {
          // Without a connection the last known state is shown.
          return [upload];
        }
      }),
    );
    if (kept === this.#kept) this.#show(asked.flat());
  }

  /** Takes the interrupted upload of this file and returns its address, to be resumed; null if there is none. */
  async claim(file: FileIdentity): Promise<string | null> {
    const found = (await this.#kept?.find(file)) ?? null;
    if (found === null) return null;
    this.store(found);
    return found.address;
  }

  /** Stores the progress of an upload of this page. */
  store(upload: UnfinishedUpload): void {
    this.#kept?.store(upload);
    this.#hide(upload.address);
  }

  /** Forgets an upload that was finished or cancelled. */
  forget(address: string): void {
    this.#kept?.forget(address);
    this.#hide(address);
  }

  /** Discards all of them. Resolves when the server has been notified. */
  async discard(): Promise<void> {
    const given = this.#shown;
    for (const { address } of given) this.forget(address);
    await Promise.all(given.map(({ address }) => this.#server.discard(address)));
  }

  #hide(address: string): void {
    if (this.#shown.some((upload) => upload.address === address)) {
      this.#show(this.#shown.filter((upload) => upload.address !== address));
    }
  }

  #show(shown: readonly UnfinishedUpload[]): void {
    if (shown.length === 0 && this.#shown.length === 0) return;
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}
