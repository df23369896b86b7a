import { currentLanguageTag, i18n } from './i18n.ts';

/** Creating an `Intl` object costs about 50 µs, so each kind is created once per language. */
function cachedByLanguage<T>(create: (tag: string) => T): () => T {
  const formatters = new Map<string, T>();
  return () => {
    const tag = currentLanguageTag();
    let formatter = formatters.get(tag);
    if (formatter === undefined) {
      formatter = create(tag);
      formatters.set(tag, formatter);
    }
    return formatter;
  };
}

const wholeNumber = cachedByLanguage((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 0 }));
const plainNumber = cachedByLanguage((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }));
const twoPlaces = cachedByLanguage((tag) => new Intl.NumberFormat(tag, { minimumIntegerDigits: 2 }));
const percent = cachedByLanguage(
  (tag) => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 }),
);
function createTimeFormat(tag: string, options: Intl.DateTimeFormatOptions = {}): Intl.DateTimeFormat {
  const twoDigits = new Intl.DateTimeFormat(tag, { ...options, hour: '2-digit', minute: '2-digit' });
  // With AM and PM hours have no leading zero: 2:02 PM.
  return twoDigits.resolvedOptions().hour12 === true
    ? new Intl.DateTimeFormat(tag, { ...options, hour: 'numeric', minute: '2-digit' })
    : twoDigits;
}
const time = cachedByLanguage((tag) => createTimeFormat(tag));
const weekdayAndTime = cachedByLanguage((tag) => createTimeFormat(tag, { weekday: 'short' }));
const dayOfThisYear = cachedByLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' }),
);
const day = cachedByLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', year: 'numeric' }),
);
const exactDate = cachedByLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }),
);
const relative = cachedByLanguage((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'always' }));
const justNow = cachedByLanguage((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const list = cachedByLanguage((tag) => new Intl.ListFormat(tag, { type: 'conjunction' }));
const regions = cachedByLanguage((tag) => new Intl.DisplayNames(tag, { type: 'region' }));
const durationParts = cachedByLanguage((tag) => new Intl.ListFormat(tag, { type: 'unit', style: 'narrow' }));
const durationUnits = cachedByLanguage((tag) => {
  const unit = (name: string, unitDisplay: 'short' | 'long' = 'short') =>
    new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay });
  // The short form of days, such as “30 Tg.” or “30 gg”, is barely shorter and less familiar.
  return { day: unit('day', 'long'), hour: unit('hour'), minute: unit('minute'), second: unit('second') };
});

/** The units above the byte, in steps of 1,000, each with the number of decimals that it is shown with. */
const sizeUnits = [
  { unit: 'kilobyte', decimals: 0 },
  { unit: 'megabyte', decimals: 1 },
  { unit: 'gigabyte', decimals: 1 },
  { unit: 'terabyte', decimals: 2 },
  { unit: 'petabyte', decimals: 2 },
] as const;
const sizeFormats = cachedByLanguage((tag) =>
  sizeUnits.map(({ unit, decimals }) => {
    // In Arabic only the narrow form abbreviates all units.
    const unitDisplay = tag.startsWith('ar') ? 'narrow' : 'short';
    const format = (maximumFractionDigits: number) =>
      new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits });
    return { exact: format(decimals), whole: format(0) };
  }),
);

/**
 * Creates the formatters of numbers, sizes and dates before they are needed. The first formatter of a kind takes 10 to 30 ms, because the
 * browser loads its data.
 */
export function prepareFormats(): void {
  const nowMs = Date.now();
  formatNumber(0);
  formatSize(1_000_000);
  for (const ageInDays of [0, 3, 400]) formatDate(nowMs - ageInDays * dayMs);
}

/** Formats bytes in steps of 1,000, as other programs and the manufacturers of disks do: `0 B`, `84 KB`, `2.4 MB`, `1.3 GB`. */
export function formatSize(bytes: number): string {
  let value = Math.max(0, bytes);
  if (value < 1000) return i18n.t('format.byte', { number: wholeNumber().format(value) });
  let step = -1;
  // A value that rounds to 1,000 of a unit is shown as 1 of the next.
  while (Math.round(value) >= 1000 && step < sizeUnits.length - 1) {
    value /= 1000;
    step += 1;
  }
  const { exact, whole } = sizeFormats()[step] ?? {};
  const text = (value >= 100 ? whole : exact)?.format(value) ?? '';
  // No line break between number and unit; all units begin with a capital letter.
  return text.replaceAll(/\s/gu, '\u00a0').replace('kB', 'KB');
}

/** Formats a rate: `1.2 MB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return i18n.t('format.perSecond', { size: formatSize(bytesPerSecond) });
}

/** Formats a number: `12,345`, with at most two decimals. */
export function formatNumber(value: number): string {
  return plainNumber().format(value);
}

