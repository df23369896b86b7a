import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatModified, formatUtc } from './format-time.ts';

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

test('times in UTC have the form of toISOString', () => {
  for (const time of [0, -1, -62_167_219_200_001, 1709287200123, 1719792000000, 1729999999999.9, 8.64e15]) {
    expect(formatUtc(time)).toBe(new Date(time).toISOString());
  }
  expect(() => formatUtc(Number.NaN)).toThrow(RangeError);
});
