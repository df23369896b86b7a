import { initialPreferences, isAddedPreference, preferencesOr } from '@filestead/contract/user-fields';
import type { UserChange } from '@filestead/contract/users';
import { noPermissions } from '@filestead/contract/values/permissions';
import { normalizeRules } from '../access/rules/compile-rules.ts';
import { completePermissions, normalizePermissions } from '../access/normalize-permissions.ts';
import { hashPassword, assertValidPassword } from '../access/sign-in/passwords.ts';
import type { StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { assertValidUsername } from './assert-username.ts';
import { homeFor, storeNewUser } from './store-new-user.ts';
import type { NewUserDependencies } from './dependencies.ts';

/**
 * Creates a user and the folder of its scope. Missing fields get their plain defaults, without permissions;
 * fields that older clients do not know get the defaults of the settings. Throws `bad_request`,
 * `invalid_path`, `invalid_rule`, `weak_password`, `username_taken`.
 */
export async function createUser(parts: NewUserDependencies, data: UserChange): Promise<StoredUser> {
  const { username = '', password = '', scope = '' } = data;
  if (data.id !== undefined && data.id !== 0) throw new AppError('bad_request', 'a new user has no id yet');
  assertValidUsername(username);
  if (password === '') throw new AppError('bad_request', 'a new user needs a password');
  assertValidPassword(password, username, parts.settings.minimumPasswordLength);
  const given = normalizePermissions(data.perm ?? noPermissions);
  const perm = completePermissions(given, {
    purge: given.delete && parts.settings.current.defaults.perm.purge,
  });
  if ((await parts.users.findByName(username)) !== null) throw new AppError('username_taken');
  const { defaults } = parts.settings.current;
  const user = {
    username,
    passwordHash: await hashPassword(password),
    lockPassword: data.lockPassword ?? false,
    ...preferencesOr(data, (name) => (isAddedPreference(name) ? defaults : initialPreferences)[name]),
    perm,
    commands: data.commands ?? [],
    rules: await normalizeRules(data.rules ?? []),
    awaitsScope: data.awaitsScope ?? false,
  };
  // An administrator knows the folders and may choose an existing one.
  return storeNewUser(parts, user, homeFor(parts, username, scope), false);
}
