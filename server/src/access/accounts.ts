import type { Permissions } from '@filestead/contract/values/permissions';
import type { Sorting, ViewMode } from '@filestead/contract/users';
import type { StoredUser } from '../database/database.ts';

/** Fields of a user that a sign-in program may set (docs/reference/filebrowser-api.md §4). */
export interface AccountFields {
  /** A path in the served folder. */
  readonly scope?: string;
  readonly locale?: string;
  readonly viewMode?: ViewMode;
  readonly singleClick?: boolean;
  readonly redirectAfterCopyMove?: boolean;
  readonly sorting?: Partial<Sorting>;
  readonly commands?: readonly string[];
  readonly hideDotfiles?: boolean;
  readonly perm?: Partial<Permissions>;
}

/** Creates and updates accounts without an administrator. */
export interface Accounts {
  /**
   * Creates an account with the defaults for new users except administration, execution and commands, and
   * then applies `fields`. Its home folder is new and belongs to no other user. Without a `password`, signing
   * in with a password is impossible. Throws `bad_request` for unusable names, `username_taken`, and errors
   * of the storage.
   */
  create(account: {
    username: string;
    password: string | null;
    lockPassword: boolean;
    fields: AccountFields;
  }): Promise<StoredUser>;
  /**
   * Overwrites the stored values with `fields` and, unless it is null, the password. Throws
   * `last_administrator`.
   */
  update(
    user: StoredUser,
    change: { password: string | null; lockPassword: boolean; fields: AccountFields },
  ): Promise<StoredUser>;
}
