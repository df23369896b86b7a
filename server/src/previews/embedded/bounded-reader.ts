import type { OpenFile } from '../../storage/storage.ts';

/** The file is not what it says, or asks for more work than anybody should do. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

/** Reads parts of a file, never more in all than it was given leave to. */
export interface BoundedReader {
  /** Bytes of the whole file. */
  readonly size: number;
  /** `length` bytes from `position`. Throws {@link UnusableFileError} when the file does not have them or the leave is used up. */
  read(position: number, length: number): Promise<Buffer>;
}

/** What looking for an embedded picture may cost; the picture itself is not read through it. */
export const searchLeave = { bytes: 24 * 1024 * 1024, reads: 2000 } as const;

/** A reader of `file` that gives up after `leave.bytes` bytes or `leave.reads` reads. */
export function boundedReader(
  file: Pick<OpenFile, 'entry' | 'read'>,
  leave: { bytes: number; reads: number } = searchLeave,
): BoundedReader {
  let { bytes, reads } = leave;
  const { size } = file.entry;
  return {
    size,
    async read(position, length) {
      const isInside =
        Number.isSafeInteger(position) && Number.isSafeInteger(length) && position >= 0 && length >= 0;
      if (!isInside || position + length > size) throw new UnusableFileError('points outside the file');
      bytes -= length;
      reads -= 1;
      if (bytes < 0 || reads < 0) throw new UnusableFileError('asks for too much');
      const buffer = Buffer.allocUnsafe(length);
      for (let filled = 0; filled < length;) {
        const read = await file.read(buffer.subarray(filled), position + filled);
        if (read === 0) throw new UnusableFileError('ends early');
        filled += read;
      }
      return buffer;
    },
  };
}

/** A reader of bytes that lie in memory. */
export const boundedPart = (bytes: Buffer): BoundedReader => ({
  size: bytes.length,
  async read(position, length) {
    if (position < 0 || length < 0 || position + length > bytes.length)
      throw new UnusableFileError('points outside the file');
    return bytes.subarray(position, position + length);
  },
});
