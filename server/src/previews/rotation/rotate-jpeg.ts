import { type BoundedReader, UnusableFileError } from '../embedded/bounded-reader.ts';
import { type ByteOrder, byteOrderOf } from '../embedded/byte-order.ts';
import { app1, exifSignature, maxSegments, startOfImage, startOfScan } from '../embedded/jpeg-header.ts';

/** A part of a file that is replaced. */
export interface Edit {
  readonly position: number;
  /** Bytes that are removed at the position. */
  readonly removed: number;
  readonly inserted: Buffer;
}

/** The rotations, clockwise in degrees. */
export type Rotation = 90 | 180 | 270;

/** The EXIF orientation of a picture that is turned by 90 degrees clockwise, by its orientation before (Exif 2.32 §4.6.4). */
const turned: Readonly<Record<number, number>> = { 1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2 };

/** Returns the EXIF orientation of a picture with `orientation` after a rotation. */
export function rotatedOrientation(orientation: number, degrees: Rotation): number {
  let result = orientation in turned ? orientation : 1;
  for (let left: number = degrees; left > 0; left -= 90) result = turned[result] ?? 1;
  return result;
}

const app0 = 0xffe0;
const orientationTag = 0x112;
const changedTag = 0x132;
const shortType = 3;
const textType = 2;
const entryBytes = 12;
const maxEntries = 512;
/** The length of a segment has 16 bits, and counts itself. */
const maxSegmentBytes = 0xffff;

/** A segment: the position of its marker, and its end. */
interface Segment {
  readonly position: number;
  readonly end: number;
}

/** Finds the segment with EXIF data, and the position at which a missing one is inserted. */
async function findExif(reader: BoundedReader): Promise<{ exif: Segment | null; insertAt: number }> {
  if ((await reader.read(0, 2)).readUInt16BE(0) !== startOfImage)
    throw new UnusableFileError('is not a JPEG');
  let insertAt = 2;
  for (let position = 2, count = 0; ; count++) {
    if (count > maxSegments) throw new UnusableFileError('has too many segments');
    const head = await reader.read(position, 4);
    const marker = head.readUInt16BE(0);
    if (marker === 0xffff) {
      position += 1;
      continue;
    }
    const length = head.readUInt16BE(2);
    if (marker < 0xffc0 || length < 2) throw new UnusableFileError('has a damaged segment');
    const end = position + 2 + length;
    if (end > reader.size) throw new UnusableFileError('is truncated');
    if (marker === startOfScan) return { exif: null, insertAt };
    const isExif = marker === app1 && length >= 2 + exifSignature.length + 8;
    if (isExif && (await reader.read(position + 4, exifSignature.length)).equals(exifSignature))
      return { exif: { position, end }, insertAt };
    // The segment of JFIF has to be the first one.
    if (marker === app0 && position === 2) insertAt = end;
    position = end;
  }
}

