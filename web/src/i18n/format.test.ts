import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  formatClock,
  formatDate,
  formatDateExact,
  formatDuration,
  formatList,
  formatNumber,
  formatPercent,
  formatRate,
  formatRelative,
  formatSize,
} from './format.ts';
import { describeExpiry, formatEnd, withOnePeriod } from './expiry.ts';
import { addLocale, showLocale } from './i18n.ts';

/** Languages separate numbers and units with different kinds of spaces. */
const withPlainSpaces = (text: string) =>
  text.replaceAll(/[\u00a0\u202f\u200f\u200e\u061c]/gu, (sign) => (/\s/u.test(sign) ? ' ' : ''));

beforeAll(() => {
  for (const locale of ['de', 'ar'] as const) {
    addLocale(locale, () => Promise.resolve({ texts: { common: {} } }));
  }
});
afterEach(() => showLocale('en', []));

describe('formatSize', () => {
  test.each([
    [0, '0 B'],
    [-5, '0 B'],
    [1, '1 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [1536, '2 KB'],
    [84_400, '84 KB'],
    [999_499, '999 KB'],
    // Just below 1 MB, which would otherwise be shown as 1,000 KB.
    [999_500, '1 MB'],
    [2_360_000, '2.4 MB'],
    [123_456_789, '123 MB'],
    [1_325_000_000, '1.3 GB'],
    [2_864_000_000_000, '2.86 TB'],
    [5e18, '5,000 PB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(withPlainSpaces(formatSize(bytes))).toBe(text);
  });

  test('uses the separators of German and the digits of Arabic', async () => {
    await showLocale('de', []);
    expect(withPlainSpaces(formatSize(1_325_000_000))).toBe('1,3 GB');
    await showLocale('ar', []);
    expect(withPlainSpaces(formatSize(1_325_000_000))).toContain(new Intl.NumberFormat('ar').format(1.3));
  });

  test('never breaks the line between number and unit', () => {
    expect(formatSize(1_500_000)).toBe('1.5\u00a0MB');
  });

  test('formats a rate per second', () => {
    expect(withPlainSpaces(formatRate(1_500_000))).toBe('1.5 MB/s');
  });
});

describe('formatDate', () => {
  const nowMs = new Date(2026, 10, 21, 15, 30).getTime();
  const at = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime();

  test.each([
    [at(2026, 10, 21, 14, 2), 'Today 14:02'],
    [at(2026, 10, 21), 'Today 00:00'],
    [at(2026, 10, 20, 23, 59), 'Yesterday 23:59'],
    [at(2026, 10, 20), 'Yesterday 00:00'],
    [at(2026, 10, 19, 23, 59), 'Thu 23:59'],
    [at(2026, 10, 15), 'Sun 00:00'],
    [at(2026, 10, 14, 23, 59), '14 Nov'],
    [at(2026, 10, 22, 9, 0), '22 Nov'],
    [at(2026, 9, 21), '21 Oct'],
    [at(2026, 0, 1), '1 Jan'],
    [at(2025, 10, 21), '21 Nov 2025'],
    [at(2025, 2, 2), '2 Mar 2025'],
    [at(2027, 2, 2), '2 Mar 2027'],
  ])('formats %d as %s', (atMs, text) => {
    expect(formatDate(atMs, { nowMs })).toBe(text);
  });

  test('shows date and time if exact', () => {
    expect(formatDate(at(2025, 2, 2, 14, 2, 5), { exact: true, nowMs })).toBe('2 Mar 2025, 14:02:05');
    expect(formatDateExact(at(2025, 2, 2, 14, 2, 5))).toBe('2 Mar 2025, 14:02:05');
  });

  test('formats dates in German', async () => {
    await showLocale('de', []);
    expect(formatDate(at(2025, 2, 2), { nowMs })).toBe('2. März 2025');
    expect(formatDate(at(2026, 2, 2), { nowMs })).toBe('2. März');
  });
});

describe('durations', () => {
  test.each([
    [0, '0 secs'],
    [1, '1 sec'],
    [45.4, '45 secs'],
    [190, '3 mins 10 secs'],
    [599, '9 mins 59 secs'],
    [620, '10 mins'],
    [3600, '1 hr'],
    [3900, '1 hr 5 mins'],
    [86_400 * 2 + 60, '2 days 1 min'],
    [86_400 + 3600 + 60, '1 day 1 hr'],
  ])('formats %d s as %s', (seconds, text) => {
    expect(withPlainSpaces(formatDuration(seconds))).toBe(text);
  });

  test('writes days out, whose short form is less familiar', async () => {
    await showLocale('de', []);
    expect([1, 30].map((days) => withPlainSpaces(formatDuration(days * 86_400)))).toEqual([
      '1 Tag',
      '30 Tage',
    ]);
    expect(withPlainSpaces(formatDuration(3900))).toBe('1 Std., 5 Min.');
  });

  test.each([
    [0, '0:00'],
    [185.9, '3:05'],
    [3729, '1:02:09'],
  ])('formats the position %d s in a recording as %s', (seconds, text) => {
    expect(formatClock(seconds)).toBe(text);
  });
});

describe('formatRelative', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const day = 86_400;
  test.each([
    [0.2, 'now'],
    [1, 'in 1 second'],
    [-59, '59 seconds ago'],
    [59.6, 'in 1 minute'],
    [3599.7, 'in 1 hour'],
    [7200, 'in 2 hours'],
    [-90 * 60, '1 hour ago'],
    [7 * day - 1, 'in 7 days'],
    [-30 * day, '1 month ago'],
    [30 * day, 'in 1 month'],
    [800 * day, 'in 2 years'],
    [8_640_000_000_000 - now / 1000, 'in 277,720 years'],
  ])('formats %d s from now as %s', (seconds, text) => {
    expect(withPlainSpaces(formatRelative(now + seconds * 1000, now))).toBe(text);
  });
});

test('formats numbers, percentages and lists in the language', async () => {
  expect([formatNumber(12_345.678), formatPercent(0.405), formatList(['a', 'b', 'c'])]).toEqual([
    '12,345.68',
    '41%',
    'a, b and c',
  ]);
  await showLocale('de', []);
  expect([
    formatNumber(12_345.678),
    withPlainSpaces(formatPercent(0.405)),
    formatList(['a', 'b', 'c']),
  ]).toEqual(['12.345,68', '41 %', 'a, b und c']);
});

test.each([
  ['en-US', 'Nov 5', 'Today 2:02 PM'],
  ['en-GB', '5 Nov', 'Today 14:02'],
  // Without a region.
  ['en', '5 Nov', 'Today 14:02'],
])('formats English dates and times as in the region of the browser: %s', (language, day, today) => {
  const british = Object.getOwnPropertyDescriptor(navigator, 'languages') ?? {};
  Object.defineProperty(navigator, 'languages', { value: ['de-DE', language], configurable: true });
  try {
    const nowMs = new Date(2026, 10, 15, 20).getTime();
    expect(formatDate(new Date(2026, 10, 5, 14, 2).getTime(), { nowMs })).toBe(day);
    expect(withPlainSpaces(formatDate(new Date(2026, 10, 15, 14, 2).getTime(), { nowMs }))).toBe(today);
  } finally {
    Object.defineProperty(navigator, 'languages', british);
  }
});

test('describes the expiry relative to now', () => {
  const nowMs = 1_800_000_000_000;
  expect(describeExpiry({ expire: 0 }, nowMs)).toBeNull();
  expect(describeExpiry({ expire: nowMs / 1000 + 3 * 86_400 }, nowMs)).toBe('in 3 days');
});

test('formats an end within a sentence as the time of today or as another day', () => {
  const nowMs = new Date(2026, 10, 27, 12).getTime();
  expect(formatEnd(new Date(2026, 10, 27, 14, 5).getTime(), nowMs)).toBe('14:05');
  expect(formatEnd(new Date(2026, 10, 26, 14, 5).getTime(), nowMs)).toBe('26 Nov');
  expect(formatEnd(new Date(2027, 0, 2).getTime(), nowMs)).toBe('2 Jan 2027');
  expect(['Läuft ab: 5. Dez..', 'Läuft ab: 14:05.'].map(withOnePeriod)).toEqual([
    'Läuft ab: 5. Dez.',
    'Läuft ab: 14:05.',
  ]);
});
