import { LimitedMap } from './limited-map.ts';

/** Time zones change their offset only at multiples of this. */
const offsetStepMs = 15 * 60_000;
const maxCachedOffsets = 4096;
const offsets = new LimitedMap<number, number>(maxCachedOffsets);

/** Returns the offset of the server's time zone from UTC in minutes; positive in the east. */
function zoneOffsetMinutes(timeMs: number): number {
  const step = Math.floor(timeMs / offsetStepMs);
  const cached = offsets.get(step);
  if (cached !== undefined) return cached;
  const offset = -new Date(timeMs).getTimezoneOffset();
  offsets.set(step, offset);
  return offset;
}

const dayMs = 24 * 60 * 60_000;
const maxCachedDates = 4096;
const dates = new LimitedMap<number, string>(maxCachedDates);

/** Returns the date of a day, counted from 1970, with the `T` that precedes the time. */
function dateOf(day: number): string {
  const cached = dates.get(day);
  if (cached !== undefined) return cached;
  const text = new Date(day * dayMs).toISOString();
  const date = text.slice(0, text.indexOf('T') + 1);
  dates.set(day, date);
  return date;
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : String(number));

/** Returns the date and the time of day to the second of Unix milliseconds, which are those of a zone if its offset was added. */
function secondOf(timeMs: number): string {
  const day = Math.floor(timeMs / dayMs);
  const msOfDay = timeMs - day * dayMs;
  const hours = twoDigits(Math.floor(msOfDay / 3_600_000));
  const minutes = twoDigits(Math.floor(msOfDay / 60_000) % 60);
  const seconds = twoDigits(Math.floor(msOfDay / 1_000) % 60);
  return `${dateOf(day)}${hours}:${minutes}:${seconds}`;
}

/** Returns the milliseconds of a second as three digits. */
const threeDigits = (timeMs: number): string =>
  String(timeMs - Math.floor(timeMs / 1_000) * 1_000).padStart(3, '0');

/** Returns the milliseconds of a second as a fraction without trailing zeros; empty for 0. */
const fractionOf = (timeMs: number): string =>
  timeMs % 1_000 === 0 ? '' : `.${threeDigits(timeMs).replace(/0+$/, '')}`;

/**
 * Formats Unix milliseconds as `Date.toISOString` does, in a tenth of its time for times of few different days. Throws a
 * `RangeError` outside the range of dates.
 */
export const formatUtc = (timeMs: number): string => {
  const time = Math.trunc(timeMs);
  return `${secondOf(time)}.${threeDigits(time)}Z`;
};

/**
 * Formats Unix milliseconds as RFC 3339 in the server's time zone, without trailing zeros in the fraction
 * (docs/reference/filebrowser-api.md §1.5). Times outside the range of dates become the beginning of 1970.
 */
export function formatModified(timeMs: number): string {
  const time = Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.6399e15 ? Math.trunc(timeMs) : 0;
  const offset = zoneOffsetMinutes(time);
  const text = `${secondOf(time + offset * 60_000)}${fractionOf(time)}`;
  if (offset === 0) return `${text}Z`;
  const offsetMinutes = Math.abs(offset);
  return `${text}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(offsetMinutes / 60))}:${twoDigits(offsetMinutes % 60)}`;
}
