import { type BoundedReader, UnusableFileError } from './bounded-reader.ts';
import { findInCanonBoxes } from './canon-boxes.ts';
import { type EmbeddedPicture, type Place, picturesAt } from './pictures-at.ts';
import { type Directory, isOrientation, readDirectories } from './tiff-directories.ts';

/** The places that one directory names. */
function placesOf(directory: Directory): Place[] {
  const places: Place[] = [];
  const add = (position: number | null, length: number | null): void => {
    if (position !== null && length !== null) places.push({ position, length });
  };
  add(directory.numberOf('jpegOffset'), directory.numberOf('jpegLength'));
  const raw = directory.fieldOf('jpegFromRaw');
  if (raw !== null && raw.count > 4) places.push({ position: raw.position, length: raw.count });
  const compression = directory.numberOf('compression');
  if (compression === 6 || compression === 7) {
    const offsets = directory.numbersOf('stripOffsets');
    if (offsets.length === 1) add(offsets[0] ?? null, directory.numberOf('stripByteCounts'));
  }
  return places;
}

/** TIFF and what is built on it: CR2, NEF, DNG, ARW, PEF, SRW, RW2. */
async function findInTiff(reader: BoundedReader): Promise<EmbeddedPicture[]> {
  const directories = await readDirectories(reader);
  const orientation = directories[0]?.numberOf('orientation') ?? null;
  return picturesAt(reader, directories.flatMap(placesOf), isOrientation(orientation) ? orientation : 1);
}

/** Fujifilm's RAF: the head names one JPEG, which is turned by its own EXIF data. */
async function findInRaf(reader: BoundedReader): Promise<EmbeddedPicture[]> {
  const head = await reader.read(0, 92);
  return picturesAt(reader, [{ position: head.readUInt32BE(84), length: head.readUInt32BE(88) }], 1);
}

/** The smallest picture that fills or fits `edgePx` without being enlarged, else the largest. */
function pick(pictures: readonly EmbeddedPicture[], edgePx: number): EmbeddedPicture | null {
  const edgeOf = ({ width, height }: EmbeddedPicture): number => Math.min(width, height);
  const [first, ...rest] = [...pictures].sort((one, other) => edgeOf(one) - edgeOf(other));
  if (first === undefined) return null;
  return [first, ...rest].find((picture) => edgeOf(picture) >= edgePx) ?? rest.at(-1) ?? first;
}

/**
 * The picture that a camera put into its RAW file, of a size that is good for `edgePx` pixels; null when there is none.
 * Reads directories only, within the reader's limits. Throws nothing about the file's content.
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
