import { naturalOrder } from '@filestead/contract/paths/natural-order';
import { batchKinds, type Entry, type EntryBatch, type FolderListing } from '../storage.ts';
import type { CoreEntry } from './storage-core.ts';

function sorted(entries: readonly CoreEntry[], kind: CoreEntry['kind']): CoreEntry[] {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  return [...naturalOrder(ofKind.map(({ name }) => name))].flatMap((position) =>
    ofKind.slice(position, position + 1),
  );
}

function batchOf(entries: readonly Entry[]): EntryBatch {
  return {
    first: 0,
    count: entries.length,
    sizes: Float64Array.from(entries, ({ size }) => size),
    modifiedMs: Float64Array.from(entries, ({ modifiedNs }) => Number(modifiedNs / 1_000_000n)),
    modes: Uint32Array.from(entries, ({ mode }) => mode),
    kinds: Uint8Array.from(entries, ({ kind }) => batchKinds.indexOf(kind)),
    links: new Uint8Array(entries.length),
  };
}

/** A listing of entries whose metadata is known already, in one batch. */
export function listingOf(
  folder: Entry,
  entries: readonly CoreEntry[],
  isRefused: (name: string) => boolean,
  signal: AbortSignal | undefined,
): FolderListing {
  const folders = sorted(entries, 'folder');
  const ordered = [...folders, ...sorted(entries, 'file')];
  const refused = ordered.flatMap(({ name }, position) => (isRefused(name) ? [position] : []));
  return {
    folder,
    names: ordered.map(({ name }) => name),
    folderCount: folders.length,
    refused: new Set(refused),
    async *batches() {
      signal?.throwIfAborted();
      if (ordered.length > 0) yield batchOf(ordered);
    },
  };
}
