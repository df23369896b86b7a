import type { OpenFile } from '../storage/storage.ts';

/** Reads the first `length` bytes of a file; fewer if the file is shorter. */
export async function readUpTo(file: OpenFile, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = await file.read(buffer.subarray(filled), filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
