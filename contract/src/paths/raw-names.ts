/**
 * Text form of names that are not valid UTF-8. A file system may allow any bytes in a name except `/` and NUL. In paths
 * and in JSON, each byte that is not part of valid UTF-8 is written as one private-use code point, U+10FE00 plus the
 * byte (U+10FE80 to U+10FEFF): the *escape* of that byte. Only bytes from 0x80 on have escapes, so an escape never
 * represents `/`, `.`, NUL or any other ASCII character. A name whose UTF-8 actually contains one of these code points
 * is written with an escape for each of its four bytes. Every name therefore has exactly one spelling, and every
 * spelling is one name; see {@link isNameSpelling}.
 */

/** The offset of an escape's code point from the byte that it represents. */
const escapeBase = 0x10fe00;
/** The first UTF-16 code unit of all escapes; few other characters share it. */
const escapeLead = '\uDBFF';
const escapes = /[\u{10FE80}-\u{10FEFF}]/u;
const runsOfEscapes = /[\u{10FE80}-\u{10FEFF}]+/gu;

/** Returns the byte that `codePoint` is the escape of; null for an ordinary character. */
function escapedByte(codePoint: number): number | null {
  const byte = codePoint - escapeBase;
  return byte >= 0x80 && byte <= 0xff ? byte : null;
}

/** Whether `text` contains escapes, that is, the name on the disk is not valid UTF-8. */
export const hasEscapedBytes = (text: string): boolean => text.includes(escapeLead) && escapes.test(text);

/** Replaces each run of escapes in `text` with the result of `replace` for its bytes. */
export const replaceEscapedBytes = (text: string, replace: (bytes: readonly number[]) => string): string =>
  text.includes(escapeLead)
    ? text.replace(runsOfEscapes, (run) =>
        replace(Array.from(run, (escape) => (escape.codePointAt(0) ?? 0) & 0xff)),
      )
    : text;

/** Returns the length of `codePoint` in UTF-8, in bytes. */
const utf8Length = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;

/** Returns the length of a name or path on the disk, in bytes; an escape counts as one. `text` must be well-formed. */
export function byteLengthOf(text: string): number {
  let length = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    length += escapedByte(codePoint) === null ? utf8Length(codePoint) : 1;
  }
  return length;
}

/** Returns the bytes of a name or path on the disk. `text` must be well-formed. */
export function bytesOfName(text: string): Uint8Array {
  const bytes = new Uint8Array(byteLengthOf(text));
  let end = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const byte = escapedByte(codePoint);
    const length = byte === null ? utf8Length(codePoint) : 1;
    if (length === 1) {
      bytes[end++] = byte ?? codePoint;
      continue;
    }
    bytes[end++] = ((0xf00 >> length) & 0xff) | (codePoint >> (6 * (length - 1)));
    for (let rest = length - 2; rest >= 0; rest--) bytes[end++] = 0x80 | ((codePoint >> (6 * rest)) & 0x3f);
  }
  return bytes;
}

/**
 * Returns the bounds of the second byte after `lead`, which exclude overlong forms, surrogates and code points above
 * U+10FFFF.
 */
function secondByteBounds(lead: number): readonly [least: number, most: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

/** Returns the code point whose valid UTF-8 form begins at `start` (Unicode 16.0, table 3-7); null if there is none. */
function codePointAt(bytes: Uint8Array, start: number): number | null {
  const lead = bytes[start] ?? 0;
  if (lead < 0x80) return lead;
  if (lead < 0xc2 || lead > 0xf4) return null;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const [least, most] = secondByteBounds(lead);
  let codePoint = lead & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const byte = bytes[start + i] ?? 0;
    if (i === 1 ? byte < least || byte > most : byte < 0x80 || byte > 0xbf) return null;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  return codePoint;
}

/** Converts the bytes of a name or path on the disk to text; the inverse of {@link bytesOfName}. */
export function nameOfBytes(bytes: Uint8Array): string {
  let text = '';
  for (let position = 0; position < bytes.length;) {
    const codePoint = codePointAt(bytes, position);
    if (codePoint === null || escapedByte(codePoint) !== null) {
      text += String.fromCodePoint(escapeBase + (bytes[position] ?? 0));
      position += 1;
    } else {
      text += String.fromCodePoint(codePoint);
      position += utf8Length(codePoint);
    }
  }
  return text;
}

/**
 * Whether `text` (well-formed) is the canonical spelling of a name or path. It is not if its escapes together form
 * valid UTF-8, which has to be written as the character itself: otherwise a file would have a second path, which rules
 * would not match.
 */
export const isNameSpelling = (text: string): boolean =>
  !hasEscapedBytes(text) || nameOfBytes(bytesOfName(text)) === text;
