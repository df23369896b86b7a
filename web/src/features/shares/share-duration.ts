import { maxShareDuration } from '@filestead/contract/values/limits';
import type { PageConfig } from '@filestead/contract/page-config';
import type { Share, ShareUnit } from '@filestead/contract/shares';
import { pageConfig } from '../../api/page-config.ts';
import { formatRelative } from '../../i18n/format.ts';

/** How long a link shall live, as it is typed. An empty or zero amount never ends (docs/reference/behaviour.md §5). */
export interface DurationInput {
  readonly amount: string;
  readonly unit: ShareUnit;
}

/** Hours, as long as nothing else is said (docs/reference/behaviour.md §5). */
export const noEnd: DurationInput = { amount: '', unit: 'hours' };

/** The duration that a new link begins with, as the administrator has set it. */
export const initialDuration = (
  { duration, unit }: PageConfig['ShareDefaults'] = pageConfig.ShareDefaults,
): DurationInput => (duration === 0 ? { ...noEnd, unit } : { amount: String(duration), unit });

/** What most links need, by the key of its text. */
export const quickDurations = [
  { id: 'never', duration: noEnd },
  { id: 'oneDay', duration: { amount: '1', unit: 'days' } },
  { id: 'sevenDays', duration: { amount: '7', unit: 'days' } },
  { id: 'thirtyDays', duration: { amount: '30', unit: 'days' } },
] as const satisfies readonly { id: string; duration: DurationInput }[];

/** Whether the server would take it: nothing, or a whole number up to {@link maxShareDuration}. */
export function isValidAmount(amount: string): boolean {
  const text = amount.trim();
  return /^\d*$/u.test(text) && Number(text) <= maxShareDuration;
}

export const isEndless = ({ amount }: DurationInput): boolean => Number(amount.trim()) === 0;

/** When a link ends, as "in 3 days"; null for one that never does. */
export const describeEnd = ({ expire }: Pick<Share, 'expire'>, nowMs = Date.now()): string | null =>
  expire === 0 ? null : formatRelative(expire * 1000, nowMs);

/** Permanent links first, then by their end; of several that end together the newest first. */
export const byEnd = (one: Share, other: Share): number =>
  one.expire - other.expire || other.created - one.created;
