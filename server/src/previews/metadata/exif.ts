import type { Position } from '@filestead/contract/previews';
import { type BoundedReader, UnusableFileError } from '../embedded/bounded-reader.ts';
import { type ByteOrder, byteOrderOf } from '../embedded/byte-order.ts';
import { cleanText, decodeText } from './media-text.ts';
import { omitUndefined } from './omit-undefined.ts';

/** The properties of a picture that EXIF data contain; absent ones are unknown. */
export interface Exif {
  /** 1 to 8. */
  orientation?: number;
  /** Local time of the camera, without a time zone: `2026-11-15T14:21:07`. */
  taken?: string;
  camera?: string;
  lens?: string;
  focalLengthMm?: number;
  aperture?: number;
  exposureSeconds?: number;
  iso?: number;
  position?: Position;
}

/** The tags of the picture and of its exposure that are read (Exif 2.32 §4.6). */
const tags = {
  make: 0x10f,
  model: 0x110,
  orientation: 0x112,
  changed: 0x132,
  exif: 0x8769,
  gps: 0x8825,
  exposureTime: 0x829a,
  fNumber: 0x829d,
  iso: 0x8827,
  taken: 0x9003,
  digitized: 0x9004,
  focalLength: 0x920a,
  lensModel: 0xa434,
} as const;
/** The tags of the position that are read (Exif 2.32 §4.6.6). Their numbers mean something else in the other directories. */
const positionTags = { latitudeRef: 1, latitude: 2, longitudeRef: 3, longitude: 4 } as const;
type TagName = keyof typeof tags | keyof typeof positionTags;

const namesOf = (numbers: Readonly<Partial<Record<TagName, number>>>): ReadonlyMap<number, TagName> =>
  new Map(Object.entries(numbers).map(([name, tag]) => [tag, name as TagName]));
const names = namesOf(tags);
const positionNames = namesOf(positionTags);

/** Size of one value in bytes, by type number: text, 16 and 32 bits, fractions, undefined bytes. */
const typeBytes = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [7, 1],
  [10, 8],
]);

/** Maximum numbers of entries of a directory and of bytes of a value. Real files have far fewer. */
const maxEntries = 512;
const maxValueBytes = 512;

interface Value {
  readonly type: number;
  readonly bytes: Buffer;
}

type Directory = ReadonlyMap<TagName, Value>;

/** Reads EXIF data in TIFF form; at most three directories, so that references in a circle do no harm. */
class ExifReader {
  readonly #reader: BoundedReader;
  readonly #order: ByteOrder;

  constructor(reader: BoundedReader, order: ByteOrder) {
    this.#reader = reader;
    this.#order = order;
  }

