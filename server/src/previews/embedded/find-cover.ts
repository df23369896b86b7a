import { type BoundedReader, UnusableFileError } from './bounded-reader.ts';
import { type Box, boxAt, boxesIn, readBox } from './boxes.ts';
import type { PictureRange } from './pictures-at.ts';

/** Maximum number of blocks, frames or boxes that are read. */
const maxParts = 256;
/** Maximum size of a tag or `moov` box that is searched for a cover. */
const maxTagBytes = 16 * 1024 * 1024;
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

/** Returns the 28-bit number at `at`, which has seven bits in each byte (ID3v2). */
const sevenBits = (bytes: Buffer, at: number): number =>
  ((bytes.readUInt8(at) & 0x7f) << 21) |
  ((bytes.readUInt8(at + 1) & 0x7f) << 14) |
  ((bytes.readUInt8(at + 2) & 0x7f) << 7) |
  (bytes.readUInt8(at + 3) & 0x7f);

/**
 * Finds the cover in an ID3v2 tag of MP3: frames `APIC`, or `PIC` in version 2.2 (id3.org, "ID3v2.4.0 - Main Structure"
 * §§3-4).
 */
async function findInId3(reader: BoundedReader): Promise<PictureRange | null> {
  const head = await reader.read(0, 10);
  const version = head.readUInt8(3);
  // Unsynchronized tags, in which each 0xFF is escaped, are not supported.
  if (version < 2 || version > 4 || (head.readUInt8(5) & 0x80) !== 0) return null;
  const end = Math.min(reader.size, 10 + sevenBits(head, 6));
  const [idBytes, headBytes] = version === 2 ? [3, 6] : [4, 10];
  let at = 10;
  if (version > 2 && (head.readUInt8(5) & 0x40) !== 0) {
    const extended = await reader.read(at, 4);
    at += version === 4 ? sevenBits(extended, 0) : extended.readUInt32BE(0) + 4;
  }
  for (let part = 0; part < maxParts && at + headBytes <= end; part += 1) {
    const frame = await reader.read(at, headBytes);
    const id = frame.toString('latin1', 0, idBytes);
    const length =
      version === 2 ? frame.readUIntBE(3, 3) : version === 3 ? frame.readUInt32BE(4) : sevenBits(frame, 4);
    const start = at + headBytes;
    if (length === 0 || start + length > end) return null;
    if (id === 'APIC' || id === 'PIC') return pictureBetween(reader, start, start + length);
    at = start + length;
  }
  return null;
}

/** Finds the cover in FLAC: the metadata block of type 6 (RFC 9639 §8.8). */
async function findInFlac(reader: BoundedReader): Promise<PictureRange | null> {
  let at = 4;
  for (let part = 0; part < maxParts && at + 4 <= reader.size; part += 1) {
    const head = await reader.read(at, 4);
    const length = head.readUIntBE(1, 3);
    const start = at + 4;
    const kind = head.readUInt8(0);
    if ((kind & 0x7f) === 6 && start + length <= reader.size)
      return pictureBetween(reader, start, start + length);
    if ((kind & 0x80) !== 0) return null;
    at = start + length;
  }
  return null;
}

/** Finds the cover in MP4 audio: `covr` in the list of tags. */
async function findInBoxes(reader: BoundedReader): Promise<PictureRange | null> {
  let moov: Box | null = null;
  for (let offset = 0, part = 0; offset + 16 <= reader.size && part < maxParts; part += 1) {
    const box = readBox(await reader.read(offset, 16), { at: 0, offset, limit: reader.size });
    if (box.type === 'moov') {
      moov = box;
      break;
    }
    offset = box.end;
  }
  if (moov === null || moov.end - moov.start > maxTagBytes) return null;
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
