import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { streamListing } from '../../../api/streams/stream-listing.ts';
import type { ConflictSide } from '../../../ui/conflicts/conflict.ts';

/** Returns the existing entries in `folder` with the given names that are visible to this user. Throws `ApiError`. */
export async function findExisting(
  folder: VirtualPath,
  names: ReadonlySet<string>,
): Promise<Map<string, ConflictSide>> {
  const found = new Map<string, ConflictSide>();
  let types: readonly string[] = [];
  await streamListing(folder, {
    onHeader: (header) => {
      types = header.types;
    },
    onRows: (rows) => {
      for (const [name, size, modifiedMs, type] of rows) {
        const isFolder = types[type] === '';
        if (names.has(name)) found.set(name, { isFolder, size: isFolder ? null : size, modifiedMs });
      }
    },
  });
  return found;
}
