import { type BoundedReader, UnusableFileError } from './bounded-reader.ts';
import { boxAt, boxesIn, findBox } from './boxes.ts';
import { flacBlocks, flacBlockTypes } from './flac-blocks.ts';
import { id3Frames, isUnsynchronized } from './id3-frames.ts';
import type { PictureRange } from './pictures-at.ts';

/** Maximum size of a `moov` box that is searched for a cover. */
const maxMoovBytes = 16 * 1024 * 1024;
/** Distance from the start of its frame within which a cover has to begin: after media type, kind and description. */
const coverHeadBytes = 1024;

/** Signatures of the picture formats of covers. */
const signatures = [
  Buffer.from([0xff, 0xd8, 0xff]),
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from('GIF8', 'latin1'),
  Buffer.from('RIFF', 'latin1'),
];

/** Returns the picture between `start` and `end`; null when no signature is near `start`. */
async function pictureBetween(
  reader: BoundedReader,
  start: number,
  end: number,
): Promise<PictureRange | null> {
  const head = await reader.read(start, Math.min(coverHeadBytes, end - start));
  const found = signatures.map((bytes) => head.indexOf(bytes)).filter((at) => at >= 0);
  if (found.length === 0) return null;
  const position = start + Math.min(...found);
  return { position, length: end - position };
}

/** Finds the cover in an ID3v2 tag of MP3: frames `APIC`, or `PIC` in version 2.2. Unsynchronized tags are not supported. */
async function findInId3(reader: BoundedReader): Promise<PictureRange | null> {
  if (await isUnsynchronized(reader)) return null;
  for await (const { id, start, end } of id3Frames(reader))
    if (id === 'APIC' || id === 'PIC') return pictureBetween(reader, start, end);
  return null;
}

/** Finds the cover in FLAC (RFC 9639 §8.8). */
async function findInFlac(reader: BoundedReader): Promise<PictureRange | null> {
  for await (const { type, start, length } of flacBlocks(reader)) {
    const end = start + length;
    if (type === flacBlockTypes.picture && end <= reader.size) return pictureBetween(reader, start, end);
  }
  return null;
}

/** Finds the cover in MP4 audio: `covr` in the list of tags. */
async function findInBoxes(reader: BoundedReader): Promise<PictureRange | null> {
  const moov = await findBox(reader, 'moov');
  if (moov === null || moov.end - moov.start > maxMoovBytes) return null;
  const bytes = await reader.read(moov.start, moov.end - moov.start);
  const cover = boxAt(bytes, ['udta', 'meta', 'ilst', 'covr'], { meta: 4 });
  if (cover === null) return null;
  const data = boxesIn(cover).find(({ type }) => type === 'data');
  if (data === undefined || data.end - data.start <= 8) return null;
  // Positions of boxes are relative to `bytes`, which begin at `moov.start` in the file.
  const offset = moov.start + (cover.byteOffset - bytes.byteOffset);
  return { position: offset + data.start + 8, length: data.end - data.start - 8 };
}

/** Finds the cover of an audio file (MP3, FLAC, MP4 audio); null when there is none or the file is malformed. */
export async function findCover(reader: BoundedReader): Promise<PictureRange | null> {
  try {
    const head = (await reader.read(0, 12)).toString('latin1');
    if (head.startsWith('ID3')) return await findInId3(reader);
    if (head.startsWith('fLaC')) return await findInFlac(reader);
    return head.startsWith('ftyp', 4) ? await findInBoxes(reader) : null;
  } catch (error) {
    if (error instanceof UnusableFileError) return null;
    throw error;
  }
}
