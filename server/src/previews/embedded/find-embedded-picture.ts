import { type BoundedReader, UnusableFileError } from './bounded-reader.ts';
import { findInCanonBoxes } from './canon-boxes.ts';
import { type EmbeddedPicture, type PictureRange, picturesAt } from './pictures-at.ts';
import { type Directory, isOrientation, readDirectories } from './tiff-directories.ts';

/** Returns the ranges of pictures that a directory contains. */
function rangesOf(directory: Directory): PictureRange[] {
  const ranges: PictureRange[] = [];
  const add = (position: number | null, length: number | null): void => {
    if (position !== null && length !== null) ranges.push({ position, length });
  };
  add(directory.numberOf('jpegOffset'), directory.numberOf('jpegLength'));
  const raw = directory.fieldOf('jpegFromRaw');
  if (raw !== null && raw.count > 4) ranges.push({ position: raw.position, length: raw.count });
  const compression = directory.numberOf('compression');
  if (compression === 6 || compression === 7) {
    const offsets = directory.numbersOf('stripOffsets');
    if (offsets.length === 1) add(offsets[0] ?? null, directory.numberOf('stripByteCounts'));
  }
  return ranges;
}

/** Finds the pictures in TIFF and formats based on it: CR2, NEF, DNG, ARW, PEF, SRW, RW2. */
async function findInTiff(reader: BoundedReader): Promise<EmbeddedPicture[]> {
  const directories = await readDirectories(reader);
  const orientation = directories[0]?.numberOf('orientation') ?? null;
  return picturesAt(reader, directories.flatMap(rangesOf), isOrientation(orientation) ? orientation : 1);
}

/** Finds the picture in Fujifilm's RAF: the header refers to one JPEG, whose EXIF data contain the orientation. */
async function findInRaf(reader: BoundedReader): Promise<EmbeddedPicture[]> {
  const head = await reader.read(0, 92);
  return picturesAt(reader, [{ position: head.readUInt32BE(84), length: head.readUInt32BE(88) }], 1);
}

/** Returns the smallest picture that covers or fits `edgePx` without enlargement, or else the largest one. */
function pick(pictures: readonly EmbeddedPicture[], edgePx: number): EmbeddedPicture | null {
  const edgeOf = ({ width, height }: EmbeddedPicture): number => Math.min(width, height);
  const [first, ...rest] = [...pictures].sort((one, other) => edgeOf(one) - edgeOf(other));
  if (first === undefined) return null;
  return [first, ...rest].find((picture) => edgeOf(picture) >= edgePx) ?? rest.at(-1) ?? first;
}

/**
 * Finds the preview that the camera stored in a RAW file, of a suitable size for `edgePx` pixels; null when there is
 * none or the file is malformed. Reads only directories, within the reader's limits.
 */
export async function findEmbeddedPicture(
  reader: BoundedReader,
  edgePx: number,
): Promise<EmbeddedPicture | null> {
  try {
    const head = await reader.read(0, 16);
    const text = head.toString('latin1');
    if (text.startsWith('FUJIFILMCCD-RAW ')) return pick(await findInRaf(reader), edgePx);
    if (text.startsWith('ftypcrx ', 4)) return pick(await findInCanonBoxes(reader), edgePx);
    return pick(await findInTiff(reader), edgePx);
  } catch (error) {
    if (error instanceof UnusableFileError) return null;
    throw error;
  }
}
