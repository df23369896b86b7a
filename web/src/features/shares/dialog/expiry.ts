import { maxShareDuration } from '@filestead/contract/values/limits';
import type { Share, ShareUpdate } from '@filestead/contract/shares';

/** The expiry of a share as chosen in the dialog; `date` is any other time. */
export type ExpiryChoice = 'never' | 'week' | 'month' | 'date';

/** The options of the choices without a date. */
export const expiryChoices = {
  never: { expires: 0 },
  week: { expires: 7, unit: 'days' },
  month: { expires: 30, unit: 'days' },
} as const satisfies Record<Exclude<ExpiryChoice, 'date'>, ShareUpdate>;

const daySeconds = 24 * 60 * 60;

/** Returns the choice that a share was created with. */
export function expiryChoiceOf({ expire, created }: Pick<Share, 'expire' | 'created'>): ExpiryChoice {
  if (expire === 0) return 'never';
  // The server rounds the expiry up.
  const lasts = (days: number): boolean => Math.abs(expire - created - days * daySeconds) <= 2;
  if (lasts(7)) return 'week';
  return lasts(30) ? 'month' : 'date';
}

/** Formats a time for an input of type `datetime-local`: `2026-11-29T23:59`. */
export function localTimeText(atMs = Date.now()): string {
  const at = new Date(atMs);
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
  const date = `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${date}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

/** Returns the seconds until the time of such an input; null if it is incomplete or past. */
export function secondsUntil(text: string, nowMs = Date.now()): number | null {
  const seconds = Math.ceil((new Date(text).getTime() - nowMs) / 1000);
  return seconds > 0 ? Math.min(seconds, maxShareDuration) : null;
}
