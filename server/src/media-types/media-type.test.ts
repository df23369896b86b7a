import { describe, expect, test } from 'vitest';
import { looksBinary, mediaTypeOfName, sniffMediaType } from './media-type.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each([
  ['a.ts', 'text/x-typescript'],
  ['a.TS', 'text/x-typescript'],
  ['a.jsonc', 'text/plain'],
  ['a.cr2', 'image/x-canon-cr2'],
  ['a.NEF', 'image/x-nikon-nef'],
  ['a.raf', 'image/x-fuji-raf'],
  ['a.dng', 'image/x-adobe-dng'],
  ['a.mkv', 'video/x-matroska'],
  ['a.m3u', 'text/x-playlist'],
  ['a.tar.gz', 'application/gzip'],
  ['.env', 'text/plain'],
  ['README', null],
  ['a.', null],
  ['a.constructor', null],
  ['a.__proto__', null],
])('%s has the media type %s', (name, mediaType) => {
  expect(mediaTypeOfName(name)).toBe(mediaType);
});

describe('the beginning of a file', () => {
  test.each([
    ['', false],
    ['plain\n', false],
    ['a\0b', true],
    ['a\x08b', true],
    ['a\x09b\x1b', false],
    ['\xc3\xa9', false],
    ['\xe9t\xe9', true], // Latin-1
    ['text \xe2\x82', false], // a truncated euro sign
    ['text \xf0\x9f\x98', false], // a truncated emoji
    ['text \xf0\x9f\x98\x80', false],
    ['text \x80', true],
    ['\xff\xfea\0', true], // UTF-16
  ])('%j looks binary: %j', (text, isBinary) => {
    expect(looksBinary(bytes(text))).toBe(isBinary);
  });

  test.each([
    ['\x89PNG\r\n\x1a\n\0\0', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'audio/wav'],
    ['\0\0\0\x18ftypmp42', 'video/mp4'],
    ['\0\0\0\x18ftypavif', 'image/avif'],
    ['%PDF-1.7\n', 'application/pdf'],
    ['%PDF-1.7\n\x00\xff', 'application/pdf'],
    ['<html><script>alert(1)</script>', 'text/plain'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'text/plain'],
    ['\x7fELF\x02\x01\x01\0', 'application/octet-stream'],
    ['Gr\xfc\xdfe aus K\xf6ln\r\n', 'text/plain'], // Latin-1
    ['BM\xdcller', 'text/plain'],
    ['ID3 f\xfcr alle', 'text/plain'],
    ['\xcf\xf0\xe8\xe2\xe5\xf2', 'text/plain'], // windows-1251
    ['\x82\xa0\x82\xa2\n', 'text/plain'], // Shift_JIS
    ['\xff\xfea\0b\0', 'text/plain'], // UTF-16 with a byte order mark
    ['\xfe\xff\0a\0b', 'text/plain'],
    ['a\0b\0', 'application/octet-stream'],
    ['\xe9\x02\xe9', 'application/octet-stream'],
    ['BM\x36\0\x0c\0', 'image/bmp'],
    ['ID3\x03\0', 'audio/mpeg'],
    ['', 'text/plain'],
  ])('%j is detected as %s', (text, mediaType) => {
    expect(sniffMediaType(bytes(text))).toBe(mediaType);
  });
});
