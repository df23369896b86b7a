import type { BoundedReader } from '../embedded/bounded-reader.ts';
import { boxAt, boxesBetween, findBox } from '../embedded/boxes.ts';
import { cleanText, decodeText } from './media-text.ts';
import { omitUndefined } from './omit-undefined.ts';
import { plausibleSeconds, plausibleTime, type Recording } from './recording.ts';

/** Seconds between the epochs of QuickTime (1904) and Unix (1970). */
const macEpochSeconds = 2_082_844_800;
/** Maximum size of the list of tags in a recording, which may contain a cover. */
const maxTagBytes = 1024 * 1024;

/** Reads the movie header: creation time and duration (ISO/IEC 14496-12 §8.2.2). */
function movieHeader(bytes: Buffer): Recording {
  const isLong = bytes.readUInt8(0) === 1;
  if (bytes.length < (isLong ? 32 : 20)) return {};
  const created = isLong ? Number(bytes.readBigUInt64BE(4)) : bytes.readUInt32BE(4);
  const timescale = bytes.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16);
  return omitUndefined<Recording>({
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
  return omitUndefined<Recording>({
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
