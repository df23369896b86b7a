import type { VirtualPath } from '@filestead/contract/virtual-path';
import type { AttemptLimiter } from '../access/attempt-limiter.ts';
import type { Callers } from '../access/callers.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { UserRepository } from '../database/database.ts';

/** What the verbs of this feature work on. */
export interface UserParts {
  readonly users: UserRepository;
  readonly callers: Callers;
  readonly settings: GlobalSettings;
  readonly limiter: AttemptLimiter;
  /** In characters. */
  readonly minimumPasswordLength: number;
  /** Makes a folder below the served root, with its parents; one that exists is fine. */
  readonly createFolder: (path: VirtualPath) => Promise<void>;
  /** Ends all sessions of a user but one. */
  readonly endSessions: (userId: number, exceptId?: string) => Promise<void>;
}
