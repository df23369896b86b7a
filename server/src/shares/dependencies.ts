import type { AttemptLimiter } from '../access/sign-in/attempt-limiter.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { ShareRepository } from '../database/database.ts';
import type { ShareTokens } from './share-tokens.ts';

/** What the verbs of this feature work on. */
export interface ShareDependencies {
  readonly shares: ShareRepository;
  /** Most links of one user. */
  readonly maxPerUser: number;
  readonly userContexts: UserContexts;
  readonly tokens: ShareTokens;
  /** Counts wrong passwords, by address and by link. */
  readonly passwordLimiter: AttemptLimiter;
  /** Counts requests for links that do not exist, by address. */
  readonly unknownLimiter: AttemptLimiter;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The seconds in which links count their ends. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);
