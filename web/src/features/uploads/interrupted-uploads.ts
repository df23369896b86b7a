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
  #records: UnfinishedUploads | null = null;
  #uploads: readonly UnfinishedUpload[] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  /** Returns the same array until it changes; the oldest first. */
  readonly getSnapshot = (): readonly UnfinishedUpload[] => this.#uploads;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows the uploads of this user from now on. */
  open(userId: number): void {
    this.close();
    this.#records = new UnfinishedUploads(userId);
    void this.refresh();
  }

  /** Shows nothing after the user has signed out, and keeps the records. */
  close(): void {
    this.#records?.close();
    this.#records = null;
    this.#show([]);
  }

  /** Determines the interrupted uploads, and forgets those that the server no longer knows. */
  async refresh(): Promise<void> {
    const records = this.#records;
    if (!records) return;
    const found = await records.interrupted();
    const checked = await Promise.all(
      found.map(async (upload) => {
        try {
          const offset = await this.#server.fetchOffset(upload.address);
          // The last byte was received, although no page was open to read the response.
          if (offset !== null && offset < upload.size) return [{ ...upload, offset }];
          records.forget(upload.address);
          return [];
        } catch {
          // Without a connection the last known state is shown.
          return [upload];
        }
      }),
    );
    if (records === this.#records) this.#show(checked.flat());
  }

  /** Takes the interrupted upload of this file and returns its address, to be resumed; null if there is none. */
  async claim(file: FileIdentity): Promise<string | null> {
    const found = (await this.#records?.find(file)) ?? null;
    if (found === null) return null;
    this.store(found);
    return found.address;
  }

  /** Stores the progress of an upload of this page. */
  store(upload: UnfinishedUpload): void {
    this.#records?.store(upload);
    this.#hide(upload.address);
  }

  /** Forgets an upload that was finished or cancelled. */
  forget(address: string): void {
    this.#records?.forget(address);
    this.#hide(address);
  }

  /** Discards all of them. Resolves when the server has been notified. */
  async discard(): Promise<void> {
    const discarded = this.#uploads;
    for (const { address } of discarded) this.forget(address);
    await Promise.all(discarded.map(({ address }) => this.#server.discard(address)));
  }

  #hide(address: string): void {
    if (this.#uploads.some((upload) => upload.address === address)) {
      this.#show(this.#uploads.filter((upload) => upload.address !== address));
    }
  }

  #show(uploads: readonly UnfinishedUpload[]): void {
    if (uploads.length === 0 && this.#uploads.length === 0) return;
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
