import type { Clock } from '../../clock.ts';
import {
  type Entry,
  type FolderListing,
  type FolderObservation,
  type FolderObserver,
  batchKinds,
} from '../storage.ts';

/** The interval at which the modification time of a polled folder is read (milliseconds). */
export const folderPollMs = 2_000;
/** The interval at which the entries of a polled folder are read too (milliseconds). */
export const entriesPollMs = 10_000;
/**
 * The maximum number of entries of a folder whose entries are read at intervals. In larger folders, changes of sizes and
 * times are not noticed.
 */
export const maxPolledEntries = 2_000;

/** The functions that read a polled folder. Their errors end the observation. */
export interface PolledFolder {
  /** The folder itself; null when it does not exist. */
  stat(): Promise<Entry | null>;
  list(): Promise<FolderListing>;
}

/** The states of the entries of a folder by name; null for a folder with too many entries. */
type Snapshot = ReadonlyMap<string, string> | null;

async function takeSnapshot(listing: FolderListing): Promise<Snapshot> {
  if (listing.names.length > maxPolledEntries) {
    // Leaving the loop stops the listing.
    for await (const _ of listing.batches()) break;
    return null;
  }
  const snapshot = new Map<string, string>();
  for await (const batch of listing.batches()) {
    for (let i = 0; i < batch.count; i++) {
      const name = listing.names[batch.first + i];
      const kind = batchKinds[batch.kinds[i] ?? 0] ?? 'gone';
      if (name === undefined || kind === 'gone') continue;
      snapshot.set(name, [kind, batch.links[i], batch.sizes[i], batch.modifiedMs[i]].join(' '));
    }
  }
  return snapshot;
}

/** The names whose state differs; null when a snapshot is missing. */
function compareSnapshots(before: Snapshot, now: Snapshot): string[] | null {
  if (before === null || now === null) return null;
  const changed: string[] = [];
  for (const [name, state] of now) if (before.get(name) !== state) changed.push(name);
  for (const name of before.keys()) if (!now.has(name)) changed.push(name);
  return changed;
}

/** See {@link pollFolder}. */
class PolledObservation implements FolderObservation {
  readonly source = 'polling';
  readonly #folder: PolledFolder;
  readonly #observer: FolderObserver;
  readonly #clock: Clock;
  #stopTimer: () => void = () => undefined;
  #modifiedNs: bigint | null = null;
  #snapshot: Snapshot = null;
  #listedAt = 0;
  #isReading = false;
  #isClosed = false;

  constructor(folder: PolledFolder, observer: FolderObserver, clock: Clock) {
    this.#folder = folder;
    this.#observer = observer;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    this.#modifiedNs = (await this.#folder.stat())?.modifiedNs ?? null;
    this.#snapshot = await this.#read();
    this.#stopTimer = this.#clock.every(folderPollMs, () => void this.#poll());
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
  }

  async #read(): Promise<Snapshot> {
    this.#listedAt = this.#clock.now();
    return takeSnapshot(await this.#folder.list());
  }

  async #poll(): Promise<void> {
    // The previous reading has not ended: the disk is slow.
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    try {
      await this.#compare();
    } catch {
      this.#end();
    } finally {
      this.#isReading = false;
    }
  }

  async #compare(): Promise<void> {
    const folder = await this.#folder.stat();
    if (folder?.kind !== 'folder') {
      this.#end();
      return;
    }
    const hasChanged = folder.modifiedNs !== this.#modifiedNs;
    this.#modifiedNs = folder.modifiedNs;
    const isDue = this.#snapshot !== null && this.#clock.now() - this.#listedAt >= entriesPollMs;
    if (!hasChanged && !isDue) return;
    const before = this.#snapshot;
    const now = await this.#read();
    if (this.#isClosed) return;
    this.#snapshot = now;
    const names = compareSnapshots(before, now);
    if (names === null || names.length > 0) this.#observer.onChange({ names, renamed: [] });
  }

  #end(): void {
    if (this.#isClosed) return;
    this.close();
    this.#observer.onEnd();
  }
}

/**
 * Observes a folder by reading it: its modification time every {@link folderPollMs}, its entries when that has changed, and every
 * {@link entriesPollMs} unless it has more than {@link maxPolledEntries}. Resolves after the first reading.
 */
export async function pollFolder(
  folder: PolledFolder,
  observer: FolderObserver,
  clock: Clock,
): Promise<FolderObservation> {
  const observation = new PolledObservation(folder, observer, clock);
  await observation.start();
  return observation;
}
