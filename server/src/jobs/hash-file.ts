import type { checksumAlgorithms } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Party } from '../scheduling/party.ts';
import { checksum } from '../storage/checksums/checksum.ts';
import type { Storage } from '../storage/storage.ts';

export interface HashFile {
  /** Takes its turns with the checksums of others. */
  readonly party: Party;
  readonly algorithm: (typeof checksumAlgorithms)[number];
  /** Hears how many bytes more were read. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * The checksum of a file in hexadecimal. Throws `not_found`, `is_folder`, `special_file`, `forbidden`, and
 * `too_many_requests` when too many files wait to be hashed.
 */
export async function hashFile(
  storage: Storage,
  path: VirtualPath,
  { party, algorithm, onBytes, signal }: HashFile,
): Promise<string> {
  const file = await storage.openFile(path);
  try {
    let told = 0;
    const tell = (bytes: number): void => {
      if (bytes > told) onBytes(bytes - told);
      told = Math.max(told, bytes);
    };
    const { size } = file.entry;
    const onProgress = (bytes: number): void => tell(Math.min(bytes, size));
    const hex = await checksum(file, algorithm, { party, signal, onProgress });
    tell(size);
    return hex;
  } finally {
    await file.close();
  }
}
