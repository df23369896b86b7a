import { ownMediaTypes } from '@filestead/contract/values/media-types';
import { pictureFormats } from '@filestead/contract/values/picture-formats';
import { extensionOf } from '@filestead/contract/paths/virtual-path';
import mime from 'mime';
import { utf16ByMark } from './byte-order-mark.ts';

const own = new Map<string, string>(
  Object.entries(ownMediaTypes).flatMap(([mediaType, extensions]) =>
    extensions.map((extension) => [extension, mediaType] as const),
  ),
);
for (const [extension, { mediaType }] of pictureFormats) {
  if (mediaType !== undefined) own.set(extension, mediaType);
}

/** The media type of an extension (with or without its dot, case-insensitive), or null if it is unknown. */
export function mediaTypeOfExtension(extension: string): string | null {
  const bare = extension.replace(/^\./, '').toLowerCase();
  if (bare === '') return null;
  return own.get(bare) ?? mime.getType(bare);
}

/** The media type of a file by its name, or null. */
export const mediaTypeOfName = (name: string): string | null => mediaTypeOfExtension(extensionOf(name));

/** Number of bytes that are inspected at the beginning of a file (docs/reference/filebrowser-api.md §1.5). */
export const sniffedBytes = 512;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the number of bytes at the end of `head` that belong to a truncated character. */
function cutCharacterLength(head: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, head.length); back++) {
    const byte = head[head.length - back] ?? 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
    if (byte < 0x80) return 0;
  }
  return 0;
}

/**
 * Whether the beginning of a file is not text: it contains a code point up to 8, or bytes that are not UTF-8.
 * A character truncated at the end of `head` is ignored (docs/reference/filebrowser-api.md §1.5).
 */
export function looksBinary(head: Uint8Array): boolean {
  if (head.some((byte) => byte <= 8)) return true;
  try {
    utf8.decode(head.subarray(0, head.length - cutCharacterLength(head)));
    return false;
  } catch {
    return true;
  }
}

/**
 * Whether a byte occurs in no text of any ASCII-compatible encoding ("binary data byte" of the MIME Sniffing
 * Standard).
 */
const isBinaryByte = (byte: number): boolean =>
  byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);

/**
 * Whether the beginning of a file may be text in any encoding: UTF-8, UTF-16 with a byte order mark, Latin-1
 * and others.
 */
export function mayBeText(head: Uint8Array): boolean {
  return utf16ByMark(head) !== null || !looksBinary(head) || !head.some(isBinaryByte);
}

/** [media type, offset in bytes, the bytes as Latin-1 text]; the first match wins. */
const signatures: readonly (readonly [string, number, string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBPVP'],
  ['image/bmp', 0, 'BM'],
  ['image/vnd.microsoft.icon', 0, '\0\0\x01\0'],
  ['image/avif', 4, 'ftypavif'],
  ['image/heic', 4, 'ftypheic'],
  ['application/pdf', 0, '%PDF-'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/ogg', 0, 'OggS\0'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/midi', 0, 'MThd\0\0\0\x06'],
  ['video/x-msvideo', 8, 'AVI '],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
];

/**
 * Detects the media type from the beginning of a file: a type that browsers do not execute, `text/plain` for
 * any text, otherwise `application/octet-stream`. Never returns HTML, SVG or a script type.
 */
export function sniffMediaType(head: Uint8Array): string {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 16)).toString('latin1');
  const isText = mayBeText(head);
  if (startsWithPdfHeader(head)) return 'application/pdf';
  // Text may also begin with "BM" or "ID3".
  const found = signatures.find(
    ([, offset, bytes]) => text.startsWith(bytes, offset) && !(isText && /^\p{ASCII}+$/u.test(bytes)),
  );
  return found?.[0] ?? (isText ? 'text/plain' : 'application/octet-stream');
}

/** Whether a file begins with the PDF signature. */
export const startsWithPdfHeader = (head: Uint8Array): boolean =>
  Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 5)).toString('latin1') === '%PDF-';
