import {
  type Preference,
  type UserField,
  administratorFields,
  initialPreferences,
  isAddedPreference,
  userFields,
} from '@filestead/contract/user-fields';
import type { UserChange } from '@filestead/contract/users';
import { normalizeRules } from '../access/rules/compile-rules.ts';
import { completePermissions, normalizePermissions } from '../access/normalize-permissions.ts';
import { hashPassword, assertValidPassword } from '../access/sign-in/passwords.ts';
import type { NewUser, StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { noPermissions, type PermissionsChange } from '@filestead/contract/values/permissions';
import type { UserContext } from '../access/user-context.ts';
import { assertValidUsername } from './assert-username.ts';
import { normalizeScope } from './home-folder.ts';
import type { UserChangeDependencies } from './dependencies.ts';

type Change = { -readonly [Field in keyof NewUser]?: NewUser[Field] };
/** A change as sent: an older client omits the permission `purge`. */
type SentChange = Omit<Change, 'perm'> & Pick<UserChange, 'perm'>;

/** Returns the field `name`; existing clients vary the case of the first letter. */
function fieldOf(name: string): UserField {
  const fieldName = name.charAt(0).toLowerCase() + name.slice(1);
  const field = userFields.find((known) => known === fieldName);
  if (field === undefined) throw new AppError('bad_request', 'which: contains an unknown field');
  return field;
}

/** Returns the fields named by `which`, or `all` for the whole record if it is empty or `all`. Throws `bad_request`. */
export function fieldsOf(which: readonly string[]): readonly UserField[] | 'all' {
  const isWhole = which.length === 0 || (which.length === 1 && which[0]?.toLowerCase() === 'all');
  return isWhole ? 'all' : which.map(fieldOf);
}

/**
 * The fields that a whole record resets when they are absent (docs/reference/filebrowser-api.md §1.13). An empty
 * password keeps the stored one, and preferences that older clients do not know keep their values.
 */
const resets: Omit<Change, 'perm'> & { perm: PermissionsChange } = {
  scope: '/',
  lockPassword: false,
  perm: { ...noPermissions, purge: undefined },
  commands: [],
  rules: [],
  ...Object.fromEntries(
    Object.entries(initialPreferences).filter(([name]) => !isAddedPreference(name as Preference)),
  ),
};

/** Returns the values of the named fields. All of them must be present, except for the password, which is left out. */
function pick(data: UserChange, fields: readonly UserField[]): SentChange {
  const change: Record<string, unknown> = {};
  for (const field of fields) {
    if (field === 'password') continue;
    if (data[field] === undefined) throw new AppError('bad_request', `data: lacks ${field}`);
    change[field] = data[field];
  }
  return change;
}

/** Throws `forbidden` or `password_locked` for fields that only administrators may change. */
function assertMayChange(userContext: UserContext, fields: readonly UserField[] | 'all'): void {
  if (userContext.user.perm.admin) return;
  if (fields === 'all' || fields.some((field) => administratorFields.includes(field))) {
    throw new AppError('forbidden');
  }
  if (fields.includes('password') && userContext.user.lockPassword) throw new AppError('password_locked');
}

/**
 * Changes the fields that `which` names, or all when it is empty or `all`. A new password ends the user's other sessions.
 * Throws what {@link changeUser} throws, `forbidden` and `password_locked`.
 */
export async function updateUser(
  parts: UserChangeDependencies,
  userContext: UserContext,
  id: number,
  change: { which: readonly string[]; data: UserChange },
): Promise<StoredUser> {
  assertMayChange(userContext, fieldsOf(change.which));
  return changeUser(parts, id, change, userContext.sessionId);
}

/**
 * Changes a user as {@link updateUser} does, but without checking permissions. A new password ends all sessions of the
 * user except `keptSession`. Throws `bad_request`, `invalid_path`, `invalid_rule`, `weak_password`, `not_found`,
 * `username_taken`, `last_administrator`.
 */
export async function changeUser(
  parts: UserChangeDependencies,
  id: number,
  { which, data }: { which: readonly string[]; data: UserChange },
  keptSession?: string,
): Promise<StoredUser> {
  const { users, userContexts, endSessions, settings, onPasswordReplaced } = parts;
  const fields = fieldsOf(which);
  if (data.id !== id) throw new AppError('bad_request', 'data.id: differs from the id in the path');
  const current = await users.find(id);
  if (current === null) throw new AppError('not_found');

  const { perm, ...others } = fields === 'all' ? { ...resets, ...pickPresent(data) } : pick(data, fields);
  const change: Change = others;
  if (perm !== undefined) {
    change.perm = completePermissions(normalizePermissions(perm, current.perm), current.perm);
  }
  if (change.username !== undefined) assertValidUsername(change.username);
  if (change.scope !== undefined) {
    change.scope = normalizeScope(change.scope);
    // Another scope is an administrator's decision for this account. A client that sends back the unchanged record makes no such decision.
    if (data.scope !== undefined && change.scope !== current.scope) change.awaitsScope ??= false;
  }
  if (change.rules !== undefined) change.rules = await normalizeRules(change.rules);
  const password = fields === 'all' || fields.includes('password') ? (data.password ?? '') : '';
  if (password !== '') {
    assertValidPassword(password, change.username ?? current.username, settings.minimumPasswordLength);
    change.passwordHash = await hashPassword(password);
  }
  const updated = await users.update(id, change);
  userContexts.forget(id);
  if (password !== '') {
    await endSessions(id, keptSession);
    await onPasswordReplaced?.(current.passwordHash);
  }
  return updated;
}

/** Returns the fields of a whole record that were sent. */
function pickPresent(data: UserChange): SentChange {
  const present = userFields.filter((field) => field !== 'password' && data[field] !== undefined);
  return pick(data, present);
}
