import type { User } from '@filestead/contract/users';
import type { Storage } from '../storage/storage.ts';

/** The signed-in user as stored now, and the only storage that features ever get: narrowed to scope, rules and permissions. */
export interface UserContext {
  readonly user: User;
  readonly sessionId: string;
  /**
   * The user as of now. From then on {@link UserContext.storage} obeys the rules and permissions of now. Throws `not_signed_in`
   * when the session has ended or the user is gone, `forbidden` when the scope of the user is another by now.
   */
  refresh(): Promise<User>;
  /** Throws `not_found` when the user's scope does not exist. */
  storage(): Promise<Storage>;
}
