import type { BatchFileResult } from '@filestead/contract/uploads';

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
  const waiting = files.entries();
  const storeNext = async (): Promise<void> => {
    for (const [index, file] of waiting) {
      signal.throwIfAborted();
      onResult({ file: index, ...(await store(file)) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, storeNext));
}
