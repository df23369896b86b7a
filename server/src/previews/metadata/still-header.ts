import { type BoundedReader, partOf } from '../embedded/bounded-reader.ts';
import { findEmbeddedPicture } from '../embedded/find-embedded-picture.ts';
import { findExif, readJpegHeader } from '../embedded/jpeg-header.ts';
import { readDirectories } from '../embedded/tiff-directories.ts';
import { type Exif, readExif } from './exif.ts';

/** The header of a picture: pixels as stored, before the rotation of {@link Exif.orientation}. */
export interface StillHeader extends Exif {
  readonly width: number;
  readonly height: number;
}

/** Maximum number of chunks that are examined. */
const maxChunks = 64;

/** Reads the header of a JPEG file; null when there is none. */
export async function readJpeg(reader: BoundedReader): Promise<StillHeader | null> {
  const header = await readJpegHeader(reader, 0);
  if (header === null) return null;
  const { width, height } = header;
  const exif = await findExif(reader, 0);
  return { ...(exif !== null && (await readExif(exif))), width, height };
}

/** Reads the header of a PNG file, and its `eXIf` chunk if that comes before the picture (PNG 3 §11.3). */
export async function readPng(reader: BoundedReader): Promise<StillHeader> {
  const head = await reader.read(16, 8);
  const size = { width: head.readUInt32BE(0), height: head.readUInt32BE(4) };
  for (let position = 33, count = 0; count < maxChunks && position + 12 <= reader.size; count += 1) {
    const chunk = await reader.read(position, 8);
    const length = chunk.readUInt32BE(0);
    const type = chunk.toString('latin1', 4, 8);
    if (type === 'IDAT' || position + 12 + length > reader.size) break;
    if (type === 'eXIf') return { ...(await readExif(partOf(reader, position + 8, length))), ...size };
    position += 12 + length;
  }
  return size;
}

/** Reads the header of a GIF file. */
export async function readGif(reader: BoundedReader): Promise<StillHeader> {
  const head = await reader.read(6, 4);
  return { width: head.readUInt16LE(0), height: head.readUInt16LE(2) };
}

/** Reads the header of a BMP file. */
export async function readBmp(reader: BoundedReader): Promise<StillHeader> {
  const head = await reader.read(14, 12);
  if (head.readUInt32LE(0) === 12) return { width: head.readUInt16LE(4), height: head.readUInt16LE(6) };
  // A negative height means that the rows begin at the top.
  return { width: Math.abs(head.readInt32LE(4)), height: Math.abs(head.readInt32LE(8)) };
}

/** Reads the header of a WebP file, and its `EXIF` chunk (RFC 9649 §2). */
export async function readWebp(reader: BoundedReader): Promise<StillHeader | null> {
  const head = await reader.read(12, 18);
  const form = head.toString('latin1', 0, 4);
  if (form === 'VP8 ')
    return { width: head.readUInt16LE(14) & 0x3fff, height: head.readUInt16LE(16) & 0x3fff };
  if (form === 'VP8L') {
    const bits = head.readUInt32LE(9);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (form !== 'VP8X') return null;
  const size = { width: head.readUIntLE(12, 3) + 1, height: head.readUIntLE(15, 3) + 1 };
  for (let position = 30, count = 0; count < maxChunks && position + 8 <= reader.size; count += 1) {
    const chunk = await reader.read(position, 8);
    const length = chunk.readUInt32LE(4);
    if (chunk.toString('latin1', 0, 4) === 'EXIF' && position + 8 + length <= reader.size) {
      const hasMark =
        (await reader.read(position + 8, Math.min(6, length))).toString('latin1') === 'Exif\0\0';
      const skipped = hasMark ? 6 : 0;
      const part = partOf(reader, position + 8 + skipped, length - skipped);
      return { ...(await readExif(part)), ...size };
    }
    position += 8 + length + (length % 2);
  }
  return size;
}

/** Reads a TIFF file or a camera RAW file: the size of the picture in it, and its EXIF data. */
export async function readTiff(reader: BoundedReader): Promise<StillHeader | null> {
  const exif = await readExif(reader);
  const picture = await findEmbeddedPicture(reader, Number.MAX_SAFE_INTEGER);
  if (picture !== null) {
    const { width, height, orientation } = picture;
    return { ...exif, width, height, orientation };
  }
  const size = await tiffSize(reader);
  return size === null ? null : { ...exif, ...size };
}

/** Reads the pixels of the first picture of a TIFF file (TIFF 6.0, `ImageWidth` and `ImageLength`). */
async function tiffSize(reader: BoundedReader): Promise<{ width: number; height: number } | null> {
  const [first] = await readDirectories(reader, { followsChain: false });
  const width = first?.numberOf('width') ?? 0;
  const height = first?.numberOf('height') ?? 0;
  return width > 0 && height > 0 ? { width, height } : null;
}

/** Number of bytes within which the root element of a drawing has to end. */
const svgHeadBytes = 4096;
/** Pixels per unit of a length in a drawing (CSS Values 4 §6.2). */
const pixelsPerUnit: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
};

/** Returns an attribute of the root element in pixels; null for relative units and without the attribute. */
function svgLength(element: string, name: string): number | null {
  const [, value, unit = ''] =
    new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}["']\\s{0,9}([\\d.]{1,12})([a-z]{0,2})\\s{0,9}["']`).exec(
      element,
    ) ?? [];
  const pixels = Number(value) * (pixelsPerUnit[unit] ?? Number.NaN);
  return pixels > 0 && pixels < 1e6 ? pixels : null;
}

/** Reads the size of an SVG drawing, or the proportions of its view box; null without either. */
export async function readSvg(reader: BoundedReader): Promise<StillHeader | null> {
  const text = (await reader.read(0, Math.min(reader.size, svgHeadBytes))).toString('latin1');
  const start = text.search(/<svg[\s>]/);
  if (start < 0) return null;
  const end = text.indexOf('>', start);
  const element = text.slice(start, end < 0 ? undefined : end);
  const width = svgLength(element, 'width');
  const height = svgLength(element, 'height');
  if (width !== null && height !== null) return rounded(width, height);
  const [, boxWidth, boxHeight] =
    /\sviewBox\s{0,9}=\s{0,9}["'][\d.eE+-]{1,20}[\s,]{1,9}[\d.eE+-]{1,20}[\s,]{1,9}([\d.]{1,12})[\s,]{1,9}([\d.]{1,12})/.exec(
      element,
    ) ?? [];
  return Number(boxWidth) > 0 && Number(boxHeight) > 0 ? rounded(Number(boxWidth), Number(boxHeight)) : null;
}

const rounded = (width: number, height: number): StillHeader => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
});
