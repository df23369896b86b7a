import { listBelow, type BelowEntry } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isAbort, send } from '../../../api/call.ts';

/** What a folder holds, with everything below it. */
export interface FolderExtent {
  readonly bytes: number;
  readonly files: number;
  readonly folders: number;
}

/**
 * Counts everything below a folder; `onProgress` is called with what has been counted so far. Throws `ApiError`, an
 * `AbortError` when `signal` says so.
 */
export async function measureFolder(
  path: VirtualPath,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (extent: FolderExtent) => void },
): Promise<FolderExtent> {
  const answer = await send(listBelow, { path, headers: { Accept: 'application/x-ndjson' }, signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let extent: FolderExtent = { bytes: 0, files: 0, folders: 0 };
  let unfinished = '';
  const take = (text: string): void => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    let { bytes, files, folders } = extent;
    for (const { size, isDir } of JSON.parse(`[${lines.join(',')}]`) as BelowEntry[]) {
      if (isDir) folders += 1;
      else {
        files += 1;
        bytes += size;
      }
    }
    extent = { bytes, files, folders };
  };
  try {
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) break;
      const text = unfinished + piece.value;
      const lastBreak = text.lastIndexOf('\n');
      unfinished = text.slice(lastBreak + 1);
      if (lastBreak < 0) continue;
      take(text.slice(0, lastBreak));
      onProgress(extent);
    }
    take(unfinished);
    return extent;
  } catch (error) {
    reader?.cancel().catch(() => undefined);
    if (isAbort(error) || signal.aborted) throw error;
    throw new ApiError(0, 'no_connection', { detail: 'The list was cut short.', cause: error });
  }
}
