import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type { OpenFile, Storage } from '../../storage/storage.ts';
import { UnusableFileError } from '../embedded/bounded-reader.ts';
import { headerReader } from '../metadata/part-reader.ts';
import { type Edit, rotateJpeg, type Rotation } from './rotate-jpeg.ts';

/** Bytes per read of a picture. */
const pieceBytes = 256 * 1024;

/** Yields the bytes of a file from `first` to `end`. Throws `precondition_failed` when the file has become shorter. */
async function* bytesBetween(file: OpenFile, first: number, end: number): AsyncGenerator<Uint8Array> {
  for (let position = first; position < end;) {
    const piece = new Uint8Array(Math.min(pieceBytes, end - position));
    const count = await file.read(piece, position);
    if (count === 0) throw new AppError('precondition_failed');
    position += count;
    yield piece.subarray(0, count);
  }
}

async function* withEdits(file: OpenFile, edits: readonly Edit[]): AsyncGenerator<Uint8Array> {
  let position = 0;
  for (const edit of edits) {
    yield* bytesBetween(file, position, edit.position);
    yield edit.inserted;
    position = edit.position + edit.removed;
  }
  yield* bytesBetween(file, position, file.entry.size);
}

/** The rotated content of a picture. */
export interface RotatedPicture {
  readonly file: OpenFile;
  readonly content: AsyncIterable<Uint8Array>;
  /** Bytes of the content. */
  readonly size: number;
  /** The new EXIF orientation. */
  readonly orientation: number;
}

/**
 * Opens a picture and returns its content after a rotation; the caller closes the file. Throws the errors of opening it, and
 * `broken_image` for a file that is not a JPEG, or a damaged one.
 */
export async function openRotated(
  storage: Storage,
  path: VirtualPath,
  degrees: Rotation,
): Promise<RotatedPicture> {
  const file = await storage.openFile(path);
  try {
    const { size, modifiedNs } = file.entry;
    const reader = await headerReader(file);
    const { edits, orientation } = await rotateJpeg(reader, degrees, Number(modifiedNs / 1_000_000n));
    const added = edits.reduce((sum, { removed, inserted }) => sum + inserted.length - removed, 0);
    return { file, content: withEdits(file, edits), size: size + added, orientation };
  } catch (error) {
    await file.close();
    if (error instanceof UnusableFileError || error instanceof RangeError)
      throw new AppError('broken_image', 'only JPEG pictures that are not damaged can be rotated');
    throw error;
  }
}
