import { PictureTooLargeError, UnreadablePictureError } from './picture-errors.ts';
import type { Pixels } from './pixels.ts';

/** Values of `biCompression`: the storage methods of pixels. */
const rgb = 0;
const rle8 = 1;
const rle4 = 2;
const bitFields = 3;
const alphaBitFields = 6;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly compression: number;
  /** Position of the pixels in the file. */
  readonly pixelsAt: number;
  /** Blue, green, red: three bytes each. */
  readonly palette: readonly (readonly [number, number, number])[];
  /** Bits of red, green, blue and alpha in a pixel of 16 or 32 bits. */
  readonly masks: readonly [number, number, number, number];
}

const supported = new Set([1, 4, 8, 16, 24, 32]);

function readMasks(file: Buffer, compression: number, headerBytes: number): Header['masks'] {
  if (compression !== bitFields && compression !== alphaBitFields) return [0, 0, 0, 0];
  // The oldest header is followed by the masks; later headers contain them at the same position.
  const at = 14 + 40;
  const hasAlpha = compression === alphaBitFields || headerBytes >= 56;
  if (at + (hasAlpha ? 16 : 12) > file.length) throw new UnreadablePictureError('is truncated');
  return [
    file.readUInt32LE(at),
    file.readUInt32LE(at + 4),
    file.readUInt32LE(at + 8),
    hasAlpha ? file.readUInt32LE(at + 12) : 0,
  ];
}

function readPalette(
  file: Buffer,
  at: number,
  count: number,
  entryBytes: number,
): [number, number, number][] {
  const palette: [number, number, number][] = [];
  for (let entry = at; palette.length < count && entry + 3 <= file.length; entry += entryBytes)
    palette.push([file.readUInt8(entry), file.readUInt8(entry + 1), file.readUInt8(entry + 2)]);
  return palette;
}

function readHeader(file: Buffer, maxPixels: number): Header {
  if (file.length < 26 || file.toString('latin1', 0, 2) !== 'BM')
    throw new UnreadablePictureError('is not a BMP');
  const pixelsAt = file.readUInt32LE(10);
  const headerBytes = file.readUInt32LE(14);
  const isOld = headerBytes === 12;
  if (!isOld && (headerBytes < 40 || headerBytes > 4096)) throw new UnreadablePictureError('unknown header');
  if (14 + headerBytes > file.length) throw new UnreadablePictureError('is truncated');
  const width = isOld ? file.readUInt16LE(18) : file.readInt32LE(18);
  const signedHeight = isOld ? file.readInt16LE(20) : file.readInt32LE(22);
  const bits = file.readUInt16LE(isOld ? 24 : 28);
  const compression = isOld ? rgb : file.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0) throw new UnreadablePictureError('has no pixels');
  if (width * height > maxPixels) throw new PictureTooLargeError();
  const masks = readMasks(file, compression, headerBytes);
  const isPossible =
    supported.has(bits) &&
    (compression === rgb ||
      (compression === rle8 && bits === 8) ||
      (compression === rle4 && bits === 4) ||
      ((compression === bitFields || compression === alphaBitFields) && (bits === 16 || bits === 32)));
  if (!isPossible) throw new UnreadablePictureError('unknown compression');
  const extra =
    headerBytes === 40 ? (compression === bitFields ? 12 : compression === alphaBitFields ? 16 : 0) : 0;
  const declared = isOld ? 0 : file.readUInt32LE(46);
  const colors = bits > 8 ? 0 : Math.min(1 << bits, declared === 0 ? 256 : declared);
  const palette = readPalette(file, 14 + headerBytes + extra, colors, isOld ? 3 : 4);
  return { width, height, isTopDown: signedHeight < 0, bits, compression, pixelsAt, palette, masks };
}

/** The position and width of a sample's bits, and the conversion to 0 to 255. */
interface Sample {
  readonly shift: number;
  readonly mask: number;
  readonly largest: number;
}

function sampleOf(mask: number): Sample {
  if (mask === 0) return { shift: 0, mask: 0, largest: 1 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { shift, mask, largest: mask >>> shift };
}

const scaled = (value: number, { mask, shift, largest }: Sample): number =>
  Math.round((((value & mask) >>> shift) * 255) / largest);

/** Returns the default masks of a pixel size. */
const usualMasks = (bits: number): Header['masks'] =>
  bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];

