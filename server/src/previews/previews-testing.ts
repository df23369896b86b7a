import sharp, { type Sharp } from 'sharp';

/** Builders of picture files for tests: camera files around JPEG streams, and BMP files, byte by byte. */

/** Colors of the upright picture: red top left, green top right, blue bottom left, white bottom right. */
export const quarterColors = {
  topLeft: [230, 20, 20],
  topRight: [20, 200, 20],
  bottomLeft: [20, 20, 230],
  bottomRight: [255, 255, 255],
} as const;
export type Corner = keyof typeof quarterColors;

/** Returns raw pixels in four colored quarters. */
export function quarters(width: number, height: number): Buffer {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = y < height / 2 ? 'top' : 'bottom';
      const [red, green, blue] = quarterColors[`${row}${x < width / 2 ? 'Left' : 'Right'}`];
      data.set([red, green, blue], (y * width + x) * 3);
    }
  }
  return data;
}

/** Returns the four quarters as a picture that can be encoded. */
export const quartersPicture = (width: number, height: number): Sharp =>
  sharp(quarters(width, height), { raw: { width, height, channels: 3 } });

/** Returns a JPEG of the four quarters, stored so that applying its EXIF `orientation` makes it upright. */
export async function quartersJpeg(width: number, height: number, orientation?: number): Promise<Buffer> {
  if (orientation === undefined) return quartersPicture(width, height).jpeg({ quality: 95 }).toBuffer();
  return asStoredByCamera(quartersPicture(width, height), orientation)
    .withMetadata({ orientation })
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Applies the inverse of an EXIF orientation to an upright picture, as a camera stores it. */
export function asStoredByCamera(upright: Sharp, orientation: number): Sharp {
  switch (orientation) {
    case 2:
      return upright.flop();
    case 3:
      return upright.rotate(180);
    case 4:
      return upright.flip();
    case 5:
      return upright.flop().rotate(270);
    case 6:
      return upright.rotate(270);
    case 7:
      return upright.flop().rotate(90);
    case 8:
      return upright.rotate(90);
    default:
      return upright;
  }
}

/** Returns the colors in the middle of each quarter. */
export async function cornersOf(picture: Buffer): Promise<Record<Corner, number[]>> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): number[] => {
    const position = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(position, position + 3)];
  };
  return {
    topLeft: at(0.25, 0.25),
    topRight: at(0.75, 0.25),
    bottomLeft: at(0.25, 0.75),
    bottomRight: at(0.75, 0.75),
  };
}

/** Returns the first corner with an unexpected color, and the color; null when all are correct. */
export async function wrongCorner(picture: Buffer, tolerance = 24): Promise<string | null> {
  const found = await cornersOf(picture);
  for (const [corner, expected] of Object.entries(quarterColors)) {
    const color = found[corner as Corner];
    const isNear = expected.every((value, index) => Math.abs(value - (color[index] ?? -999)) <= tolerance);
    if (!isNear) return `${corner} is ${color.join(',')}`;
  }
  return null;
}

/**
 * The value of a TIFF entry. Several numbers are stored outside the entry. The index `picture` is replaced by the position of that picture,
 * the index `pictureLength` by its length in bytes, and `directories` by the positions of these.
 */
export type TiffValue =
  | number
  | readonly number[]
  | { picture: number }
  | { pictureLength: number }
  | { directories: readonly TiffDirectory[] };
export type TiffDirectory = Readonly<Record<number, TiffValue>>;

/**
 * Builds a TIFF-like file with the directories of `chain` in sequence and `pictures` at its end. All values have 32
 * bits.
 */
export function buildTiff(
  chain: readonly TiffDirectory[],
  pictures: readonly Buffer[],
  { isBigEndian = false, magic = 42 }: { isBigEndian?: boolean; magic?: number } = {},
): Buffer {
  const bytes = Buffer.alloc(64 * 1024);
  const u16 = (value: number, at: number): number =>
    isBigEndian ? bytes.writeUInt16BE(value, at) : bytes.writeUInt16LE(value, at);
  const u32 = (value: number, at: number): number =>
    isBigEndian ? bytes.writeUInt32BE(value, at) : bytes.writeUInt32LE(value, at);
  const starts = pictures.map((_, index) =>
    pictures.slice(0, index).reduce((sum, picture) => sum + picture.length, bytes.length),
  );
  let end = 8;
  const write = (directory: TiffDirectory): { at: number; nextAt: number } => {
    const entries = Object.entries(directory);
    const at = end;
    const nextAt = at + 2 + entries.length * 12;
    end = nextAt + 4;
    u16(entries.length, at);
    for (const [index, [tag, value]] of entries.entries()) {
      const entry = at + 2 + index * 12;
      const list: readonly number[] =
        typeof value === 'number'
          ? [value]
          : 'picture' in value
            ? [starts[value.picture] ?? 0]
            : 'pictureLength' in value
              ? [pictures[value.pictureLength]?.length ?? 0]
              : 'directories' in value
                ? value.directories.map((inner) => write(inner).at)
                : value;
      u16(Number(tag), entry);
      u16(4, entry + 2);
      u32(list.length, entry + 4);
      if (list.length === 1) u32(list[0] ?? 0, entry + 8);
      else {
        u32(end, entry + 8);
        for (const number of list) end = u32(number, end);
      }
    }
    return { at, nextAt };
  };
  bytes.write(isBigEndian ? 'MM' : 'II', 0, 'latin1');
  u16(magic, 2);
  let linkAt = 4;
  for (const directory of chain) {
    const { at, nextAt } = write(directory);
    u32(at, linkAt);
    linkAt = nextAt;
  }
  return Buffer.concat([bytes, ...pictures]);
}

