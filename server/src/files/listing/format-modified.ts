import { LimitedMap } from '../../limited-map.ts';

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

/** Returns milliseconds as a fraction of a second without trailing zeros; empty for 0. */
const fractionOf = (ms: number): string =>
  ms === 0 ? '' : `.${String(ms).padStart(3, '0').replace(/0+$/, '')}`;

/**
 * Formats Unix milliseconds as RFC 3339 in the server's time zone, without trailing zeros in the fraction
 * (docs/reference/filebrowser-api.md §1.5). Times outside the range of dates become the beginning of 1970.
 */
export function formatModified(timeMs: number): string {
  const time = Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.6399e15 ? Math.trunc(timeMs) : 0;
  const offset = zoneOffsetMinutes(time);
  const local = time + offset * 60_000;
  const day = Math.floor(local / dayMs);
  const msOfDay = local - day * dayMs;
  const hours = twoDigits(Math.floor(msOfDay / 3_600_000));
  const minutes = twoDigits(Math.floor(msOfDay / 60_000) % 60);
  const seconds = twoDigits(Math.floor(msOfDay / 1_000) % 60);
  const text = `${dateOf(day)}${hours}:${minutes}:${seconds}${fractionOf(msOfDay % 1_000)}`;
  if (offset === 0) return `${text}Z`;
  const offsetMinutes = Math.abs(offset);
  return `${text}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(offsetMinutes / 60))}:${twoDigits(offsetMinutes % 60)}`;
}
