import type { BoundedReader } from '../embedded/bounded-reader.ts';
import { present } from './exif.ts';
import { cleanText, decodeText } from './media-text.ts';
import { plausibleSeconds, type Recording } from './movie-info.ts';

/** Maximum number of frames or blocks that are examined, and maximum size of one that is read. */
const maxParts = 128;
const maxTextBytes = 4096;
const maxCommentBytes = 256 * 1024;

type Tag = 'title' | 'artist' | 'album';

/** Frames of ID3v2 (id3.org, "ID3v2.4.0 - Native Frames" §4.2), and their names of three letters in version 2.2. */
const id3Frames: Readonly<Record<string, Tag>> = {
  TIT2: 'title',
  TT2: 'title',
  TPE1: 'artist',
  TP1: 'artist',
  TALB: 'album',
  TAL: 'album',
};

/** Returns the 28-bit number at `at`, which has seven bits in each byte. */
const sevenBits = (bytes: Buffer, at: number): number =>
  [0, 1, 2, 3].reduce((value, index) => value * 128 + (bytes.readUInt8(at + index) & 0x7f), 0);

/** Decodes a text frame; its first byte is the encoding. */
function id3Text(frame: Buffer): string | undefined {
  const [encoding = 0] = frame;
  const text = frame.subarray(1);
  if (encoding === 1 || encoding === 2) {
    const isBigEndian = encoding === 2 || (text[0] === 0xfe && text[1] === 0xff);
    return cleanText(new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-16le').decode(text));
  }
  return cleanText(encoding === 3 ? decodeText(text) : text.toString('latin1'));
}

/** Reads the title, artist and album of an ID3v2 tag. */
export async function readId3(reader: BoundedReader): Promise<Recording> {
  const head = await reader.read(0, 10);
  const version = head.readUInt8(3);
  if (version < 2 || version > 4) return {};
  const end = Math.min(reader.size, 10 + sevenBits(head, 6));
  const [idBytes, headBytes] = version === 2 ? [3, 6] : [4, 10];
  let at = 10;
  if (version > 2 && (head.readUInt8(5) & 0x40) !== 0) {
    const extended = await reader.read(at, 4);
    at += version === 4 ? sevenBits(extended, 0) : extended.readUInt32BE(0) + 4;
  }
  const found: Partial<Record<Tag, string | undefined>> = {};
  for (let part = 0; part < maxParts && at + headBytes <= end; part += 1) {
    const frame = await reader.read(at, headBytes);
    const length =
      version === 2 ? frame.readUIntBE(3, 3) : version === 3 ? frame.readUInt32BE(4) : sevenBits(frame, 4);
    const start = at + headBytes;
    if (length === 0 || start + length > end) break;
    const tag = id3Frames[frame.toString('latin1', 0, idBytes)];
    if (tag !== undefined && length <= maxTextBytes) found[tag] ??= id3Text(await reader.read(start, length));
    at = start + length;
  }
  return present<Recording>(found as Recording);
}

const vorbisFields: Readonly<Record<string, Tag>> = { TITLE: 'title', ARTIST: 'artist', ALBUM: 'album' };

/** Reads Vorbis comments (RFC 9639 §8.6): lengths of 32 bits, each followed by `NAME=text`. */
function vorbisComments(bytes: Buffer): Recording {
  const found: Partial<Record<Tag, string | undefined>> = {};
  if (bytes.length < 8) return {};
  let at = 4 + bytes.readUInt32LE(0);
  if (at + 4 > bytes.length) return {};
  at += 4;
  for (let part = 0; part < maxParts && at + 4 <= bytes.length; part += 1) {
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    const [name = '', ...text] = decodeText(bytes.subarray(at + 4, Math.min(end, at + maxTextBytes))).split(
      '=',
    );
    const tag = vorbisFields[name.toUpperCase()];
    if (tag !== undefined) found[tag] ??= cleanText(text.join('='));
    at = end;
  }
  return present<Recording>(found as Recording);
}

/** Reads the title, artist, album and duration of a FLAC file (RFC 9639 §8). */
export async function readFlac(reader: BoundedReader): Promise<Recording> {
  const found: Recording = {};
  for (let at = 4, part = 0; part < maxParts && at + 4 <= reader.size; part += 1) {
    const head = await reader.read(at, 4);
    const kind = head.readUInt8(0);
    const length = head.readUIntBE(1, 3);
    if ((kind & 0x7f) === 0 && length >= 18) {
      const stream = await reader.read(at + 4, 18);
      const rate = stream.readUIntBE(10, 3) >>> 4;
      const samples = (stream.readUInt8(13) & 15) * 2 ** 32 + stream.readUInt32BE(14);
      const seconds = rate === 0 ? undefined : plausibleSeconds(samples / rate);
      Object.assign(found, present<Recording>({ seconds }));
    }
    if ((kind & 0x7f) === 4 && length <= maxCommentBytes)
      Object.assign(found, vorbisComments(await reader.read(at + 4, length)));
    if ((kind & 0x80) !== 0) break;
    at += 4 + length;
  }
  return found;
}
