import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

test.each([
  ['UTF-8', [0x63, 0x61, 0x66, 0xc3, 0xa9], 'café'],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
  ['UTF-16, little-endian', [0xff, 0xfe, 0xe9, 0x00], 'é'],
  ['UTF-16, big-endian', [0xfe, 0xff, 0x00, 0xe9], 'é'],
  ['Windows-1252', [0x63, 0x61, 0x66, 0xe9], 'café'],
  ['an empty file', [], ''],
])('decodes %s', (_name, bytes, text) => {
  expect(decodeText(new Uint8Array(bytes))).toBe(text);
});
