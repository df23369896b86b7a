import { readFully } from '../storage/read-fully.ts';
import type { OpenFile } from '../storage/storage.ts';

/** Reads the first `length` bytes of a file; fewer if the file is shorter. */
export async function readUpTo(file: OpenFile, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, await readFully(file, buffer, 0));
}
