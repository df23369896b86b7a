import type { Share } from '@filestead/contract/shares';
import { isExpired } from '../../../api/public-share.ts';

/** A share that expires within this time is marked, in seconds. */
const soonSeconds = 3 * 24 * 60 * 60;

/** Whether a share expires within `seconds`. */
export const isWithin = (seconds: number, { expire }: Share, nowMs = Date.now()): boolean =>
  expire !== 0 && expire - nowMs / 1000 < seconds;

/** Whether an active share expires soon. */
export const isSoon = (share: Share): boolean => isWithin(soonSeconds, share) && !isExpired(share);
