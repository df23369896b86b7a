/** Time zones change their offset only at multiples of this. */
const offsetStepMs = 15 * 60_000;
const maxCachedOffsets = 4096;
const offsets = new Map<number, number>();

/** Returns the offset of the server's time zone from UTC in minutes; positive in the east. */
function zoneOffsetMinutes(timeMs: number): number {
  const step = Math.floor(timeMs / offsetStepMs);
  const known = offsets.get(step);
  if (known !== undefined) return known;
  const offset = -new Date(timeMs).getTimezoneOffset();
  if (offsets.size >= maxCachedOffsets) offsets.clear();
  offsets.set(step, offset);
  return offset;
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : String(number));

/**
 * Formats Unix milliseconds as RFC 3339 in the server's time zone, without trailing zeros in the fraction
 * (docs/reference/filebrowser-api.md §1.5). Times outside the range of dates become the beginning of 1970.
 */
export function formatModified(timeMs: number): string {
  const time = Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.64e15 ? Math.trunc(timeMs) : 0;
  const offset = zoneOffsetMinutes(time);
  const text = new Date(time + offset * 60_000).toISOString();
  const end = text.length - 1; // without the Z
  const fraction = text.slice(end - 4, end).replace(/\.?0+$/, '');
  const seconds = text.slice(0, end - 4);
  if (offset === 0) return `${seconds}${fraction}Z`;
  const ahead = Math.abs(offset);
  return `${seconds}${fraction}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(ahead / 60))}:${twoDigits(ahead % 60)}`;
}
