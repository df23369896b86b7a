import type { User } from '@filestead/contract/users';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';

/** The signed-in user in the stored state, and the only storage available to features: narrowed to scope, rules and permissions. */
export interface UserContext {
  readonly user: User;
  readonly sessionId: string;
  /**
   * Reloads the user. From then on {@link UserContext.storage} applies the current rules and permissions.
   * Throws `not_signed_in` if the session has ended or the user was deleted, and `forbidden` if the scope of
   * the user has changed.
   */
  refresh(): Promise<User>;
  /** Opens the user's storage. Throws `not_found` if the scope does not exist. */
  storage(): Promise<NarrowedStorage>;
}
