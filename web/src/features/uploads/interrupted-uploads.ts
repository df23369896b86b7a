import { UnfinishedUploads, type FileFacts, type UnfinishedUpload } from './unfinished-uploads.ts';

/** Asks the server how much it holds of an upload; null when it has given it up. Throws when it cannot be asked. */
export type AskHeld = (address: string) => Promise<number | null>;

interface Server {
  askHeld: AskHeld;
  /** Lets the server remove what it holds. Never throws. */
  giveUp: (address: string) => Promise<void>;
}

/**
 * The uploads of whoever is signed in that a page was closed upon. They are shown until they are gone on with or given
 * up.
 */
export class InterruptedUploads {
  readonly #server: Server;
  readonly #listeners = new Set<() => void>();
  #kept: UnfinishedUploads | null = null;
  #shown: readonly UnfinishedUpload[] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  /** The same array until it changes; the oldest first. */
  readonly getSnapshot = (): readonly UnfinishedUpload[] => this.#shown;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Looks after the uploads of this user from now on. */
  open(userId: number): void {
    this.close();
    this.#kept = new UnfinishedUploads(userId);
    void this.refresh();
  }

  /** Nobody is signed in: nothing is shown, and nothing forgotten. */
  close(): void {
    this.#kept?.close();
    this.#kept = null;
    this.#show([]);
  }

  /** Finds out what is interrupted, and lets go of what the server no longer has. */
  async refresh(): Promise<void> {
    const kept = this.#kept;
    if (!kept) return;
    const found = await kept.interrupted();
    const asked = await Promise.all(
      found.map(async (upload) => {
        try {
          const offset = await this.#server.askHeld(upload.address);
          // With its last byte the file has arrived, though no page was there to hear it.
          if (offset !== null && offset < upload.size) return [{ ...upload, offset }];
          kept.forget(upload.address);
          return [];
        } catch {
          // Without a connection it is shown as it was known last.
          return [upload];
        }
      }),
    );
    if (kept === this.#kept) this.#show(asked.flat());
  }

  /** The address of an interrupted upload of this file, which is gone on with from now on; null when there is none. */
  async claim(file: FileFacts): Promise<string | null> {
    const found = (await this.#kept?.find(file)) ?? null;
    if (found === null) return null;
    this.keep(found);
    return found.address;
  }

  /** Writes down how far an upload of this page is. */
  keep(upload: UnfinishedUpload): void {
    this.#kept?.keep(upload);
    this.#hide(upload.address);
  }

  /** An upload has arrived or was given up. */
  forget(address: string): void {
    this.#kept?.forget(address);
    this.#hide(address);
  }

  /** Gives all of them up. Resolves when the server has been told. */
  async discard(): Promise<void> {
    const given = this.#shown;
    for (const { address } of given) this.forget(address);
    await Promise.all(given.map(({ address }) => this.#server.giveUp(address)));
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
