import type { BoundedReader } from './bounded-reader.ts';
import { readJpegHeader } from './jpeg-header.ts';

/** A JPEG stream in another file. */
export interface EmbeddedPicture {
  /** Offset in the file, in bytes. */
  readonly position: number;
  readonly length: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The EXIF orientation (1 to 8). */
  readonly orientation: number;
}

/** A possible position of a JPEG stream. */
export interface PictureRange {
  readonly position: number;
  readonly length: number;
}

/** Maximum number of ranges that are read. */
const maxRanges = 64;
/** Maximum size of an embedded picture. Full-size JPEGs of the largest sensors have about 60 MiB. */
const maxEmbeddedBytes = 96 * 1024 * 1024;

/** Reads `ranges` and returns those that contain pictures. `orientation` applies to streams without one. */
export async function picturesAt(
  reader: BoundedReader,
  ranges: readonly PictureRange[],
  orientation: number,
): Promise<EmbeddedPicture[]> {
  const found: EmbeddedPicture[] = [];
  for (const { position, length } of ranges.slice(0, maxRanges)) {
    const isInside = length >= 4 && length <= maxEmbeddedBytes && position + length <= reader.size;
    const header = isInside ? await readJpegHeader(reader, position) : null;
    if (header === null || !header.isPicture || header.width === 0 || header.height === 0) continue;
    const { width, height } = header;
    found.push({ position, length, width, height, orientation: header.orientation ?? orientation });
  }
  return found;
}
