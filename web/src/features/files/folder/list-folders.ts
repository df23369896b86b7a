import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { streamListing } from '../../../api/stream-listing.ts';

/**
 * Returns the names of the folders in `path` in natural order, without waiting for the files that follow. Throws
 * `ApiError`.
 */
export async function listFolders(path: VirtualPath, signal: AbortSignal): Promise<string[]> {
  const enough = new AbortController();
  const names: string[] = [];
  let types: readonly string[] = [];
  try {
    await streamListing(path, {
      signal: AbortSignal.any([signal, enough.signal]),
      onHeader: (header) => {
        types = header.types;
        if (header.numDirs === 0) enough.abort();
      },
      onRows: (rows) => {
        for (const [name, , , type] of rows) {
          if (types[type] === '') names.push(name);
          else enough.abort();
        }
      },
    });
  } catch (error) {
    if (!enough.signal.aborted || signal.aborted) throw error;
  }
  return names;
}
