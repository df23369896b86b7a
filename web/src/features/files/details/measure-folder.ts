import { listBelow, type BelowEntry } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { send } from '../../../api/call.ts';
import { readLines } from '../../../api/streams/read-lines.ts';

/** The total size and number of entries below a folder. */
export interface TreeSize {
  readonly bytes: number;
  readonly files: number;
  readonly folders: number;
}

/**
 * Measures everything below a folder; `onProgress` reports the sums so far. Throws `ApiError`, or an `AbortError`
 * when `signal` is aborted.
 */
export async function measureFolder(
  path: VirtualPath,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (treeSize: TreeSize) => void },
): Promise<TreeSize> {
  const response = await send(listBelow, { path, headers: { Accept: 'application/x-ndjson' }, signal });
  let treeSize: TreeSize = { bytes: 0, files: 0, folders: 0 };
  await readLines<BelowEntry>(response, {
    signal,
    onValues: (entries) => {
      let { bytes, files, folders } = treeSize;
      for (const { size, isDir } of entries) {
        if (isDir) folders += 1;
        else {
          files += 1;
          bytes += size;
        }
      }
      treeSize = { bytes, files, folders };
      onProgress(treeSize);
    },
  });
  return treeSize;
}
