import type { User } from '@filestead/contract/users';
import type { Storage } from '../storage/storage.ts';

/** The signed-in user as stored now, and the only storage that features ever get: narrowed to scope, rules and permissions. */
export interface Caller {
  readonly user: User;
  readonly sessionId: string;
  /** Throws `not_found` when the user's scope does not exist. */
  storage(): Promise<Storage>;
}