/** Returns the palette index of each pixel of a run-length encoded picture; row 0 is at the bottom. */
function expandRuns(file: Buffer, { width, height, bits, pixelsAt }: Header): Uint8Array {
  const indices = new Uint8Array(width * height);
  let x = 0;
  let y = 0;
  const put = (index: number): void => {
    if (x < width && y < height) indices[y * width + x] = index;
    x += 1;
  };
  const nibble = (byte: number, at: number): number => (at % 2 === 0 ? byte >> 4 : byte & 15);
  for (let at = pixelsAt; at + 2 <= file.length && y < height;) {
    const count = file.readUInt8(at);
    const value = file.readUInt8(at + 1);
    at += 2;
    if (count > 0) {
      for (let index = 0; index < count; index += 1) put(bits === 8 ? value : nibble(value, index));
    } else if (value === 0) {
      x = 0;
      y += 1;
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      if (at + 2 > file.length) break;
      x += file.readUInt8(at);
      y += file.readUInt8(at + 1);
      at += 2;
    } else {
      const stored = bits === 8 ? value : Math.ceil(value / 2);
      if (at + stored > file.length) break;
      for (let index = 0; index < value; index += 1)
        put(bits === 8 ? file.readUInt8(at + index) : nibble(file.readUInt8(at + (index >> 1)), index));
      at += stored + (stored % 2);
    }
  }
  return indices;
}

/** Converts the row of the file at `at` into one row of `data`. */
type FillRow = (data: Buffer, to: number, at: number, row: number) => void;

function rowOfIndices(file: Buffer, header: Header): FillRow {
  const { width, bits, palette, compression } = header;
  const runs = compression === rgb ? null : expandRuns(file, header);
  const perByte = 8 / bits;
  const indexAt = (at: number, row: number, x: number): number =>
    runs === null
      ? (file.readUInt8(at + Math.floor(x / perByte)) >> (8 - bits * ((x % perByte) + 1))) & ((1 << bits) - 1)
      : (runs[row * width + x] ?? 0);
  return (data, to, at, row) => {
    for (let x = 0; x < width; x += 1) {
      const [blue, green, red] = palette[indexAt(at, row, x)] ?? [0, 0, 0];
      data[to + x * 3] = red;
      data[to + x * 3 + 1] = green;
      data[to + x * 3 + 2] = blue;
    }
  };
}

function rowOfMasks(file: Buffer, { width, bits }: Header, masks: Header['masks'], channels: 3 | 4): FillRow {
  const samples = masks.map(sampleOf).slice(0, channels);
  const isWide = bits === 32;
  return (data, to, at) => {
    for (let x = 0; x < width; x += 1) {
      const value = isWide ? file.readUInt32LE(at + x * 4) : file.readUInt16LE(at + x * 2);
      for (const [channel, sample] of samples.entries())
        data[to + x * channels + channel] = scaled(value, sample);
    }
  };
}

function rowOfBytes(file: Buffer, { width }: Header): FillRow {
  return (data, to, at) => {
    for (let x = 0; x < width; x += 1) {
      data[to + x * 3] = file[at + x * 3 + 2] ?? 0;
      data[to + x * 3 + 1] = file[at + x * 3 + 1] ?? 0;
      data[to + x * 3 + 2] = file[at + x * 3] ?? 0;
    }
  };
}

/**
 * Decodes a BMP file: 1, 4, 8, 16, 24 and 32 bits, run-length encoding, bit fields, either direction. Throws {@link
 * UnreadablePictureError} and {@link PictureTooLargeError} before it allocates memory.
 */
export function decodeBmp(file: Buffer, maxPixels: number): Pixels {
  const header = readHeader(file, maxPixels);
  const { width, height, bits, compression, pixelsAt, isTopDown } = header;
  const isRuns = compression === rle8 || compression === rle4;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  if (pixelsAt >= file.length || (!isRuns && pixelsAt + rowBytes * height > file.length))
    throw new UnreadablePictureError('is truncated');
  const masks = compression === rgb ? usualMasks(bits) : header.masks;
  const hasAlpha = masks[3] !== 0;
  const channels = hasAlpha ? 4 : 3;
  const data = Buffer.alloc(width * height * channels);
  const fill =
    bits <= 8
      ? rowOfIndices(file, header)
      : bits === 24
        ? rowOfBytes(file, header)
        : rowOfMasks(file, header, masks, channels);
  for (let row = 0; row < height; row += 1) {
    const shown = isTopDown ? row : height - 1 - row;
    fill(data, shown * width * channels, pixelsAt + row * rowBytes, row);
  }
  return { data, width, height, channels };
}
