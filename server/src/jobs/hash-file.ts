import { createHash } from 'node:crypto';
import type { checksumAlgorithms } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/virtual-path';
import type { Storage } from '../storage/storage.ts';

/** Hashed at a time, in bytes: short enough that other requests do not wait for it. */
const pieceBytes = 256 * 1024;

export interface HashFile {
  readonly algorithm: (typeof checksumAlgorithms)[number];
  /** Hears how many bytes more were read. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** The checksum of a file in hexadecimal. Throws `not_found`, `is_folder`, `special_file`, `forbidden`. */
export async function hashFile(
  storage: Storage,
  path: VirtualPath,
  { algorithm, onBytes, signal }: HashFile,
): Promise<string> {
  const file = await storage.openFile(path);
  try {
    const hash = createHash(algorithm);
    let [piece, spare] = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
    let reading = file.read(piece, 0);
    for (let position = 0; ;) {
      const length = await reading;
      signal.throwIfAborted();
      if (length === 0) return hash.digest('hex');
      position += length;
      reading = file.read(spare, position);
      // Nobody waits for it when hashing fails.
      reading.catch(() => undefined);
      hash.update(piece.subarray(0, length));
      onBytes(length);
      [piece, spare] = [spare, piece];
    }
  } finally {
    await file.close();
  }
}
