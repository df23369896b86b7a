import type { OpenFile } from './storage.ts';

/** Fills `buffer` from `position` up to the end of the file. Resolves to the number of bytes read. */
export async function readFully(
  file: Pick<OpenFile, 'read'>,
  buffer: Uint8Array,
  position: number,
): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const read = await file.read(filled === 0 ? buffer : buffer.subarray(filled), position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}
