import type { PageConfig } from '@filestead/contract/page-config';
import type { Share, ShareUnit } from '@filestead/contract/shares';
import { pageConfig } from '../../api/page-config.ts';

/** The duration of a share as typed. An empty or zero amount means no expiry (docs/reference/behaviour.md §5). */
export interface DurationInput {
  readonly amount: string;
  readonly unit: ShareUnit;
}

/** No expiry; the default unit is hours (docs/reference/behaviour.md §5). */
export const noExpiry: DurationInput = { amount: '', unit: 'hours' };

/** Returns the initial duration of a new share, as set by the administrator. */
export const initialDuration = (
  { duration, unit }: PageConfig['ShareDefaults'] = pageConfig.ShareDefaults,
): DurationInput => (duration === 0 ? { ...noExpiry, unit } : { amount: String(duration), unit });

export const isEndless = ({ amount }: DurationInput): boolean => Number(amount.trim()) === 0;

/** Sorts permanent shares first, then by expiry; the newest first for equal ones. */
export const compareByExpiry = (one: Share, other: Share): number =>
  one.expire - other.expire || other.created - one.created;
