import type { BoundedReader } from './bounded-reader.ts';

/** Maximum number of blocks that are read. */
const maxBlocks = 256;

/** The types of metadata blocks that are used (RFC 9639 §8.1). */
export const flacBlockTypes = { streamInfo: 0, comments: 4, picture: 6 } as const;

/** A metadata block of a FLAC file. Its content begins at `start` in the file, which may be shorter. */
export interface FlacBlock {
  readonly type: number;
  readonly start: number;
  /** Bytes. */
  readonly length: number;
}

/** Yields the metadata blocks of a FLAC file, by their headers only. */
export async function* flacBlocks(reader: BoundedReader): AsyncGenerator<FlacBlock> {
  for (let at = 4, count = 0; count < maxBlocks && at + 4 <= reader.size; count += 1) {
    const head = await reader.read(at, 4);
    const kind = head.readUInt8(0);
    const length = head.readUIntBE(1, 3);
    yield { type: kind & 0x7f, start: at + 4, length };
    const isLast = (kind & 0x80) !== 0;
    if (isLast) return;
    at += 4 + length;
  }
}
