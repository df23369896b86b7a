import { type BoundedReader, UnusableFileError } from './bounded-reader.ts';
import { type ByteOrder, byteOrderOf } from './byte-order.ts';

/** The tags of a TIFF directory that are needed to find a picture (TIFF 6.0, TIFF/EP; `jpegFromRaw` is Panasonic's). */
const tags = {
  jpegFromRaw: 0x2e,
  width: 0x100,
  height: 0x101,
  bitsPerSample: 0x102,
  compression: 0x103,
  photometric: 0x106,
  stripOffsets: 0x111,
  orientation: 0x112,
  samplesPerPixel: 0x115,
  stripByteCounts: 0x117,
  subDirectories: 0x14a,
  jpegOffset: 0x201,
  jpegLength: 0x202,
} as const;
export type TagName = keyof typeof tags;
const names = new Map<number, TagName>(Object.entries(tags).map(([name, tag]) => [tag, name as TagName]));

/** Size of one value in bytes, by type number, for the types of offsets, counts and small numbers. */
const typeBytes = new Map([
  [1, 1],
  [3, 2],
  [4, 4],
  [7, 1],
  [13, 4],
]);

/** The position of an entry's bytes. */
interface Field {
  readonly type: number;
  readonly count: number;
  /** Offset in the file, in bytes. */
  readonly position: number;
}

/** One directory, which describes one picture. */
export interface Directory {
  /** Returns the first value of an entry, or null. */
  numberOf(name: TagName): number | null;
  /** Returns all values of an entry; none when it is missing, exceeds the limit, or has an unknown type. */
  numbersOf(name: TagName): readonly number[];
  /** Returns the position of an entry's bytes, or null. */
  fieldOf(name: TagName): Field | null;
}

/** Maximum numbers of directories per file, entries per directory, and values per entry. Real files have far fewer. */
const maxDirectories = 48;
const maxEntries = 1024;
const maxValues = 4096;

/** Whether `value` is an EXIF orientation. */
export const isOrientation = (value: number | null): value is number =>
  value !== null && value >= 1 && value <= 8;

/** 42 for TIFF and formats based on it; 0x55 for Panasonic's RW2; `RO` and `RS` for Olympus. */
const magics = new Set([42, 0x55, 0x4f52, 0x5352]);

function valuesIn(order: ByteOrder, type: number, count: number, bytes: Buffer): number[] {
  const width = typeBytes.get(type) ?? 1;
  const values: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = index * width;
    values.push(
      width === 1 ? bytes.readUInt8(at) : width === 2 ? order.u16(bytes, at) : order.u32(bytes, at),
    );
  }
  return values;
}

async function readDirectory(
  reader: BoundedReader,
  order: ByteOrder,
  position: number,
): Promise<{ directory: Directory; next: number }> {
  const count = order.u16(await reader.read(position, 2), 0);
  if (count > maxEntries) throw new UnusableFileError('has too many entries');
  const table = await reader.read(position + 2, count * 12);
  const fields = new Map<TagName, Field>();
  const values = new Map<TagName, readonly number[]>();
  for (let at = 0; at < table.length; at += 12) {
    const name = names.get(order.u16(table, at));
    const type = order.u16(table, at + 2);
    const width = typeBytes.get(type);
    const length = order.u32(table, at + 4);
    if (name === undefined || width === undefined || fields.has(name)) continue;
    const isInline = length * width <= 4;
    const field = {
      type,
      count: length,
      position: isInline ? position + 2 + at + 8 : order.u32(table, at + 8),
    };
    fields.set(name, field);
    if (length > maxValues || name === 'jpegFromRaw') continue;
    const isInFile = isInline || field.position + length * width <= reader.size;
    if (!isInFile) continue;
    const bytes = isInline
      ? table.subarray(at + 8, at + 12)
      : await reader.read(field.position, length * width);
    values.set(name, valuesIn(order, type, length, bytes));
  }
  const end = position + 2 + table.length;
  const next = end + 4 <= reader.size ? order.u32(await reader.read(end, 4), 0) : 0;
  return {
    directory: {
      numberOf: (name) => values.get(name)?.[0] ?? null,
      numbersOf: (name) => values.get(name) ?? [],
      fieldOf: (name) => fields.get(name) ?? null,
    },
    next,
  };
}

/**
 * Reads all directories of a TIFF file once, including nested ones; the first one describes the whole file. Throws
 * {@link UnusableFileError} when it is not a TIFF file. Broken directories after the first are skipped.
 */
export async function readDirectories(
  reader: BoundedReader,
  { followsChain = true }: { followsChain?: boolean } = {},
): Promise<Directory[]> {
  const head = await reader.read(0, 8);
  const order = byteOrderOf(head);
  if (order === null || !magics.has(order.u16(head, 2))) throw new UnusableFileError('is not a TIFF file');
  const pending = [order.u32(head, 4)];
  const seen = new Set<number>([0]);
  const found: Directory[] = [];
  for (let position = pending.shift(); position !== undefined; position = pending.shift()) {
    if (seen.has(position) || found.length >= maxDirectories) continue;
    seen.add(position);
    try {
      const { directory, next } = await readDirectory(reader, order, position);
      found.push(directory);
      if (!followsChain) break;
      pending.push(...directory.numbersOf('subDirectories').slice(0, maxDirectories), next);
    } catch (error) {
      if (found.length === 0 || !(error instanceof UnusableFileError)) throw error;
    }
  }
  return found;
}

/** Returns the EXIF orientation in the first directory of a TIFF file; null when it has none or is malformed. */
export async function readOrientation(reader: BoundedReader): Promise<number | null> {
  try {
    const [first] = await readDirectories(reader, { followsChain: false });
    const value = first?.numberOf('orientation') ?? null;
    return isOrientation(value) ? value : null;
  } catch (error) {
    if (error instanceof UnusableFileError) return null;
    throw error;
  }
}
