import type { BoundedReader } from './bounded-reader.ts';

/** Maximum number of frames that are read. */
const maxFrames = 256;

/** A frame of an ID3v2 tag. Its content is between `start` and `end` in the file. */
export interface Id3Frame {
  /** Four characters, or three in version 2.2. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the 28-bit number at `at`, which has seven bits in each byte. */
const sevenBits = (bytes: Buffer, at: number): number =>
  [0, 1, 2, 3].reduce((value, index) => value * 128 + (bytes.readUInt8(at + index) & 0x7f), 0);

/** Whether the ID3v2 tag at the beginning of a file is unsynchronized: each 0xFF in it is escaped. */
export const isUnsynchronized = async (reader: BoundedReader): Promise<boolean> =>
  ((await reader.read(5, 1)).readUInt8(0) & 0x80) !== 0;

/**
 * Yields the frames of the ID3v2 tag at the beginning of a file, by their headers only (id3.org, "ID3v2.4.0 - Main Structure" §§3-4).
 * Ends at the first frame that is empty or exceeds the tag.
 */
export async function* id3Frames(reader: BoundedReader): AsyncGenerator<Id3Frame> {
  const head = await reader.read(0, 10);
  const version = head.readUInt8(3);
  if (version < 2 || version > 4) return;
  const tagEnd = Math.min(reader.size, 10 + sevenBits(head, 6));
  const [idBytes, headBytes] = version === 2 ? [3, 6] : [4, 10];
  let at = 10;
  if (version > 2 && (head.readUInt8(5) & 0x40) !== 0) {
    const extended = await reader.read(at, 4);
    at += version === 4 ? sevenBits(extended, 0) : extended.readUInt32BE(0) + 4;
  }
  for (let count = 0; count < maxFrames && at + headBytes <= tagEnd; count += 1) {
    const frame = await reader.read(at, headBytes);
    const length =
      version === 2 ? frame.readUIntBE(3, 3) : version === 3 ? frame.readUInt32BE(4) : sevenBits(frame, 4);
    const start = at + headBytes;
    const end = start + length;
    if (length === 0 || end > tagEnd) return;
    yield { id: frame.toString('latin1', 0, idBytes), start, end };
    at = end;
  }
}
