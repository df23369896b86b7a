import { Yielder } from '../../scheduling/event-loop.ts';
import type { EntryBatch, FolderListing } from '../storage.ts';

/** The kept entries of `batch`, whose positions in the filtered listing begin at `first`. */
function filterBatch(batch: EntryBatch, isKept: Uint8Array, first: number): EntryBatch {
  const kept: number[] = [];
  for (let i = 0; i < batch.count; i++) if (isKept[batch.first + i] === 1) kept.push(i);
  const pick = <T extends Float64Array | Uint32Array | Uint8Array>(target: T, source: T): T => {
    for (const [to, from] of kept.entries()) target[to] = source[from] ?? 0;
    return target;
  };
  return {
    first,
    count: kept.length,
    sizes: pick(new Float64Array(kept.length), batch.sizes),
    modifiedMs: pick(new Float64Array(kept.length), batch.modifiedMs),
    modes: pick(new Uint32Array(kept.length), batch.modes),
    kinds: pick(new Uint8Array(kept.length), batch.kinds),
    links: pick(new Uint8Array(kept.length), batch.links),
  };
}

/** The listing without the names for which `keeps` returns false: they are neither listed nor counted. */
export async function filterListing(
  listing: FolderListing,
  keeps: (name: string, position: number) => boolean,
): Promise<FolderListing> {
  const isKept = new Uint8Array(listing.names.length);
  const names: string[] = [];
  let folderCount = 0;
  const yielder = new Yielder();
  for (const [position, name] of listing.names.entries()) {
    if (yielder.isDue()) await yielder.yield();
    if (!keeps(name, position)) continue;
    isKept[position] = 1;
    names.push(name);
    if (position < listing.folderCount) folderCount++;
  }
  if (names.length === listing.names.length) return { ...listing, refused: new Set() };
  return {
    folder: listing.folder,
    names,
    folderCount,
    refused: new Set(),
    async *batches() {
      let first = 0;
      for await (const batch of listing.batches()) {
        const kept = filterBatch(batch, isKept, first);
        first += kept.count;
        if (kept.count > 0) yield kept;
      }
    },
  };
}
