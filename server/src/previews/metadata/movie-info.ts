import type { BoundedReader } from '../embedded/bounded-reader.ts';
import { boxAt } from '../embedded/boxes.ts';
import { boxesBetween, findBox } from './heif-size.ts';
import { cleanText, decodeText } from './media-text.ts';
import { present } from './exif.ts';

/** The properties of a recording. */
export interface Recording {
  /** Pixels, as shown; absent without a picture. */
  width?: number;
  height?: number;
  seconds?: number;
  /** UTC. */
  taken?: string;
  title?: string;
  artist?: string;
  album?: string;
}

/** Seconds between the epochs of QuickTime (1904) and Unix (1970). */
const macEpochSeconds = 2_082_844_800;
/** Longer durations are considered errors of the header. */
const maxSeconds = 1_000_000;
/** Maximum size of the list of tags in a recording, which may contain a cover. */
const maxTagBytes = 1024 * 1024;

/** Returns a duration rounded to a tenth of a second; undefined when it is impossible. */
export const plausibleSeconds = (seconds: number): number | undefined =>
  seconds >= 0.1 && seconds <= maxSeconds ? Math.round(seconds * 10) / 10 : undefined;

/** Formats Unix seconds in UTC; undefined for times before 1990, when there were no such files. */
export function plausibleTime(seconds: number): string | undefined {
  const isPlausible = seconds > 631_152_000 && seconds < 4_102_444_800;
  return isPlausible ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : undefined;
}

/** Reads the movie header: creation time and duration (ISO/IEC 14496-12 §8.2.2). */
function movieHeader(bytes: Buffer): Recording {
  const isLong = bytes.readUInt8(0) === 1;
  if (bytes.length < (isLong ? 32 : 20)) return {};
  const created = isLong ? Number(bytes.readBigUInt64BE(4)) : bytes.readUInt32BE(4);
  const timescale = bytes.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16);
  return present<Recording>({
    taken: plausibleTime(created - macEpochSeconds),
    seconds: timescale === 0 ? undefined : plausibleSeconds(duration / timescale),
  });
}

/** Reads the size of a track from its header, turned as its matrix says; null for sound (ISO/IEC 14496-12 §8.3.2). */
function trackSize(bytes: Buffer): { width: number; height: number } | null {
  const at = bytes.readUInt8(0) === 1 ? 52 : 40;
  if (bytes.length < at + 44) return null;
  const isTurned = bytes.readInt32BE(at) === 0 && bytes.readInt32BE(at + 16) === 0;
  const width = Math.round(bytes.readUInt32BE(at + 36) / 65_536);
  const height = Math.round(bytes.readUInt32BE(at + 40) / 65_536);
  if (width === 0 || height === 0) return null;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** Reads the tags of MP4 audio. */
function tagsIn(userData: Buffer): Recording {
  const list = boxAt(userData, ['meta', 'ilst'], { meta: 4 });
  if (list === null) return {};
  const textOf = (type: string): string | undefined => {
    const data = boxAt(list, [type, 'data']);
    return data === null || data.length <= 8 ? undefined : cleanText(decodeText(data.subarray(8)));
  };
  return present<Recording>({
    title: textOf('\xa9nam'),
    artist: textOf('\xa9ART') ?? textOf('aART'),
    album: textOf('\xa9alb'),
  });
}

/** Reads the header of an MP4 or QuickTime file; null without one. Only headers of boxes are read, wherever they are. */
export async function readMp4(reader: BoundedReader): Promise<Recording | null> {
  const movie = await findBox(reader, 'moov');
  if (movie === null) return null;
  const found: Recording = {};
  for await (const box of boxesBetween(reader, movie.start, movie.end)) {
    const length = box.end - box.start;
    if (box.type === 'mvhd' && length >= 20)
      Object.assign(found, movieHeader(await reader.read(box.start, Math.min(length, 128))));
    if (box.type === 'trak' && found.width === undefined) {
      const header = await findBox(reader, 'tkhd', { start: box.start, end: box.end });
      if (header === null || header.end - header.start < 84) continue;
      const bytes = await reader.read(header.start, Math.min(header.end - header.start, 128));
      Object.assign(found, trackSize(bytes));
    }
    if (box.type === 'udta' && length <= maxTagBytes)
      Object.assign(found, tagsIn(await reader.read(box.start, length)));
  }
  return found;
}

/** The elements of Matroska and WebM that are read (RFC 9559 §5). */
const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  date: 0x4461,
  title: 0x7ba9,
  tracks: 0x1654ae6b,
  track: 0xae,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  cluster: 0x1f43b675,
} as const;
/** Unix seconds of the year 2001, from which Matroska counts. */
const matroskaEpochSeconds = 978_307_200;
/** Maximum size of an element that is read whole, and number of elements beside each other. */
const maxElementBytes = 256 * 1024;
const maxElements = 128;

