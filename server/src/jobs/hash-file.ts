import type { checksumAlgorithms } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Party } from '../scheduling/party.ts';
import { checksum } from '../storage/checksums/checksum.ts';
import type { Storage } from '../storage/storage.ts';

/** Options of {@link hashFile}. */
export interface HashFile {
  /** The party on whose behalf the checksum waits in the queue. */
  readonly party: Party;
  readonly algorithm: (typeof checksumAlgorithms)[number];
  /** Called with the number of bytes that were read since the last call. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Returns the checksum of a file in hexadecimal. Throws `not_found`, `is_folder`, `special_file`, `forbidden`, and
 * `too_many_requests` when the queue of checksums is full.
 */
export async function hashFile(
  storage: Storage,
  path: VirtualPath,
  { party, algorithm, onBytes, signal }: HashFile,
): Promise<string> {
  const file = await storage.openFile(path);
  try {
    let reported = 0;
    const report = (bytes: number): void => {
      if (bytes > reported) onBytes(bytes - reported);
      reported = Math.max(reported, bytes);
    };
    const { size } = file.entry;
    const onProgress = (bytes: number): void => report(Math.min(bytes, size));
    const hex = await checksum(file, algorithm, { party, signal, onProgress });
    report(size);
    return hex;
  } finally {
    await file.close();
  }
}
