import type { BoundedReader } from './bounded-reader.ts';
import { readJpegHeader } from './jpeg-header.ts';

/** A JPEG stream that lies in another file. */
export interface EmbeddedPicture {
  /** Bytes in the file. */
  readonly position: number;
  readonly length: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** How it has to be turned (EXIF 1 to 8). */
  readonly orientation: number;
}

/** Where a JPEG stream may lie. */
export interface Place {
  readonly position: number;
  readonly length: number;
}

/** Most places that are looked at. */
const maxPlaces = 64;
/** Largest embedded picture; the largest sensors' full-size JPEGs have about 60 MiB. */
const maxEmbeddedBytes = 96 * 1024 * 1024;

/** Reads what lies at `places` and keeps what is a picture. `orientation` counts where a stream has none of its own. */
export async function picturesAt(
  reader: BoundedReader,
  places: readonly Place[],
  orientation: number,
): Promise<EmbeddedPicture[]> {
  const found: EmbeddedPicture[] = [];
  for (const { position, length } of places.slice(0, maxPlaces)) {
    const isThere = length >= 4 && length <= maxEmbeddedBytes && position + length <= reader.size;
    const header = isThere ? await readJpegHeader(reader, position) : null;
    if (header === null || !header.isPicture || header.width === 0 || header.height === 0) continue;
    const { width, height } = header;
    found.push({ position, length, width, height, orientation: header.orientation ?? orientation });
  }
  return found;
}
