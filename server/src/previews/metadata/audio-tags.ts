import { utf16ByMark } from '../../media-types/byte-order-mark.ts';
import type { BoundedReader } from '../embedded/bounded-reader.ts';
import { flacBlocks, flacBlockTypes } from '../embedded/flac-blocks.ts';
import { id3Frames } from '../embedded/id3-frames.ts';
import { cleanText, decodeText } from './media-text.ts';
import { omitUndefined } from './omit-undefined.ts';
import { plausibleSeconds, type Recording } from './recording.ts';

/** Maximum number of Vorbis comments that are examined. */
const maxComments = 128;
/** Maximum size of a text, and of all Vorbis comments. */
const maxTextBytes = 4096;
const maxCommentBytes = 256 * 1024;

type Tag = 'title' | 'artist' | 'album';

/** Frames of ID3v2 (id3.org, "ID3v2.4.0 - Native Frames" §4.2), and their names of three letters in version 2.2. */
const id3Tags: Readonly<Record<string, Tag>> = {
  TIT2: 'title',
  TT2: 'title',
  TPE1: 'artist',
  TP1: 'artist',
  TALB: 'album',
  TAL: 'album',
};

/** Decodes a text frame; its first byte is the encoding. */
function id3Text(frame: Buffer): string | undefined {
  const [encoding = 0] = frame;
  const text = frame.subarray(1);
  if (encoding === 1 || encoding === 2) {
    const label = encoding === 2 ? 'utf-16be' : (utf16ByMark(text) ?? 'utf-16le');
    return cleanText(new TextDecoder(label).decode(text));
  }
  return cleanText(encoding === 3 ? decodeText(text) : text.toString('latin1'));
}

/** Reads the title, artist and album of an ID3v2 tag. */
export async function readId3(reader: BoundedReader): Promise<Recording> {
  const found: Partial<Record<Tag, string | undefined>> = {};
  for await (const { id, start, end } of id3Frames(reader)) {
    const tag = id3Tags[id];
    if (tag !== undefined && end - start <= maxTextBytes)
      found[tag] ??= id3Text(await reader.read(start, end - start));
  }
  return omitUndefined<Recording>(found as Recording);
}

const vorbisFields: Readonly<Record<string, Tag>> = { TITLE: 'title', ARTIST: 'artist', ALBUM: 'album' };

/** Reads Vorbis comments (RFC 9639 §8.6): lengths of 32 bits, each followed by `NAME=text`. */
function vorbisComments(bytes: Buffer): Recording {
  const found: Partial<Record<Tag, string | undefined>> = {};
  if (bytes.length < 8) return {};
  let at = 4 + bytes.readUInt32LE(0);
  if (at + 4 > bytes.length) return {};
  at += 4;
  for (let count = 0; count < maxComments && at + 4 <= bytes.length; count += 1) {
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    const [name = '', ...text] = decodeText(bytes.subarray(at + 4, Math.min(end, at + maxTextBytes))).split(
      '=',
    );
    const tag = vorbisFields[name.toUpperCase()];
    if (tag !== undefined) found[tag] ??= cleanText(text.join('='));
    at = end;
  }
  return omitUndefined<Recording>(found as Recording);
}

/** Reads the title, artist, album and duration of a FLAC file (RFC 9639 §8). */
export async function readFlac(reader: BoundedReader): Promise<Recording> {
  const found: Recording = {};
  for await (const { type, start, length } of flacBlocks(reader)) {
    if (type === flacBlockTypes.streamInfo && length >= 18) {
      const stream = await reader.read(start, 18);
      const rate = stream.readUIntBE(10, 3) >>> 4;
      const samples = (stream.readUInt8(13) & 15) * 2 ** 32 + stream.readUInt32BE(14);
      const seconds = rate === 0 ? undefined : plausibleSeconds(samples / rate);
      Object.assign(found, omitUndefined<Recording>({ seconds }));
    }
    if (type === flacBlockTypes.comments && length <= maxCommentBytes)
      Object.assign(found, vorbisComments(await reader.read(start, length)));
  }
  return found;
}
