import type { BoundedReader } from '../embedded/bounded-reader.ts';
import { cleanText, decodeText } from './media-text.ts';
import { omitUndefined } from './omit-undefined.ts';
import { plausibleSeconds, plausibleTime, type Recording } from './recording.ts';

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
  return omitUndefined<Recording>({
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
