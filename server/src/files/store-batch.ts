import type { BatchFileResult } from '@filestead/contract/uploads';
import { forEachConcurrently } from '../scheduling/for-each-concurrently.ts';

/** Number of files of one batch that are stored concurrently. */
const concurrency = 8;

/**
 * Stores the files of a batch, several at once, and calls `onResult` for each when it is stored or refused. Files that
 * have not begun when `signal` is aborted are left out. Throws its reason.
 */
export async function storeBatch<File>(
  files: readonly File[],
  store: (file: File) => Promise<Omit<BatchFileResult, 'file'>>,
  onResult: (result: BatchFileResult) => void,
  signal: AbortSignal,
): Promise<void> {
  await forEachConcurrently(files, concurrency, async (file, index) => {
    signal.throwIfAborted();
    onResult({ file: index, ...(await store(file)) });
  });
}
