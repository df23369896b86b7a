import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** An opaque picture: three bytes (red, green, blue) per pixel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The bytes per pixel of each color type (W3C PNG, table 11.1) that is read: RGB, palette, RGB with alpha. */
const bytesPerPixel: Readonly<Record<number, number>> = { 2: 3, 3: 1, 6: 4 };
const maxPaletteColors = 256;

/** Returns the prediction of a byte from its left, upper and upper left neighbor (W3C PNG §9.4). */
function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/** Reverses the filters of all rows (W3C PNG §9.2). `stride` is the length of a row without its filter byte. */
function unfilter(data: Uint8Array, stride: number, height: number, pixelBytes: number): Uint8Array {
  const rows = new Uint8Array(stride * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)] ?? 0;
    const row = rows.subarray(y * stride, (y + 1) * stride);
    row.set(data.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    if (filter > 4) throw new Error(`Row ${y} of the PNG has an unknown filter: ${filter}`);
    const previous = above;
    above = row;
    if (filter === 0) continue;
    // The bytes at the left of the first pixel count as 0.
    for (let index = 0; index < stride; index++) {
      const left = index < pixelBytes ? 0 : (row[index - pixelBytes] ?? 0);
      const up = previous[index] ?? 0;
      let predicted = left;
      if (filter === 2) predicted = up;
      else if (filter === 3) predicted = (left + up) >> 1;
      else if (filter === 4)
        predicted = paeth(left, up, index < pixelBytes ? 0 : (previous[index - pixelBytes] ?? 0));
      row[index] = (row[index] ?? 0) + predicted;
    }
  }
  return rows;
}

/** Reads a PNG with 8 bits per channel, as Chromium and {@link encodePng} write it. Transparency is ignored. */
export function decodePng(file: Buffer): Picture {
  if (!file.subarray(0, 8).equals(pngSignature)) throw new Error('The file is not a PNG.');
  let header: Buffer | undefined;
  let palette: Buffer | undefined;
  const data: Buffer[] = [];
  for (let position = 8; position < file.length;) {
    const length = file.readUInt32BE(position);
    const type = file.toString('latin1', position + 4, position + 8);
    const content = file.subarray(position + 8, position + 8 + length);
    if (type === 'IHDR') header = content;
    if (type === 'PLTE') palette = content;
    if (type === 'IDAT') data.push(content);
    position += 12 + length;
  }
  if (header === undefined) throw new Error('The PNG has no header.');
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const [depth = 0, colorType = 0, , , interlace = 0] = header.subarray(8);
  const size = bytesPerPixel[colorType];
  if (depth !== 8 || size === undefined || interlace !== 0) {
    throw new Error(`The PNG has an unsupported format: depth ${depth}, color type ${colorType}`);
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * size, height, size);
  if (colorType === 2) return { width, height, pixels: rows };
  const pixels = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const source = palette === undefined ? rows : palette;
    const from = palette === undefined ? pixel * size : (rows[pixel] ?? 0) * 3;
    pixels[pixel * 3] = source[from] ?? 0;
    pixels[pixel * 3 + 1] = source[from + 1] ?? 0;
    pixels[pixel * 3 + 2] = source[from + 2] ?? 0;
  }
  return { width, height, pixels };
}

/** Returns the colors of a picture and the index of each pixel's color, or null if there are more than 256. */
function indexColors({ pixels }: Picture): { palette: Buffer; indices: Uint8Array } | null {
  const known = new Map<number, number>();
  const indices = new Uint8Array(pixels.length / 3);
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const at = pixel * 3;
    const color = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
    let index = known.get(color);
    if (index === undefined) {
      index = known.size;
      if (index === maxPaletteColors) return null;
      known.set(color, index);
    }
    indices[pixel] = index;
  }
  const palette = Buffer.alloc(known.size * 3);
  for (const [color, index] of known) palette.writeUIntBE(color, index * 3, 3);
  return { palette, indices };
}

/** Encodes a chunk of a PNG (W3C PNG §5.3). */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Writes a picture as a PNG: with a palette if it has at most 256 colors, otherwise as RGB. */
export function encodePng(picture: Picture): Buffer {
  const { width, height, pixels } = picture;
  const indexed = indexColors(picture);
  const bytes = indexed?.indices ?? pixels;
  const stride = width * (indexed ? 1 : 3);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, indexed ? 3 : 2, 0, 0, 0], 8);
  // Without a palette each row is stored as its difference to the row above (filter 2), which is small in most rows.
  const rows = Buffer.alloc(height * (stride + 1));
  for (let row = 0; row < height; row++) {
    const target = row * (stride + 1);
    if (indexed) rows.set(bytes.subarray(row * stride, (row + 1) * stride), target + 1);
    else {
      rows[target] = 2;
      for (let index = 0; index < stride; index++) {
        const up = row === 0 ? 0 : (bytes[(row - 1) * stride + index] ?? 0);
        rows[target + 1 + index] = (bytes[row * stride + index] ?? 0) - up;
      }
    }
  }
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...(indexed ? [pngChunk('PLTE', indexed.palette)] : []),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
