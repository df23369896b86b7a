import { currentLanguageTag } from '../../../../i18n/i18n.ts';
import { periodOf } from './photo-layout.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time in local time in the language of the page. Formatters are kept, since each costs about 50 µs. */
function format(timeMs: number, options: Intl.DateTimeFormatOptions): string {
  const tag = currentLanguageTag();
  const key = `${tag} ${JSON.stringify(options)}`;
  let formatter = formats.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(tag, options);
    formats.set(key, formatter);
  }
  return formatter.format(timeMs);
}

const isThisYear = (timeMs: number, nowMs: number): boolean =>
  new Date(timeMs).getFullYear() === new Date(nowMs).getFullYear();

/** Formats the heading of a day ("Saturday, 15 November", with the year unless it is this one) or month ("November 2026"). */
export function formatPeriod(
  timeMs: number,
  period: 'day' | 'month',
  { isShort = false, nowMs = Date.now() }: { isShort?: boolean; nowMs?: number } = {},
): string {
  if (period === 'month') return format(timeMs, { month: isShort ? 'short' : 'long', year: 'numeric' });
  return format(timeMs, {
    weekday: isShort ? 'short' : 'long',
    day: 'numeric',
    month: isShort ? 'short' : 'long',
    ...(!isThisYear(timeMs, nowMs) && { year: 'numeric' }),
  });
}

/** Formats the date in the bubble of the scrubber: "15 Nov", with the year unless it is this one; "Nov 2026" for months. */
export function formatBubble(timeMs: number, period: 'day' | 'month', nowMs = Date.now()): string {
  if (period === 'month') return format(timeMs, { month: 'short', year: 'numeric' });
  const year = isThisYear(timeMs, nowMs) ? {} : ({ year: 'numeric' } as const);
  return format(timeMs, { day: 'numeric', month: 'short', ...year });
}

/** A date on the scrubber. */
export interface ScrubberMark {
  readonly timeMs: number;
  readonly text: string;
  /** The position in the content, in px. */
  readonly topPx: number;
  readonly isYear: boolean;
}

/**
 * Returns the marks of the scrubber: the years, and the months between them, as far as marks are at least `distancePx` apart. `scale` is
 * the height of the scrubber divided by that of the content.
 */
export function scrubberMarks(
  groups: readonly { readonly timeMs: number | null; readonly headTopPx: number }[],
  scale: number,
  distancePx: number,
): ScrubberMark[] {
  const years: ScrubberMark[] = [];
  const months: ScrubberMark[] = [];
  let lastYear = Number.NaN;
  let month: { firstMs: number; lastMs: number } | null = null;
  for (const { timeMs, headTopPx: topPx } of groups) {
    if (timeMs === null) continue;
    if (month !== null && timeMs >= month.firstMs && timeMs <= month.lastMs) continue;
    month = periodOf(timeMs, 'month');
    months.push({ timeMs, text: format(timeMs, { month: 'short' }), topPx, isYear: false });
    const year = new Date(timeMs).getFullYear();
    if (year === lastYear) continue;
    lastYear = year;
    years.push({ timeMs, text: format(timeMs, { year: 'numeric' }), topPx, isYear: true });
  }
  const chosen: ScrubberMark[] = [];
  const isFree = ({ topPx }: ScrubberMark): boolean =>
    chosen.every((mark) => Math.abs(mark.topPx - topPx) * scale >= distancePx);
  for (const mark of [...years, ...months]) if (isFree(mark)) chosen.push(mark);
  return chosen.toSorted((one, other) => one.topPx - other.topPx);
}
