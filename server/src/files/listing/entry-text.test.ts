import { maxTextBytes } from '@filestead/contract/values/limits';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cpuTimeMs } from '../../../test/cpu-time.ts';
import { listedTypeIndex, openedType, typeAt } from './entry-type.ts';
import { createSubtitleFinder } from '../subtitles/find-subtitles.ts';
import { formatModified } from './format-modified.ts';
import { modeBits } from './mode-bits.ts';

test.each([
  // The examples of the docs/reference/filebrowser-api.md §1.5, then each type and special bit.
  [0o040755, 2147484141],
  [0o100644, 420],
  [0o120777, 134218239],
  [0o010644, 2 ** 25 + 0o644],
  [0o140755, 2 ** 24 + 0o755],
  [0o060660, 2 ** 26 + 0o660],
  [0o020660, 2 ** 26 + 2 ** 21 + 0o660],
  [0o104755, 2 ** 23 + 0o755],
  [0o102755, 2 ** 22 + 0o755],
  [0o041777, 2 ** 31 + 2 ** 20 + 0o777],
])('st_mode %o is shown as %d', (mode, bits) => {
  expect(modeBits(mode)).toBe(bits);
});

describe('modification times', () => {
  let zone: string | undefined;
  beforeEach(() => {
    zone = process.env['TZ'];
  });
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  test.each([
    ['UTC', '2024-03-01T10:00:00.000Z', '2024-03-01T10:00:00Z'],
    ['UTC', '2024-03-01T10:00:00.120Z', '2024-03-01T10:00:00.12Z'],
    ['UTC', '2024-03-01T10:00:00.007Z', '2024-03-01T10:00:00.007Z'],
    ['UTC', '1969-12-31T23:59:59.500Z', '1969-12-31T23:59:59.5Z'],
    ['Asia/Kolkata', '2023-03-01T10:00:00.000Z', '2023-03-01T15:30:00+05:30'],
    ['America/New_York', '2023-07-01T00:00:00.250Z', '2023-06-30T20:00:00.25-04:00'],
  ])('in the time zone %s the time %s is formatted as %s', (name, time, text) => {
    process.env['TZ'] = name;
    expect(formatModified(Date.parse(time))).toBe(text);
  });

  test.each([Number.NaN, Infinity, -Infinity, 1e300])(
    'an invalid time of %d is formatted as the beginning of 1970',
    (time) => {
      expect(Date.parse(formatModified(time))).toBe(0);
    },
  );

  test('the text means the same moment in every time zone', () => {
    for (const time of [0, 1709287200123, 1719792000000, 1729999999999]) {
      expect(Date.parse(formatModified(time))).toBe(time);
    }
  });
});

const listed = (name: string, size = 10): string =>
  typeAt(listedTypeIndex('file', name.slice(name.lastIndexOf('.')), size));

test.each([
  ['a.mp4', 'video'],
  ['a.MP4', 'video'],
  ['a.mp3', 'audio'],
  ['a.svg', 'image'],
  ['a.cr2', 'image'],
  ['a.pdf', 'pdf'],
  ['a.ts', 'text'],
  ['a.json', 'text'],
  ['a.sh', 'text'],
  ['a.zip', 'blob'],
  ['a.exe', 'blob'],
  ['a.unknown', 'text'],
])('the file %s is listed with the type %s', (name, type) => {
  expect(listed(name)).toBe(type);
});

test('text is editable up to 10 MiB, including the limit', () => {
  expect(listed('a.txt', maxTextBytes)).toBe('text');
  expect(listed('a.txt', maxTextBytes + 1)).toBe('blob');
  expect(listed('a.mp4', maxTextBytes + 1)).toBe('video');
});

test.each([
  ['.sh', '#!/bin/sh\n', 'text'],
  ['.zip', 'PK\x03\x04\x14\0', 'blob'],
  ['.zip', 'not a zip', 'text'],
  ['.txt', 'a\0b', 'text'],
  ['', '\x89PNG\r\n\x1a\n\0', 'image'],
  ['', '', 'text'],
  ['', 'a\0b', 'blob'],
])('an opened file with extension %j and content %j is %s', (extension, content, type) => {
  expect(openedType(extension, content.length, Buffer.from(content, 'latin1'))).toBe(type);
});

describe('subtitles', () => {
  const names = ['folder.vtt', 'a.mp4', 'a.vtt', 'a.de.vtt', 'a2.vtt', 'b.vtt', 'B.VTT', 'x.srt'];
  const find = createSubtitleFinder(names, 1);

  test('begin with the video’s name, are in name order, and exclude folders', () => {
    expect(find('a.mp4')).toEqual(['a.vtt', 'a.de.vtt', 'a2.vtt']);
    expect(find('a.de.mkv')).toEqual(['a.de.vtt']);
    expect(find('folder.mp4')).toEqual([]);
    expect(find('B.mp4')).toEqual(['B.VTT']);
  });

  test('are found in less than quadratic time', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `v${index}.vtt`);
    const timeMs = cpuTimeMs(() => {
      const findAmongMany = createSubtitleFinder(many, 0);
      for (let index = 0; index < 20_000; index++) findAmongMany(`w${index}.mp4`);
    });
    expect(timeMs).toBeLessThan(2_000);
  });
});