  /** Reads the entries of the directory at `position` that `known` names. Values outside the file are left out. */
  async directory(position: number, known = names): Promise<Directory> {
    const count = this.#order.u16(await this.#reader.read(position, 2), 0);
    if (count > maxEntries) throw new UnusableFileError('has too many entries');
    const table = await this.#reader.read(position + 2, count * 12);
    const found = new Map<TagName, Value>();
    for (let at = 0; at < table.length; at += 12) {
      const name = known.get(this.#order.u16(table, at));
      const type = this.#order.u16(table, at + 2);
      const length = (typeBytes.get(type) ?? 0) * this.#order.u32(table, at + 4);
      if (name === undefined || length === 0 || length > maxValueBytes || found.has(name)) continue;
      const start = this.#order.u32(table, at + 8);
      if (length > 4 && start + length > this.#reader.size) continue;
      const bytes =
        length <= 4 ? table.subarray(at + 8, at + 8 + length) : await this.#reader.read(start, length);
      found.set(name, { type, bytes });
    }
    return found;
  }

  /** Returns the first number of a value; null without one. */
  number(value: Value | undefined): number | null {
    if (value === undefined) return null;
    const { type, bytes } = value;
    if (type === 3) return this.#order.u16(bytes, 0);
    if (type === 4) return this.#order.u32(bytes, 0);
    if (type !== 5) return null;
    return this.#fraction(bytes, 0);
  }

  /** Returns degrees, minutes and seconds as degrees; null for anything else. */
  degrees(value: Value | undefined): number | null {
    if (value?.type !== 5 || value.bytes.length < 24) return null;
    const [degrees, minutes, seconds] = [0, 8, 16].map((at) => this.#fraction(value.bytes, at));
    if (degrees == null) return null;
    // Cameras without seconds write 0/0 in their place.
    return degrees + (minutes ?? 0) / 60 + (seconds ?? 0) / 3600;
  }

  #fraction(bytes: Buffer, at: number): number | null {
    const divisor = this.#order.u32(bytes, at + 4);
    return divisor === 0 ? null : this.#order.u32(bytes, at) / divisor;
  }
}

const textOf = (value: Value | undefined): string | undefined =>
  value?.type === 2 ? cleanText(decodeText(value.bytes)) : undefined;

/** Returns a date of EXIF (`2026:11:15 14:21:07`) as local time in RFC 3339; undefined if it is not a date. */
export function exifTime(text: string | undefined): string | undefined {
  const [, year, month, day, time] =
    /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text ?? '') ?? [];
  if (year === undefined || Number(year) < 1800) return undefined;
  const local = `${year}-${month}-${day}T${time}`;
  // The 31st of February is a date of a broken camera.
  const parsed = Date.parse(`${local}Z`);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(local) ? local : undefined;
}

/** Returns a positive number up to `most`, rounded to `digits` significant digits; undefined for any other. */
function numberUpTo(value: number | null, most: number, digits = 6): number | undefined {
  return value !== null && value > 0 && value <= most ? Number(value.toPrecision(digits)) : undefined;
}

/** Returns the name of the camera; models often begin with the name of the maker. */
function cameraOf(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return model ?? make;
  const [maker = ''] = make.split(' ');
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model : cleanText(`${make} ${model}`);
}

/** Reads EXIF data from `reader`, which begins with their TIFF header; empty when they are malformed. */
export async function readExif(reader: BoundedReader): Promise<Exif> {
  try {
    const head = await reader.read(0, 8);
    const order = byteOrderOf(head);
    if (order === null) return {};
    const exif = new ExifReader(reader, order);
    const main = await exif.directory(order.u32(head, 4));
    const photo = await innerDirectory(exif, exif.number(main.get('exif')), names);
    const place = await innerDirectory(exif, exif.number(main.get('gps')), positionNames);
    const orientation = exif.number(main.get('orientation'));
    return omitUndefined<Exif>({
      orientation: orientation !== null && orientation >= 1 && orientation <= 8 ? orientation : undefined,
      taken:
        exifTime(textOf(photo.get('taken'))) ??
        exifTime(textOf(photo.get('digitized'))) ??
        exifTime(textOf(main.get('changed'))),
      camera: cameraOf(textOf(main.get('make')), textOf(main.get('model'))),
      lens: textOf(photo.get('lensModel')),
      focalLengthMm: numberUpTo(exif.number(photo.get('focalLength')), 10_000, 4),
      aperture: numberUpTo(exif.number(photo.get('fNumber')), 256, 3),
      exposureSeconds: numberUpTo(exif.number(photo.get('exposureTime')), 86_400),
      iso: Math.round(numberUpTo(exif.number(photo.get('iso')), 10_000_000) ?? 0) || undefined,
      position: positionOf(exif, place),
    });
  } catch (error) {
    if (error instanceof UnusableFileError) return {};
    throw error;
  }
}

/** Returns the position at which a picture was taken; undefined when it is incomplete, impossible, or the 0/0 of a camera without one. */
function positionOf(exif: ExifReader, place: Directory): Exif['position'] {
  const latitude = exif.degrees(place.get('latitude'));
  const longitude = exif.degrees(place.get('longitude'));
  const [north, east] = [textOf(place.get('latitudeRef')), textOf(place.get('longitudeRef'))];
  if (latitude === null || longitude === null || latitude > 90 || longitude > 180) return undefined;
  if ((latitude === 0 && longitude === 0) || !/^[NS]$/.test(north ?? '') || !/^[EW]$/.test(east ?? ''))
    return undefined;
  // About a meter.
  const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;
  return {
    latitude: rounded(north === 'S' ? -latitude : latitude),
    longitude: rounded(east === 'W' ? -longitude : longitude),
  };
}

/** Reads a directory to which another one refers; a missing or broken one leaves the others readable. */
async function innerDirectory(
  exif: ExifReader,
  position: number | null,
  known: ReadonlyMap<number, TagName>,
): Promise<Directory> {
  if (position === null) return new Map();
  try {
    return await exif.directory(position, known);
  } catch (error) {
    if (error instanceof UnusableFileError) return new Map();
    throw error;
  }
}
