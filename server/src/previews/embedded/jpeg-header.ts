import { type BoundedReader, partOf } from './bounded-reader.ts';
import { readOrientation } from './tiff-directories.ts';

/** The properties in the header of a JPEG stream. */
export interface JpegHeader {
  /** In pixels, before rotation. */
  readonly width: number;
  readonly height: number;
  /** The EXIF orientation in the stream; null when there is none. */
  readonly orientation: number | null;
  /**
   * Whether common decoders support it: baseline, extended or progressive, but not the lossless process of sensor data.
   */
  readonly isPicture: boolean;
}

/** Maximum number of segments before the image data. Cameras write fewer than twenty. */
export const maxSegments = 200;
export const startOfImage = 0xffd8;
export const startOfScan = 0xffda;
/** The marker of segments with EXIF data, among others. */
export const app1 = 0xffe1;
/** Bytes of the head of a frame up to its size, with the marker. */
const frameHeadBytes = 9;
export const exifSignature = Buffer.from('Exif\0\0', 'latin1');

/** Whether a marker begins a frame. The range also contains markers of tables and extensions. */
const isFrame = (marker: number): boolean =>
  marker >= 0xffc0 && marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc;

/** A segment of a JPEG stream, without its marker and length. */
export interface JpegSegment {
  readonly marker: number;
  /** Position of the content in the file. */
  readonly start: number;
  /** Bytes of the content. */
  readonly length: number;
}

/** Yields the segments of the JPEG stream at `position` that come before its image data. Ends at the first damaged one. */
async function* segmentsOf(reader: BoundedReader, position: number): AsyncGenerator<JpegSegment> {
  let at = position + 2;
  for (let count = 0; count < maxSegments && at + frameHeadBytes <= reader.size; count += 1) {
    const head = await reader.read(at, 4);
    const marker = head.readUInt16BE(0);
    if (marker === 0xffff) {
      at += 1;
      continue;
    }
    const length = head.readUInt16BE(2);
    if (marker < 0xffc0 || marker === startOfScan || length < 2) return;
    yield { marker, start: at + 4, length: length - 2 };
    at += 2 + length;
  }
}

/** Returns a reader of the EXIF data in a segment; null when it contains none. */
async function exifIn(
  reader: BoundedReader,
  { marker, start, length }: JpegSegment,
): Promise<BoundedReader | null> {
  if (marker !== app1 || length < exifSignature.length + 8) return null;
  if (!(await reader.read(start, exifSignature.length)).equals(exifSignature)) return null;
  const exifStart = start + exifSignature.length;
  return partOf(reader, exifStart, Math.min(length - exifSignature.length, reader.size - exifStart));
}

/** Returns a reader of the first EXIF data of the JPEG stream at `position`; null when it contains none. */
export async function findExif(reader: BoundedReader, position: number): Promise<BoundedReader | null> {
  for await (const segment of segmentsOf(reader, position)) {
    const exif = await exifIn(reader, segment);
    if (exif !== null) return exif;
  }
  return null;
}

/** Reads the header of the JPEG stream at `start`; null when there is none. Reads only the headers of segments. */
export async function readJpegHeader(reader: BoundedReader, start: number): Promise<JpegHeader | null> {
  if (start + 4 > reader.size || (await reader.read(start, 2)).readUInt16BE(0) !== startOfImage) return null;
  let orientation: number | null = null;
  for await (const segment of segmentsOf(reader, start)) {
    const { marker } = segment;
    if (isFrame(marker)) {
      const size = await reader.read(segment.start + 1, 4);
      const isPicture = marker <= 0xffc2;
      return { height: size.readUInt16BE(0), width: size.readUInt16BE(2), orientation, isPicture };
    }
    if (orientation !== null) continue;
    const exif = await exifIn(reader, segment);
    if (exif !== null) orientation = await readOrientation(exif);
  }
  return null;
}
