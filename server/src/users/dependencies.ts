import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { AttemptLimiter } from '../access/sign-in/attempt-limiter.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { UserRepository } from '../database/database.ts';

/** What the verbs of this feature work on. */
export interface UserDependencies {
  readonly users: UserRepository;
  readonly userContexts: Pick<UserContexts, 'forget'>;
  readonly settings: GlobalSettings;
  readonly limiter: AttemptLimiter;
  /** Whether people sign in with the passwords that are stored here, so that a current one can be asked for. */
  readonly hasPasswords: boolean;
  /** Makes a folder below the served root, with its parents; one that exists is fine. */
  readonly createFolder: (path: VirtualPath) => Promise<void>;
  /** Whether anything lies at a path below the served root. */
  readonly isTaken: (path: VirtualPath) => Promise<boolean>;
  /** Ends all sessions of a user but one. */
  readonly endSessions: (userId: number, exceptId?: string) => Promise<void>;
  /** Called with the former hash once another password is stored. */
  readonly onPasswordReplaced?: ((formerHash: string) => Promise<void>) | undefined;
}

/** What making a user needs. */
export type NewUserDependencies = Pick<UserDependencies, 'users' | 'settings' | 'createFolder' | 'isTaken'>;

/** What changing a user needs. */
export type UserChangeDependencies = Pick<
  UserDependencies,
  'users' | 'userContexts' | 'settings' | 'endSessions' | 'onPasswordReplaced'
>;
