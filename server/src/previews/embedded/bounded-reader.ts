import { readFully } from '../../storage/read-fully.ts';
import type { OpenFile } from '../../storage/storage.ts';

/** The file is malformed, or reading it would exceed the limits. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

/** Reads parts of a file up to a total limit. */
export interface BoundedReader {
  /** Size of the whole file in bytes. */
  readonly size: number;
  /**
   * Reads `length` bytes from `position`. Throws {@link UnusableFileError} when the file is shorter or the limit is
   * reached.
   */
  read(position: number, length: number): Promise<Buffer>;
}

/** Limits of the search for an embedded picture. The picture itself is read separately. */
export const searchLimits = { bytes: 24 * 1024 * 1024, reads: 2000 } as const;

/** Returns a reader of `file` that fails after `limits.bytes` bytes or `limits.reads` reads. */
export function boundedReader(
  file: Pick<OpenFile, 'entry' | 'read'>,
  limits: { bytes: number; reads: number } = searchLimits,
): BoundedReader {
  let { bytes, reads } = limits;
  const { size } = file.entry;
  return {
    size,
    async read(position, length) {
      const isInside =
        Number.isSafeInteger(position) && Number.isSafeInteger(length) && position >= 0 && length >= 0;
      if (!isInside || position + length > size) throw new UnusableFileError('points outside the file');
      bytes -= length;
      reads -= 1;
      if (bytes < 0 || reads < 0) throw new UnusableFileError('exceeds the read limit');
      const buffer = Buffer.allocUnsafe(length);
      if ((await readFully(file, buffer, position)) < length) throw new UnusableFileError('is truncated');
      return buffer;
    },
  };
}

/** Returns a reader of bytes in memory. */
export const boundedPart = (bytes: Buffer): BoundedReader => ({
  size: bytes.length,
  async read(position, length) {
    if (position < 0 || length < 0 || position + length > bytes.length)
      throw new UnusableFileError('points outside the file');
    return bytes.subarray(position, position + length);
  },
});

/** Returns a reader of a part of a file; positions count from `start`. */
export const partOf = (reader: BoundedReader, start: number, size: number): BoundedReader => ({
  size,
  read: (position, length) => {
    if (position < 0 || length < 0 || position + length > size)
      throw new UnusableFileError('points outside its part');
    return reader.read(start + position, length);
  },
});
