import { type BoundedReader, UnusableFileError, boundedReader } from '../embedded/bounded-reader.ts';
import type { OpenFile } from '../../storage/storage.ts';

/** Limits of reading the header of one file. Those of real files need a few reads and kilobytes. */
export const headerLimits = { bytes: 2 * 1024 * 1024, reads: 400 } as const;
/** The number of bytes at the beginning that are read at once: enough for most headers. */
const headBytes = 16 * 1024;

/** Returns a reader of `file` within {@link headerLimits} that reads the beginning at once. */
export async function headerReader(file: Pick<OpenFile, 'entry' | 'read'>): Promise<BoundedReader> {
  const reader = boundedReader(file, headerLimits);
  const head = await reader.read(0, Math.min(reader.size, headBytes));
  let reads = 0;
  return {
    size: reader.size,
    read(position, length) {
      const isInHead = position >= 0 && length >= 0 && position + length <= head.length;
      if (!isInHead) return reader.read(position, length);
      // Loops end, although these reads cost nothing.
      reads += 1;
      if (reads > 10 * headerLimits.reads) throw new UnusableFileError('exceeds the read limit');
      return Promise.resolve(head.subarray(position, position + length));
    },
  };
}
