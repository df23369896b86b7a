import { type BoundedReader, partOf, UnusableFileError } from '../embedded/bounded-reader.ts';
import { boxAt, boxesIn, findBox } from '../embedded/boxes.ts';
import { type Exif, readExif } from './exif.ts';
import type { StillHeader } from './still-header.ts';

/** Maximum size of the metadata, and number of items in them. */
const maxMetaBytes = 1024 * 1024;
const maxItems = 4096;

/** Returns the id of the item that contains EXIF data (ISO/IEC 14496-12 §8.11.6); null without one. */
function exifItem(meta: Buffer): number | null {
  const info = boxAt(meta, ['iinf'], {});
  if (info === null || info.length < 6) return null;
  const start = info.readUInt8(0) === 0 ? 6 : 8;
  for (const { type, start: at, end } of boxesIn(info, start).slice(0, maxItems)) {
    if (type !== 'infe' || end - at < 14) continue;
    const version = info.readUInt8(at);
    if (version < 2) continue;
    const id = version === 2 ? info.readUInt16BE(at + 4) : info.readUInt32BE(at + 4);
    const typeAt = at + (version === 2 ? 8 : 10);
    if (info.toString('latin1', typeAt, typeAt + 4) === 'Exif') return id;
  }
  return null;
}

/** Reads numbers of sizes that the box itself declares. */
class Cursor {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Returns the next number of `size` bytes; 0 for a size of 0. */
  take(size: number): number {
    const start = this.#at;
    this.#at += size;
    if (this.#at > this.#bytes.length) throw new UnusableFileError('has a truncated box');
    if (size === 0) return 0;
    return size === 8 ? Number(this.#bytes.readBigUInt64BE(start)) : this.#bytes.readUIntBE(start, size);
  }
}

/** Returns the position of an item in the file (ISO/IEC 14496-12 §8.11.3); null when it is elsewhere. */
function itemRange(meta: Buffer, wanted: number): { start: number; length: number } | null {
  const locations = boxAt(meta, ['iloc'], {});
  if (locations === null) return null;
  const cursor = new Cursor(locations);
  const version = cursor.take(1);
  cursor.take(3);
  const sizes = cursor.take(2);
  const offsetSize = sizes >> 12;
  const lengthSize = (sizes >> 8) & 15;
  const baseSize = (sizes >> 4) & 15;
  const indexSize = version === 0 ? 0 : sizes & 15;
  const isKnown = [offsetSize, lengthSize, baseSize, indexSize].every((size) => [0, 4, 8].includes(size));
  if (!isKnown || version > 2) return null;
  const count = Math.min(maxItems, cursor.take(version < 2 ? 2 : 4));
  for (let item = 0; item < count; item += 1) {
    const id = cursor.take(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : cursor.take(2) & 15;
    cursor.take(2);
    const base = cursor.take(baseSize);
    const extents = cursor.take(2);
    for (let extent = 0; extent < extents; extent += 1) {
      cursor.take(indexSize);
      const start = base + cursor.take(offsetSize);
      const length = cursor.take(lengthSize);
      if (id === wanted) return method === 0 ? { start, length } : null;
    }
  }
  return null;
}

async function exifIn(reader: BoundedReader, meta: Buffer): Promise<Exif> {
  const id = exifItem(meta);
  const range = id === null ? null : itemRange(meta, id);
  if (range === null || range.length < 12 || range.start + range.length > reader.size) return {};
  const skipped = 4 + (await reader.read(range.start, 4)).readUInt32BE(0);
  if (skipped + 8 > range.length) return {};
  return readExif(partOf(reader, range.start + skipped, range.length - skipped));
}

/**
 * Reads the header of a HEIC or AVIF file: the largest picture in it, which is the whole one where it consists of tiles; its rotation
 * and EXIF data (ISO/IEC 23008-12 §6.5).
 */
export async function readHeif(reader: BoundedReader): Promise<StillHeader | null> {
  const box = await findBox(reader, 'meta');
  if (box === null || box.end - box.start > maxMetaBytes || box.end - box.start < 4) return null;
  const meta = await reader.read(box.start + 4, box.end - box.start - 4);
  const properties = boxAt(meta, ['iprp', 'ipco']);
  if (properties === null) return null;
  let [width, height, turns] = [0, 0, 0];
  for (const { type, start, end } of boxesIn(properties)) {
    if (type === 'irot' && end - start >= 1) turns = properties.readUInt8(start) & 3;
    if (type !== 'ispe' || end - start < 12) continue;
    const [itsWidth, itsHeight] = [properties.readUInt32BE(start + 4), properties.readUInt32BE(start + 8)];
    if (itsWidth * itsHeight > width * height) [width, height] = [itsWidth, itsHeight];
  }
  if (width === 0 || height === 0) return null;
  // The rotation is a property of the picture; that of the EXIF data repeats it.
  const orientation = turns % 2 === 0 ? 1 : 6;
  return { ...(await exifIn(reader, meta)), width, height, orientation };
}
