import type { Share } from '@filestead/contract/shares';
import { formatDay, formatRelative, formatTime, isSameDay } from './format.ts';
import { i18n } from './i18n.ts';

/** Describes the expiry of a share, as "in 3 days"; null if it never expires. */
export const describeExpiry = ({ expire }: Pick<Share, 'expire'>, nowMs = Date.now()): string | null =>
  expire === 0 ? null : formatRelative(expire * 1000, nowMs);

/** Formats the time at which a share expires within a sentence: the time of today, or another day. */
export const formatEnd = (atMs: number, nowMs = Date.now()): string =>
  isSameDay(atMs, nowMs) ? formatTime(atMs) : formatDay(atMs, nowMs);

/** Describes the expiry of a share as a phrase of its own: "Expires in 3 days", "Never expires". Needs the texts `shares`. */
export function expiryText(share: Pick<Share, 'expire'>): string {
  const when = describeExpiry(share);
  return when === null ? i18n.t('shares:neverExpires') : i18n.t('shares:expires', { when });
}

/** Returns a sentence that ends with a time as {@link formatEnd} formats it: with one period, also after an abbreviated month. */
export const withOnePeriod = (sentence: string): string => sentence.replace(/\.\.$/u, '.');