interface Element {
  readonly id: number;
  readonly start: number;
  /** Infinity when unknown. */
  readonly end: number;
}

/** Reads the header of the element at `at`; null when it is broken (RFC 8794 §5). */
function elementAt(bytes: Buffer, at: number, offset: number): Element | null {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23;
  if (idLength > 4 || at + idLength >= bytes.length) return null;
  const id = bytes.readUIntBE(at, idLength);
  const sizeAt = at + idLength;
  const first = bytes[sizeAt] ?? 0;
  const sizeLength = Math.clz32(first) - 23;
  if (sizeLength > 8 || sizeAt + sizeLength > bytes.length) return null;
  let size = first & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let index = 1; index < sizeLength; index += 1) {
    const byte = bytes[sizeAt + index] ?? 0;
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  const start = offset + idLength + sizeLength;
  return { id, start, end: isUnknown ? Infinity : start + size };
}

/** Returns the elements in `bytes`. */
function elementsIn(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length && found.length < maxElements;) {
    const element = elementAt(bytes, at, at);
    if (element === null || element.end > bytes.length) break;
    found.push(element);
    at = element.end;
  }
  return found;
}

const contentOf = (bytes: Buffer, id: number): Buffer | null => {
  const element = elementsIn(bytes).find((candidate) => candidate.id === id);
  return element === undefined ? null : bytes.subarray(element.start, element.end);
};

function unsigned(bytes: Buffer | null): number {
  let value = 0;
  for (const byte of bytes?.subarray(0, 8) ?? []) value = value * 256 + byte;
  return value;
}

function matroskaInfo(info: Buffer): Recording {
  const scale = unsigned(contentOf(info, ids.timestampScale)) || 1_000_000;
  const length = contentOf(info, ids.duration);
  const duration =
    length?.length === 8 ? length.readDoubleBE(0) : length?.length === 4 ? length.readFloatBE(0) : 0;
  const date = contentOf(info, ids.date);
  const title = contentOf(info, ids.title);
  return present<Recording>({
    seconds: plausibleSeconds((duration * scale) / 1e9),
    taken:
      date?.length === 8
        ? plausibleTime(Number(date.readBigInt64BE(0)) / 1e9 + matroskaEpochSeconds)
        : undefined,
    title: title === null ? undefined : cleanText(decodeText(title)),
  });
}

function matroskaTracks(tracks: Buffer): Recording {
  for (const track of elementsIn(tracks).filter(({ id }) => id === ids.track)) {
    const video = contentOf(tracks.subarray(track.start, track.end), ids.video);
    if (video === null) continue;
    const [width, height] = [unsigned(contentOf(video, ids.width)), unsigned(contentOf(video, ids.height))];
    if (width > 0 && height > 0) return { width, height };
  }
  return {};
}

/** Reads the header of a Matroska or WebM file; null without one. */
export async function readMatroska(reader: BoundedReader): Promise<Recording | null> {
  const headerAt = async (at: number): Promise<Element | null> =>
    elementAt(await reader.read(at, Math.min(12, reader.size - at)), 0, at);
  const head = await headerAt(0);
  if (head === null || head.end + 2 > reader.size) return null;
  const segment = await headerAt(head.end);
  if (segment?.id !== ids.segment) return null;
  const found: Recording = {};
  const end = Math.min(reader.size, segment.end);
  for (let at = segment.start, count = 0; at + 2 <= end && count < maxElements; count += 1) {
    const element = await headerAt(at);
    if (element === null || element.id === ids.cluster || element.end > end) break;
    const length = element.end - element.start;
    if (length <= maxElementBytes && (element.id === ids.info || element.id === ids.tracks)) {
      const bytes = await reader.read(element.start, length);
      Object.assign(found, element.id === ids.info ? matroskaInfo(bytes) : matroskaTracks(bytes));
    }
    at = element.end;
  }
  return found;
}
