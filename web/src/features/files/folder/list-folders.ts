import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { streamListing } from '../../../api/streams/stream-listing.ts';

/**
 * Returns the names of the folders in `path` in natural order, without waiting for the files that follow. Throws
 * `ApiError`.
 */
export async function listFolders(path: VirtualPath, signal: AbortSignal): Promise<string[]> {
  const complete = new AbortController();
  const names: string[] = [];
  let types: readonly string[] = [];
  try {
    await streamListing(path, {
      signal: AbortSignal.any([signal, complete.signal]),
      onHeader: (header) => {
        types = header.types;
        if (header.numDirs === 0) complete.abort();
      },
      onRows: (rows) => {
        for (const [name, , , type] of rows) {
          if (types[type] === '') names.push(name);
          else complete.abort();
        }
      },
    });
  } catch (error) {
    if (!complete.signal.aborted || signal.aborted) throw error;
  }
  return names;
}
