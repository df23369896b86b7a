import { listBelow, type BelowEntry } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isAbort, send } from '../../../api/call.ts';

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
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let treeSize: TreeSize = { bytes: 0, files: 0, folders: 0 };
  let incompleteLine = '';
  const addLines = (text: string): void => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    let { bytes, files, folders } = treeSize;
    for (const { size, isDir } of JSON.parse(`[${lines.join(',')}]`) as BelowEntry[]) {
      if (isDir) folders += 1;
      else {
        files += 1;
        bytes += size;
      }
    }
    treeSize = { bytes, files, folders };
  };
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      const text = incompleteLine + chunk.value;
      const lastBreak = text.lastIndexOf('\n');
      incompleteLine = text.slice(lastBreak + 1);
      if (lastBreak < 0) continue;
      addLines(text.slice(0, lastBreak));
      onProgress(treeSize);
    }
    addLines(incompleteLine);
    return treeSize;
  } catch (error) {
    reader?.cancel().catch(() => undefined);
    if (isAbort(error) || signal.aborted) throw error;
    throw new ApiError(0, 'no_connection', {
      detail: 'The connection broke before the list was complete.',
      cause: error,
    });
  }
}
