import { noPermissions } from './no-permissions.ts';
import type { UserChange } from '@filestead/contract/users';
import type { VirtualPath } from '@filestead/contract/virtual-path';
import { normaliseRules } from '../access/compile-rules.ts';
import { hashPassword, requireGoodPassword } from '../access/passwords.ts';
import type { StoredUser } from '../database/database.ts';
import { AppError } from '../http/app-error.ts';
import { requireGoodName } from './good-name.ts';
import { homeOf, normaliseScope } from './home-folder.ts';
import type { UserParts } from './user-parts.ts';

/** Where a new user lives. Throws `username_taken` when a home made from the name is somebody else's already. */
async function scopeFor(
  { users, settings }: UserParts,
  username: string,
  wanted: string,
): Promise<VirtualPath> {
  const { createUserDir, userHomeBasePath } = settings.current;
  if (wanted.trim() !== '' || !createUserDir) return normaliseScope(wanted);
  const home = homeOf(userHomeBasePath, username);
  const owners = await users.list();
  if (owners.some((user) => user.scope.toLowerCase() === home.toLowerCase())) {
    throw new AppError('username_taken', 'the home folder made from this name belongs to another user');
  }
  return home;
}

/**
 * Creates a user and the folder of its scope. Missing fields take their plain defaults, without permissions.
 * Throws `bad_request`, `invalid_rule`, `weak_password`, `username_taken`.
 */
export async function createUser(parts: UserParts, data: UserChange): Promise<StoredUser> {
  const { users, createFolder, minimumPasswordLength } = parts;
  const { username = '', password = '', scope = '' } = data;
  if (data.id !== undefined && data.id !== 0) throw new AppError('bad_request', 'a new user has no id yet');
  requireGoodName(username);
  if (password === '') throw new AppError('bad_request', 'a new user needs a password');
  requireGoodPassword(password, username, minimumPasswordLength);
  if ((await users.findByName(username)) !== null) throw new AppError('username_taken');
  const rules = await normaliseRules(data.rules ?? []);
  const home = await scopeFor(parts, username, scope);
  const user = await users.create({
    username,
    passwordHash: await hashPassword(password),
    scope: home,
    locale: data.locale ?? '',
    lockPassword: data.lockPassword ?? false,
    viewMode: data.viewMode ?? 'list',
    singleClick: data.singleClick ?? false,
    perm: data.perm ?? noPermissions,
    commands: data.commands ?? [],
    sorting: data.sorting ?? { by: 'name', asc: false },
    rules,
    hideDotfiles: data.hideDotfiles ?? false,
    dateFormat: data.dateFormat ?? false,
  });
  try {
    if (home !== '/') await createFolder(home);
  } catch (error) {
    await users.remove(user.id);
    throw error;
  }
  return user;
}