/** Returns the values of a text with plural forms. */
export const pluralValues = (count: number): { count: number; number: string } => ({
  count,
  number: formatNumber(count),
});

/** Formats a fraction from 0 to 1 as whole percent. */
export function formatPercent(share: number): string {
  return percent().format(share);
}

/** The days before today that are shown by their name: a weekday names one of the last seven days only. */
const namedDays = 6;
const dayMs = 86_400_000;

/**
 * Formats a date: "Today 14:02", "Yesterday 14:02", "Sat 14:02" in the last week, "12 Nov" in this year, else "2 Mar 2025"; with `exact`
 * the date and the time to the second.
 */
export function formatDate(
  atMs: number,
  { exact = false, nowMs = Date.now() }: { exact?: boolean; nowMs?: number } = {},
): string {
  if (exact) return formatDateExact(atMs);
  const age = Math.abs(nowMs - atMs) > (namedDays + 1) * dayMs ? Number.NaN : ageInDays(atMs, nowMs);
  if (age === 0) return i18n.t('format.todayAt', { time: time().format(atMs) });
  if (age === 1) return i18n.t('format.yesterdayAt', { time: time().format(atMs) });
  return age > 1 && age <= namedDays ? weekdayAndTime().format(atMs) : formatDay(atMs, nowMs);
}

/** The number of days from the day of `atMs` to that of `nowMs` in local time; negative in the future. */
function ageInDays(atMs: number, nowMs: number): number {
  // Days have 23 or 25 hours when clocks change.
  return Math.round((new Date(nowMs).setHours(0, 0, 0, 0) - new Date(atMs).setHours(0, 0, 0, 0)) / dayMs);
}

/** Whether two times are on the same day in local time. */
export const isSameDay = (oneMs: number, otherMs: number): boolean =>
  new Date(oneMs).toDateString() === new Date(otherMs).toDateString();

/** Formats a day: "12 Nov" in this year, else "2 Mar 2025". */
export function formatDay(atMs: number, nowMs = Date.now()): string {
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? dayOfThisYear() : day()).format(atMs);
}

/** Formats a date and time: `2 Mar 2025, 14:02:05`. */
export function formatDateExact(atMs: number): string {
  return exactDate().format(atMs);
}

/** Returns the name of a country by its code (ISO 3166-1): `Sweden`. */
export function formatRegion(code: string): string {
  return regions().of(code) ?? code;
}

/** Formats a time: `14:02`. */
export function formatTime(atMs: number): string {
  return time().format(atMs);
}

/** The units of {@link formatRelative}, each with its number per next larger unit. */
const relativeSteps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const;

/**
 * Formats a relative time: `3 days ago`, `in 2 hours`, `now`, in the largest unit of at least one. A month counts as 30
 * days, a year as twelve months.
 */
export function formatRelative(atMs: number, nowMs = Date.now()): string {
  let value = (atMs - nowMs) / 1000;
  for (const [unit, perNext] of relativeSteps) {
    const rounded = Math.round(value);
    if (rounded === 0) return justNow().format(0, 'second');
    if (Math.abs(rounded) < perNext) return relative().format(rounded, unit);
    value /= perNext;
  }
  return formatDateExact(atMs);
}

/**
 * Formats a duration in its two largest units: `45 sec`, `3 min`, `1 hr 5 min`, `2 days`. Seconds are omitted from ten
 * minutes on.
 */
export function formatDuration(seconds: number): string {
  const units = durationUnits();
  let rest = Math.max(0, Math.round(seconds));
  if (rest >= 600) rest = Math.round(rest / 60) * 60;
  const days = Math.floor(rest / 86_400);
  const hours = Math.floor((rest % 86_400) / 3600);
  const minutes = Math.floor((rest % 3600) / 60);
  const parts: string[] = [];
  if (days > 0) parts.push(units.day.format(days));
  if (hours > 0) parts.push(units.hour.format(hours));
  if (minutes > 0) parts.push(units.minute.format(minutes));
  if (rest % 60 > 0 || parts.length === 0) parts.push(units.second.format(rest % 60));
  return durationParts().format(parts.slice(0, 2));
}

/** Formats a position in a recording: `3:05`, `1:02:09`. */
export function formatClock(seconds: number): string {
  const rounded = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor((rounded % 3600) / 60);
  const last = twoPlaces().format(rounded % 60);
  if (hours === 0) return `${wholeNumber().format(minutes)}:${last}`;
  return `${wholeNumber().format(hours)}:${twoPlaces().format(minutes)}:${last}`;
}

/** Formats a list: "a, b and c". */
export function formatList(items: readonly string[]): string {
  return list().format(items);
}
