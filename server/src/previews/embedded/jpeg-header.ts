import { type BoundedReader, partOf, UnusableFileError } from './bounded-reader.ts';
import { isOrientation, readDirectories } from './tiff-directories.ts';

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
export const exifSignature = Buffer.from('Exif\0\0', 'latin1');

/** Whether a marker begins a frame. The range also contains markers of tables and extensions. */
const isFrame = (marker: number): boolean =>
  marker >= 0xffc0 && marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc;

async function orientationIn(
  reader: BoundedReader,
  position: number,
  length: number,
): Promise<number | null> {
  if (length < exifSignature.length + 8) return null;
  if (!(await reader.read(position, exifSignature.length)).equals(exifSignature)) return null;
  try {
    const part = partOf(reader, position + exifSignature.length, length - exifSignature.length);
    const [first] = await readDirectories(part, { followsChain: false });
    const value = first?.numberOf('orientation') ?? null;
    return isOrientation(value) ? value : null;
  } catch (error) {
    if (error instanceof UnusableFileError) return null;
    throw error;
  }
}

/** Reads the header of the JPEG stream at `start`; null when there is none. Reads only the headers of segments. */
export async function readJpegHeader(reader: BoundedReader, start: number): Promise<JpegHeader | null> {
  if (start + 4 > reader.size || (await reader.read(start, 2)).readUInt16BE(0) !== startOfImage) return null;
  let orientation: number | null = null;
  let position = start + 2;
  for (let segment = 0; segment < maxSegments && position + 9 <= reader.size; segment += 1) {
    const head = await reader.read(position, 9);
    const marker = head.readUInt16BE(0);
    if (marker === 0xffff) {
      position += 1;
      continue;
    }
    const length = head.readUInt16BE(2);
    if (marker < 0xffc0 || length < 2) return null;
    if (isFrame(marker)) {
      const isPicture = marker <= 0xffc2;
      return { height: head.readUInt16BE(5), width: head.readUInt16BE(7), orientation, isPicture };
    }
    if (marker === 0xffe1) orientation ??= await orientationIn(reader, position + 4, length - 2);
    position += 2 + length;
  }
  return null;
}
