import type { Permissions } from '@filestead/contract/values/permissions';
import type { Sorting, ViewMode } from '@filestead/contract/users';
import type { StoredUser } from '../database/database.ts';

/** What a sign-in program may say about a user (docs/reference/filebrowser-api.md §4). */
export interface AccountFields {
  /** From the served root. */
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

/** Accounts that are not made by an administrator. */
export interface Accounts {
  /**
   * Makes an account from the defaults of new users, without their administration, execution and commands, and then with
   * `fields`. Its home folder is a new one that nobody else has. Without a `password` nobody can sign in with one.
   * Throws `bad_request` for names that cannot be used, `username_taken`, and what the storage throws.
   */
  create(account: {
    username: string;
    password: string | null;
    lockPassword: boolean;
    fields: AccountFields;
  }): Promise<StoredUser>;
  /** Puts `fields` and, unless null, the password in the place of what is stored. Throws `last_administrator`. */
  update(
    user: StoredUser,
    change: { password: string | null; lockPassword: boolean; fields: AccountFields },
  ): Promise<StoredUser>;
}
