import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

test.each([
  ['UTF-8', [0x63, 0x61, 0x66, 0xc3, 0xa9], 'café'],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
  ['UTF-16, little end first', [0xff, 0xfe, 0xe9, 0x00], 'é'],
  ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0xe9], 'é'],
  ['an older encoding', [0x63, 0x61, 0x66, 0xe9], 'café'],
  ['nothing', [], ''],
])('%s is read', (_name, bytes, text) => {
  expect(decodeText(new Uint8Array(bytes))).toBe(text);
});