/** The tags that the builders use. */
export const tag = {
  compression: 0x103,
  stripOffsets: 0x111,
  orientation: 0x112,
  stripByteCounts: 0x117,
  subDirectories: 0x14a,
  jpegOffset: 0x201,
  jpegLength: 0x202,
} as const;

/** Builds a box of an ISO base media file. */
export function box(type: string, ...content: (Buffer | string)[]): Buffer {
  const inner = Buffer.concat(
    content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)),
  );
  const head = Buffer.alloc(8);
  head.writeUInt32BE(inner.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, inner]);
}

/**
 * Builds a CR3 file: metadata and a small picture in `moov`, a medium one beside it, a large one as the first sample of
 * a track.
 */
export function buildCr3(parts: {
  small: Buffer;
  medium: Buffer;
  large?: Buffer;
  orientation: number;
}): Buffer {
  const { small, medium, large = Buffer.alloc(0), orientation } = parts;
  const metadata = buildTiff([{ [tag.orientation]: orientation }], []).subarray(0, 64);
  const begin = box('ftyp', Buffer.from('crx \0\0\0\x01crx isom', 'latin1'));
  const thumb = box('THMB', '0000000000a00078', '0000000000010000', small);
  const own = box('uuid', '85c0b687820f11e08111f4ce462b6a48', box('CMT1', metadata), thumb);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(large.length);
  const track = (offset: bigint): Buffer => {
    const position = Buffer.alloc(8);
    position.writeBigUInt64BE(offset);
    const table = box(
      'stbl',
      box('stsz', '00000000', length, '00000001'),
      box('co64', '0000000000000001', position),
    );
    return box('trak', box('mdia', box('minf', table)));
  };
  const preview = box(
    'uuid',
    'eaf42b5e1c984b88b9fbb7dc406e4d16',
    '0000000000000001',
    box('PRVW', '00000000', '0001', '06540438', '0001', length, medium),
  );
  const moovOf = (offset: bigint): Buffer => box('moov', own, track(offset));
  const before = begin.length + moovOf(0n).length + preview.length;
  return Buffer.concat([begin, moovOf(BigInt(before + 8)), preview, box('mdat', large)]);
}

/** Builds a RAF file around a picture. */
export function buildRaf(picture: Buffer): Buffer {
  const head = Buffer.alloc(160);
  head.write('FUJIFILMCCD-RAW 0201FF392201', 0, 'latin1');
  head.writeUInt32BE(head.length, 84);
  head.writeUInt32BE(picture.length, 88);
  return Buffer.concat([head, picture, Buffer.alloc(500, 7)]);
}

/** The properties of a BMP file. */
export interface BmpForm {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly compression?: number;
  readonly headerBytes?: 12 | 40 | 108 | 124;
  readonly isTopDown?: boolean;
  /** Blue, green, red. */
  readonly palette?: readonly (readonly [number, number, number])[];
  readonly masks?: readonly number[];
  /** All rows in storage order. */
  readonly pixels: Buffer;
}

/** Builds a BMP file. */
export function buildBmp(form: BmpForm): Buffer {
  const {
    width,
    height,
    bits,
    compression = 0,
    headerBytes = 40,
    isTopDown = false,
    palette = [],
    masks = [],
    pixels,
  } = form;
  const isOld = headerBytes === 12;
  const header = Buffer.alloc(14 + headerBytes);
  header.write('BM', 0, 'latin1');
  header.writeUInt32LE(headerBytes, 14);
  if (isOld) {
    header.writeUInt16LE(width, 18);
    header.writeInt16LE(height, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt16LE(bits, 24);
  } else {
    header.writeInt32LE(width, 18);
    header.writeInt32LE(isTopDown ? -height : height, 22);
    header.writeUInt16LE(1, 26);
    header.writeUInt16LE(bits, 28);
    header.writeUInt32LE(compression, 30);
    header.writeUInt32LE(palette.length, 46);
  }
  const maskBytes = Buffer.alloc(masks.length * 4);
  for (const [index, mask] of masks.entries()) maskBytes.writeUInt32LE(mask, index * 4);
  if (headerBytes > 40) maskBytes.copy(header, 54);
  const colors = Buffer.concat(palette.map((color) => Buffer.from(isOld ? color : [...color, 0])));
  const parts = [header, ...(headerBytes === 40 ? [maskBytes] : []), colors];
  const before = parts.reduce((sum, part) => sum + part.length, 0);
  header.writeUInt32LE(before, 10);
  header.writeUInt32LE(before + pixels.length, 2);
  return Buffer.concat([...parts, pixels]);
}
