import { expect, test } from 'vitest';
import { parseRange, parseRanges } from './byte-range.ts';

const whole = null;
const none = 'unsatisfiable';

test.each([
  // [header, size in bytes, expected range]
  ['bytes=0-0', 10, [0, 0]],
  ['bytes=2-5', 10, [2, 5]],
  ['bytes=2-', 10, [2, 9]],
  ['bytes=2-999', 10, [2, 9]],
  ['bytes=-3', 10, [7, 9]],
  ['bytes=-999', 10, [0, 9]], // a suffix longer than the file is the whole file
  ['bytes= 1-2 ', 10, [1, 2]],
  ['Bytes=1-2', 10, [1, 2]],
  ['bytes=0-99999999999999999999', 10, [0, 9]],
  ['bytes=10-', 10, none],
  ['bytes=10-20', 10, none],
  ['bytes=9223372036854775808-', 10, none],
  ['bytes=-0', 10, none],
  ['bytes=0-', 0, none],
  ['bytes=-1', 0, none],
  ['bytes=5-2', 10, whole],
  ['bytes=-', 10, whole],
  ['bytes=', 10, whole],
  ['bytes=a-b', 10, whole],
  ['bytes=1-2-3', 10, whole],
  ['bytes=--5', 10, whole],
  ['bytes=0x1-2', 10, whole],
  ['items=0-1', 10, whole],
  ['0-1', 10, whole],
  ['', 10, whole],
  ['bytes=0-1,3-4', 10, whole], // several ranges may be ignored
  [`bytes=${'0-,'.repeat(1000)}0-`, 10, whole],
])('the header Range %j of %d bytes is parsed', (header, size, meaning) => {
  const expected = Array.isArray(meaning) ? { first: meaning[0], last: meaning[1] } : meaning;
  expect(parseRange(header, size)).toEqual(expected);
});

test.each([
  ['bytes=2-5', 10, [[2, 5]]],
  [
    'bytes=0-0, 2-3,-1',
    10,
    [
      [0, 0],
      [2, 3],
      [9, 9],
    ],
  ],
  [
    'bytes=8-9,0-1',
    10,
    [
      [8, 9],
      [0, 1],
    ],
  ], // in the order requested
  ['bytes=0-1,20-30', 10, [[0, 1]]], // ranges beyond the end are ignored
  [
    'bytes=0-1,,4-5,',
    10,
    [
      [0, 1],
      [4, 5],
    ],
  ],
  ['bytes=10-11,20-21', 10, none],
  ['bytes=-0,-0', 10, none],
  ['bytes=0-5,5-6', 10, whole],
  ['bytes=5-6,0-5', 10, whole],
  ['bytes=0-,0-', 10, whole],
  ['bytes=0-1,x', 10, whole],
  ['bytes=0-1,3-2', 10, whole],
  ['bytes=,', 10, whole],
  ['bytes=0-1=2-3', 10, whole],
  ['items=0-1,2-3', 10, whole],
  [`bytes=${Array.from({ length: 17 }, (_, index) => `${2 * index}-${2 * index}`).join(',')}`, 100, whole],
  [`bytes=${'0-,'.repeat(1000)}0-`, 10, whole],
])('the header Range %j of %d bytes is parsed as several ranges', (header, size, meaning) => {
  const expected = Array.isArray(meaning) ? meaning.map(([first, last]) => ({ first, last })) : meaning;
  expect(parseRanges(header, size)).toEqual(expected);
});
