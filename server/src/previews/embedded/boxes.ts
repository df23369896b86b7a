import { type BoundedReader, UnusableFileError } from './bounded-reader.ts';

/** One box of an ISO base media file (ISO/IEC 14496-12 §4.2). */
export interface Box {
  /** Four characters, Latin-1. */
  readonly type: string;
  /** Start of the content, after the header. */
  readonly start: number;
  readonly end: number;
}

/** Maximum number of boxes in one container in memory. */
const maxBoxes = 4096;
/** Maximum number of boxes beside each other of which the headers are read from a file. */
const maxHeaders = 256;
/** The size of the longest header. */
const headerBytes = 16;

/** Reads the header of the box at `at`; `limit` is the end of its container. Throws {@link UnusableFileError}. */
export function readBox(
  bytes: Buffer,
  { at, offset, limit }: { at: number; offset: number; limit: number },
): Box {
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  const isLong = size === 1;
  if (isLong && at + 16 > bytes.length) throw new UnusableFileError('has a truncated box');
  const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size === 0 ? limit - offset : size;
  const headBytes = isLong ? 16 : 8;
  if (length < headBytes || !Number.isSafeInteger(length) || offset + length > limit)
    throw new UnusableFileError('has a box of an impossible size');
  return { type, start: offset + headBytes, end: offset + length };
}

/** Yields the boxes of a file between `start` and `end`, by their headers only. Throws {@link UnusableFileError} at a broken one. */
export async function* boxesBetween(reader: BoundedReader, start: number, end: number): AsyncGenerator<Box> {
  for (let offset = start, count = 0; offset + headerBytes <= end && count < maxHeaders; count += 1) {
    const box = readBox(await reader.read(offset, headerBytes), { at: 0, offset, limit: end });
    yield box;
    offset = box.end;
  }
}

/** Returns the first box `type` of a file between `start` and `end`; null without one. Throws {@link UnusableFileError}. */
export async function findBox(
  reader: BoundedReader,
  type: string,
  { start = 0, end = reader.size }: { start?: number; end?: number } = {},
): Promise<Box | null> {
  for await (const box of boxesBetween(reader, start, end)) if (box.type === type) return box;
  return null;
}

/**
 * Returns the boxes between `start` and `end`, with positions in `bytes`. Stops without an error at the first broken
 * one.
 */
export function boxesIn(bytes: Buffer, start = 0, end = bytes.length): Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= end && found.length < maxBoxes;) {
    try {
      const box = readBox(bytes, { at, offset: at, limit: end });
      found.push(box);
      at = box.end;
    } catch (error) {
      if (error instanceof UnusableFileError) break;
      throw error;
    }
  }
  return found;
}

/**
 * Returns the content of the first box at `path`; null when there is none. `skips` contains the numbers of bytes before
 * the inner boxes, by type.
 */
export function boxAt(
  bytes: Buffer,
  path: readonly string[],
  skips: Readonly<Record<string, number>> = {},
): Buffer | null {
  let inner = bytes;
  for (const type of path) {
    const box = boxesIn(inner).find((candidate) => candidate.type === type);
    if (box === undefined) return null;
    inner = inner.subarray(Math.min(box.end, box.start + (skips[type] ?? 0)), box.end);
  }
  return inner;
}
