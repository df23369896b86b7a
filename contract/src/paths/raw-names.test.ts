import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteLengthOf, bytesOfName, hasEscapedBytes, isNameSpelling, nameOfBytes } from './raw-names.ts';
import { encodePath, parseEncodedPath, parsePath, virtualPath } from './virtual-path.ts';

/** The UTF-8 bytes of `text`, according to `encodeURIComponent`. */
const utf8 = (text: string): number[] =>
  Array.from(encodeURIComponent(text).matchAll(/%(..)|(.)/g), ([, hex, plain = '']) =>
    hex === undefined ? plain.charCodeAt(0) : Number.parseInt(hex, 16),
  );
const bytes = (...values: (number | string)[]): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => (typeof value === 'number' ? [value] : utf8(value))));

function isUtf8(name: Uint8Array): boolean {
  try {
    decodeURIComponent(Array.from(name, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
    return true;
  } catch {
    return false;
  }
}

const escape = (...values: number[]): string =>
  String.fromCodePoint(...values.map((byte) => 0x10fe00 + byte));

/** Arbitrary names in bytes, often with sequences that are almost valid UTF-8. */
const anyName = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      fc.string({ unit: 'binary' }).map((text) => bytes(text.toWellFormed())),
      fc.integer({ min: 0x10fe7e, max: 0x10ff01 }).map((code) => bytes(String.fromCodePoint(code))),
      fc.constantFrom(
        bytes(0xc3),
        bytes(0xa9),
        bytes(0xe0, 0x80),
        bytes(0xed, 0xa0, 0x80),
        bytes(0xf4, 0x90),
      ),
    ),
  )
  .map((pieces) => bytes(...pieces.flatMap((piece) => [...piece])));

describe('nameOfBytes', () => {
  test.each<[string, Uint8Array, string]>([
    ['Latin-1', bytes('caf', 0xe9, '.txt'), `caf${escape(0xe9)}.txt`],
    ['bytes that never occur in UTF-8', bytes(0xff, 0xfe), escape(0xff, 0xfe)],
    ['an overlong slash', bytes(0xc0, 0xaf), escape(0xc0, 0xaf)],
    ['an overlong NUL', bytes(0xe0, 0x80, 0x80), escape(0xe0, 0x80, 0x80)],
    ['an encoded surrogate', bytes(0xed, 0xa0, 0x80), escape(0xed, 0xa0, 0x80)],
    [
      'a pair of encoded surrogates (CESU-8)',
      bytes(0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80),
      escape(0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80),
    ],
    ['a code point beyond U+10FFFF', bytes(0xf4, 0x90, 0x80, 0x80), escape(0xf4, 0x90, 0x80, 0x80)],
    ['a truncated sequence', bytes('a', 0xe2, 0x82), `a${escape(0xe2, 0x82)}`],
    ['a character after a truncated sequence', bytes(0xe2, 0x82, 'é'), `${escape(0xe2, 0x82)}é`],
    ['UTF-8', bytes('日本 é 😀 \uFFFD'), '日本 é 😀 \uFFFD'],
    ['the character that is an escape', bytes('\u{10FE80}'), escape(0xf4, 0x8f, 0xba, 0x80)],
    ['the characters just outside the escape range', bytes('\u{10FE7F}\u{10FF00}'), '\u{10FE7F}\u{10FF00}'],
  ])('spells %s', (_, name, text) => {
    expect(nameOfBytes(name)).toBe(text);
    expect(bytesOfName(text)).toEqual(name);
    expect(isNameSpelling(text)).toBe(true);
  });

  test('maps each name to a unique spelling that is well-formed, survives URLs and NFC, and converts back', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const text = nameOfBytes(name);
        expect(bytesOfName(text)).toEqual(name);
        expect(byteLengthOf(text)).toBe(name.length);
        expect(text.isWellFormed()).toBe(true);
        expect(isNameSpelling(text)).toBe(true);
        expect(decodeURIComponent(encodeURIComponent(text))).toBe(text);
        expect(JSON.parse(JSON.stringify(text))).toBe(text);
        if (!isUtf8(name)) expect(hasEscapedBytes(text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('produces escapes that Unicode normalization and case conversion do not change', () => {
    for (let byte = 0x80; byte <= 0xff; byte++) {
      for (const text of [escape(byte), `e${escape(byte)}\u0301`, `${escape(byte)}\u0327\u0301`]) {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
          expect(text.normalize(form)).toContain(escape(byte));
        expect(escape(byte).toUpperCase().toLowerCase()).toBe(escape(byte));
      }
    }
  });

  test('never escapes an ASCII character', () => {
    for (let byte = 0; byte < 0x80; byte++) {
      expect(hasEscapedBytes(nameOfBytes(bytes(byte)))).toBe(false);
      expect(bytesOfName(String.fromCodePoint(0x10fe00 + byte))).toHaveLength(4);
    }
  });
});

describe('a path with escapes', () => {
  test.each<[string, string]>([
    ['é', escape(0xc3, 0xa9)],
    ['é inside a name', `caf${escape(0xc3, 0xa9)}.txt`],
    ['é after a byte that is not UTF-8', escape(0xff, 0xc3, 0xa9)],
    ['a Euro sign', escape(0xe2, 0x82, 0xac)],
    ['a character beyond the BMP', escape(0xf0, 0x9f, 0x98, 0x80)],
  ])('is refused if it is a second spelling of %s', (_, text) => {
    expect(isNameSpelling(text)).toBe(false);
    expect(() => parsePath(`/docs/${text}`)).toThrow('second spelling');
    expect(() => parseEncodedPath(encodePath(`/${text}/a`))).toThrow('second spelling');
  });

  test('is accepted as sent by a client that percent-encodes the received name', () => {
    const path = `/caf${escape(0xe9)}/${escape(0xff, 0xfe)}`;
    expect(parseEncodedPath(encodePath(path)).path).toBe(path);
  });

  test('is refused if raw bytes are percent-encoded instead', () => {
    expect(() => parseEncodedPath('/caf%E9.txt')).toThrow('malformed');
    expect(() => parseEncodedPath('/%C0%AFetc')).toThrow('malformed');
    expect(() => parseEncodedPath('/%ED%A0%80')).toThrow('malformed');
  });

  test('may have the maximum length, counted in bytes on the disk', () => {
    expect(virtualPath(`/${escape(0xff).repeat(255)}`)).toHaveLength(511);
    expect(() => parsePath(`/${escape(0xff).repeat(256)}`)).toThrow('too long');
  });
});
