import { expect, test } from 'vitest';
import { parseSizeText, sizeText } from './size-text.ts';

test.each([
  ['10MB', 10 * 1024 * 1024],
  [' 512 kb ', 512 * 1024],
  ['1GiB', 1024 ** 3],
  ['1,5m', 1.5 * 1024 * 1024],
  ['1.5 MiB', 1.5 * 1024 * 1024],
  ['2048', 2048],
  ['7b', 7],
  ['0', null],
  ['', null],
  ['-1MB', null],
  ['10 apples', null],
  ['1e3', null],
  ['99999999GB', null],
])('parses %s', (text, bytes) => {
  expect(parseSizeText(text)).toBe(bytes);
});

test('formats a parsed size as it was written', () => {
  for (const text of ['10MB', '512KB', '1GB', '1500B']) expect(sizeText(parseSizeText(text) ?? 0)).toBe(text);
});
