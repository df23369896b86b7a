import type { KeptEntry } from '../../kept/kept-entries.ts';
import { idOfStoredName } from '../../kept/kept-names.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { readFolder } from '../read-folder.ts';
import { stateOf } from './keep-entry.ts';
import type { Store } from './store.ts';

/** The number of entries whose metadata is read in parallel. */
const parallelStats = 32;
/** The number of lookups in a folder from which reading all its names takes less time. */
const lookupsPerReading = 250;
/** The number of folders whose names are remembered. */
const rememberedFolders = 4;

/** An entry of a record. */
export interface RecordedEntry {
  readonly entry: KeptEntry;
  /** Whether the record has the kind, size and time of the entry; records that were written ahead have none. */
  readonly hasState: boolean;
}

/**
 * Finds out which recorded entries are in their store. Where many entries of a folder are looked up, its names are read at once, and
 * the metadata is that of the record. To be used while nothing is kept or purged.
 */
export class PresentEntries {
  /** The ids of the entries in a folder of the store. */
  readonly #idsOf = new Map<string, ReadonlySet<string>>();

  /** Returns each entry with its metadata, or null if it is not in the store, in the same order. */
  async find(store: Store, recorded: readonly RecordedEntry[]): Promise<(KeptEntry | null)[]> {
    const lookups = new Map<string, number>();
    for (const { entry, hasState } of recorded)
      if (hasState) lookups.set(entry.folder, (lookups.get(entry.folder) ?? 0) + 1);
    for (const [folder, count] of lookups)
      if (count >= lookupsPerReading && !this.#idsOf.has(folder)) await this.#readNames(store, folder);
    const found: (KeptEntry | null)[] = [];
    for (let first = 0; first < recorded.length; first += parallelStats) {
      const batch = recorded.slice(first, first + parallelStats);
      const results = batch.map(({ entry, hasState }) => {
        const ids = hasState ? this.#idsOf.get(entry.folder) : undefined;
        if (ids === undefined) return examine(store, entry);
        return ids.has(entry.id) ? entry : null;
      });
      found.push(...(await Promise.all(results)));
    }
    return found;
  }

  async #readNames(store: Store, name: string): Promise<void> {
    const folder = await store.findFolder(name);
    const ids = new Set<string>();
    if (folder !== undefined) {
      for await (const entries of readFolder(folder)) {
        for (const entry of entries) {
          const id = idOfStoredName(entry.name);
          if (id !== null) ids.add(id);
        }
      }
    }
    const [oldest] = this.#idsOf.keys();
    if (oldest !== undefined && this.#idsOf.size >= rememberedFolders) this.#idsOf.delete(oldest);
    this.#idsOf.set(name, ids);
  }
}

async function examine(store: Store, entry: KeptEntry): Promise<KeptEntry | null> {
  const folder = await store.findFolder(entry.folder);
  const stats = folder === undefined ? null : await lstatOrNull(folder, entry.storedName);
  return stats === null ? null : { ...entry, ...stateOf(stats) };
}
