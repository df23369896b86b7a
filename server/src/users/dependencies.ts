import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { AttemptLimiter } from '../access/sign-in/attempt-limiter.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { UserRepository } from '../database/database.ts';

/** Dependencies of the functions of this feature. */
export interface UserDependencies {
  readonly users: UserRepository;
  readonly userContexts: Pick<UserContexts, 'forget'>;
  readonly settings: GlobalSettings;
  readonly limiter: AttemptLimiter;
  /** Whether users sign in with the passwords stored here, so that the current one can be required. */
  readonly hasPasswords: boolean;
  /** Creates a folder below the served root with its parents; does nothing if it exists. */
  readonly createFolder: (path: VirtualPath) => Promise<void>;
  /** Whether an entry exists at a path below the served root. */
  readonly entryExists: (path: VirtualPath) => Promise<boolean>;
  /** Ends all sessions of a user except `exceptId`. */
  readonly endSessions: (userId: number, exceptId?: string) => Promise<void>;
  /** Called with the previous hash after a password was changed. */
  readonly onPasswordReplaced?: ((formerHash: string) => Promise<void>) | undefined;
}

/** Dependencies for creating a user. */
export type NewUserDependencies = Pick<
  UserDependencies,
  'users' | 'settings' | 'createFolder' | 'entryExists'
>;

/** Dependencies for changing a user. */
export type UserChangeDependencies = Pick<
  UserDependencies,
  'users' | 'userContexts' | 'settings' | 'endSessions' | 'onPasswordReplaced'
>;
