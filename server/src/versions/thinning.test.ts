import { describe, expect, test } from 'vitest';
import type { VersionAge } from '../database/version-repository.ts';
import { thin } from './thinning.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** A time at which an hour, a day and a week of the thinning begin. */
const now = Math.ceil(Date.UTC(2026, 10, 22) / (7 * day)) * 7 * day;

/** A version that was replaced `ageMs` ago and had been the current state for `presentMs`. */
const version = (id: string, ageMs: number, presentMs = 1, isAnnotated = false): VersionAge => ({
  id,
  file: 'a.txt',
  keptAt: now - ageMs,
  writtenAt: now - ageMs - presentMs,
  isAnnotated,
});
/** Three versions that are always spared. */
const latest = [version('x', 3), version('y', 2), version('z', 1)];
const thinned = (versions: readonly VersionAge[], days = 365): string[] =>
  thin([...versions, ...latest], now, days).toSorted();

describe('thinning', () => {
  test('keeps all versions of the last 24 hours', () => {
    const versions = Array.from({ length: 500 }, (_, index) => version(`v${index}`, index * 1_000));
    expect(thinned([...versions, version('old', day)])).toEqual([]);
  });

  test('keeps one version an hour for seven days: the one that was present for the longest time', () => {
    const inOneHour = [
      version('short', 2 * day - 1, 10),
      version('long', 2 * day - 2, 30),
      version('other', 2 * day - 3, 20),
    ];
    expect(thinned(inOneHour)).toEqual(['other', 'short']);
    expect(thinned([version('a', 2 * day), version('b', 2 * day - hour)])).toEqual([]);
  });

  test('keeps one version a day for 30 days', () => {
    const inOneDay = [version('a', 10 * day - hour, 5), version('b', 10 * day - 2 * hour, 6)];
    expect(thinned(inOneDay)).toEqual(['a']);
    expect(thinned([version('a', 10 * day), version('b', 9 * day)])).toEqual([]);
  });

  test('keeps one version a week for a year, and none after that', () => {
    const inOneWeek = [version('a', 70 * day - hour, 5), version('b', 70 * day - 3 * day, 6)];
    expect(thinned(inOneWeek)).toEqual(['a']);
    expect(thinned([version('a', 70 * day), version('b', 63 * day)])).toEqual([]);
    expect(thinned([version('a', 366 * day), version('b', 364 * day)])).toEqual(['a']);
  });

  test('keeps versions of any age without a limit of days', () => {
    expect(thinned([version('a', 4000 * day)], 0)).toEqual([]);
    expect(thinned([version('a', 11 * day)], 10)).toEqual(['a']);
  });

  test('spares the latest three versions of a file until they are too old', () => {
    const three = [1, 2, 3].map((index) => version(`v${index}`, 40 * day + index));
    expect(thin(three, now, 365)).toEqual([]);
    expect(thin(three, now, 30)).toHaveLength(3);
  });

  test('keeps annotated versions beside the others, and forever', () => {
    const versions = [
      version('annotated', 2 * day - 1, 1, true),
      version('a', 2 * day - 2, 9),
      version('b', 2 * day - 3, 8),
    ];
    expect(thinned([...versions, version('ancient', 5000 * day, 1, true)])).toEqual(['b']);
  });

  test('keeps one version an hour, a day, a week and four weeks when the disk is full', () => {
    const coarse = (...versions: VersionAge[]): string[] => thin(versions, now, 365, true).toSorted();
    expect(coarse(version('a', 1), version('b', 2, 5), version('c', hour + 1))).toEqual(['a']);
    expect(coarse(version('a', 2 * day - hour, 5), version('b', 2 * day - 2 * hour))).toEqual(['b']);
    expect(coarse(version('a', 14 * day - hour), version('b', 13 * day - hour, 5))).toEqual(['a']);
    expect(coarse(version('a', 4000 * day), version('b', 3 * day, 1, true))).toEqual(['a']);
  });

  test('keeps the same versions when it runs again', () => {
    const versions = Array.from({ length: 2_000 }, (_, index) =>
      version(`v${index}`, index * 17 * 60_000, index % 7),
    );
    const gone = new Set(thin(versions, now, 365));
    expect(gone.size).toBeGreaterThan(1_500);
    expect(
      thin(
        versions.filter(({ id }) => !gone.has(id)),
        now,
        365,
      ),
    ).toEqual([]);
  });
});
