import { expiredShareDays } from '@filestead/contract/values/limits';
import type { AttemptLimiter } from '../access/sign-in/attempt-limiter.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { ShareRepository } from '../database/database.ts';
import type { ShareSync } from './sync-shares-with-files.ts';
import type { ShareTokens } from './share-tokens.ts';
import type { VisitCounter } from './visit-counter.ts';

/** The dependencies of the functions of this feature. */
export interface ShareDependencies {
  readonly shares: ShareRepository;
  /** Maximum number of shares per user. */
  readonly maxPerUser: number;
  readonly userContexts: UserContexts;
  readonly sync: ShareSync;
  readonly tokens: ShareTokens;
  readonly visits: VisitCounter;
  /** Limits wrong passwords, by address and by share. */
  readonly passwordLimiter: AttemptLimiter;
  /** Limits requests for unknown shares, by address. */
  readonly unknownLimiter: AttemptLimiter;
  /** Returns the time in Unix milliseconds. */
  readonly now: () => number;
}

/** Converts Unix milliseconds to the seconds in which the end of a share is stored. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/**
 * Returns the latest expiry of the expired shares that are removed at `nowMs` (Unix milliseconds), in Unix seconds. Those that
 * have expired later are kept.
 */
export const lastRemovedExpiry = (nowMs: number): number =>
  secondsOf(nowMs) - expiredShareDays * 24 * 60 * 60;