/** Returns a new segment with EXIF data that contain the orientation, and the time of the last change as local time. */
function createExif(orientation: number, changed: string): Buffer {
  const text = Buffer.from(`${changed}\0`, 'latin1');
  const entries = 2;
  const directory = Buffer.alloc(8 + 2 + entries * entryBytes + 4);
  directory.write('MM\0*', 'latin1');
  directory.writeUInt32BE(8, 4);
  directory.writeUInt16BE(entries, 8);
  directory.writeUInt16BE(orientationTag, 10);
  directory.writeUInt16BE(shortType, 12);
  directory.writeUInt32BE(1, 14);
  directory.writeUInt16BE(orientation, 18);
  directory.writeUInt16BE(changedTag, 22);
  directory.writeUInt16BE(textType, 24);
  directory.writeUInt32BE(text.length, 26);
  directory.writeUInt32BE(directory.length, 30);
  const content = Buffer.concat([exifSignature, directory, text]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(app1, 0);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The EXIF data of a segment, with the entries of their first directory. */
interface ExifData {
  readonly segment: Segment;
  /** Position of the data in the file. */
  readonly start: number;
  readonly bytes: Buffer;
  readonly order: ByteOrder;
  /** Offset of the first directory in the data, and its end. */
  readonly directory: number;
  readonly end: number;
  /** Number of entries of the directory. */
  readonly count: number;
}

/** Reads EXIF data. Throws {@link UnusableFileError} when they are damaged. */
async function readExifData(reader: BoundedReader, segment: Segment): Promise<ExifData> {
  const start = segment.position + 4 + exifSignature.length;
  const bytes = await reader.read(start, segment.end - start);
  const order = byteOrderOf(bytes);
  if (order === null) throw new UnusableFileError('has damaged EXIF data');
  const directory = order.u32(bytes, 4);
  if (directory < 8 || directory + 2 > bytes.length) throw new UnusableFileError('has damaged EXIF data');
  const count = order.u16(bytes, directory);
  const end = directory + 2 + count * entryBytes + 4;
  if (count > maxEntries || end > bytes.length) throw new UnusableFileError('has damaged EXIF data');
  return { segment, start, bytes, order, directory, end, count };
}

/** Returns the edits that set the orientation in existing EXIF data. */
function editExif(data: ExifData, degrees: Rotation): { edits: Edit[]; orientation: number } {
  const { start, bytes, order, directory, count } = data;
  let place = 0;
  for (; place < count; place++) {
    const entry = directory + 2 + place * entryBytes;
    const tag = order.u16(bytes, entry);
    if (tag > orientationTag) break;
    if (tag !== orientationTag) continue;
    if (order.u16(bytes, entry + 2) !== shortType) throw new UnusableFileError('has a damaged orientation');
    const orientation = rotatedOrientation(order.u16(bytes, entry + 8), degrees);
    const inserted = Buffer.alloc(2);
    order.setU16(inserted, orientation, 0);
    return { edits: [{ position: start + entry + 8, removed: 2, inserted }], orientation };
  }
  const orientation = rotatedOrientation(1, degrees);
  return { edits: addOrientation(data, orientation, place), orientation };
}

/**
 * Returns the edits that add an orientation as the entry with the index `place`. A copy of the directory with the entry is added at the
 * end of the data; everything else stays where it is.
 */
function addOrientation(
  { segment, start, bytes, order, directory, end, count }: ExifData,
  orientation: number,
  place: number,
): Edit[] {
  const entry = Buffer.alloc(entryBytes);
  order.setU16(entry, orientationTag, 0);
  order.setU16(entry, shortType, 2);
  order.setU32(entry, 1, 4);
  order.setU16(entry, orientation, 8);
  const number = Buffer.alloc(2);
  order.setU16(number, count + 1, 0);
  const [first, next] = [directory + 2, directory + 2 + place * entryBytes];
  const padding = bytes.length % 2;
  const copy = Buffer.concat([
    Buffer.alloc(padding),
    number,
    bytes.subarray(first, next),
    entry,
    bytes.subarray(next, end),
  ]);
  const length = segment.end - segment.position - 2 + copy.length;
  if (length > maxSegmentBytes) throw new UnusableFileError('has no room for an orientation');
  const lengthField = Buffer.alloc(2);
  lengthField.writeUInt16BE(length);
  const offset = Buffer.alloc(4);
  order.setU32(offset, bytes.length + padding, 0);
  return [
    { position: segment.position + 2, removed: 2, inserted: lengthField },
    { position: start + 4, removed: 4, inserted: offset },
    { position: segment.end, removed: 0, inserted: copy },
  ];
}

/** Formats a time as EXIF does, in the time zone of the server. */
function exifTimeOf(timeMs: number): string {
  const date = new Date(timeMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [
    String(date.getFullYear()).padStart(4, '0'),
    two(date.getMonth() + 1),
    two(date.getDate()),
  ].join(':');
  return `${day} ${[two(date.getHours()), two(date.getMinutes()), two(date.getSeconds())].join(':')}`;
}

/**
 * Returns the edits that rotate a JPEG by its EXIF orientation, in ascending order, and the new orientation. The pixels stay as they
 * are. A picture without EXIF data keeps its modification time as the time of its last change, because its own becomes that of
 * the rotation. Throws {@link UnusableFileError} for other files and damaged ones.
 */
export async function rotateJpeg(
  reader: BoundedReader,
  degrees: Rotation,
  modifiedMs: number,
): Promise<{ edits: readonly Edit[]; orientation: number }> {
  const { exif, insertAt } = await findExif(reader);
  if (exif !== null) return editExif(await readExifData(reader, exif), degrees);
  const orientation = rotatedOrientation(1, degrees);
  const inserted = createExif(orientation, exifTimeOf(modifiedMs));
  return { edits: [{ position: insertAt, removed: 0, inserted }], orientation };
}
