import { initialPreferences, preferencesOr } from '@filestead/contract/user-fields';
import { UserChange } from '@filestead/contract/users';
import * as z from 'zod/mini';
import {
  noPermissions,
  type Permissions,
  type PermissionsChange,
} from '@filestead/contract/values/permissions';
import { completePermissions } from '../../access/normalize-permissions.ts';
import { normalizeRules } from '../../access/rules/compile-rules.ts';
import type { NewUser, StoredUser } from '../../database/database.ts';
import { assertValidUsername } from '../../users/assert-username.ts';
import { normalizeScope } from '../../users/home-folder.ts';
import { CliError } from '../command.ts';
import { isRecord, parsePart, unknownPaths, withKeysOf, withoutNulls } from '../records/parse-record.ts';

/**
 * An exported user: the user object of the API with the password hash (docs/reference/filebrowser-api.md
 * §5.4).
 */
export type UserRecord = Omit<NewUser, 'passwordHash'> & { readonly id: number; readonly password: string };

/** Returns the user as it is exported. */
export function userRecordOf(stored: StoredUser): UserRecord {
  const {
    passwordHash,
    changedAt: _changedAt,
    lastSignInAt: _lastSignInAt,
    scopeSince: _scopeSince,
    ...user
  } = stored;
  return { ...user, password: passwordHash };
}

/** A parsed record; an `id` of 0 means none. */
export interface ParsedUser {
  readonly id: number;
  readonly user: NewUser;
}

/** A user with all keys, for restoring the case of keys from YAML exports. */
const model = {
  id: 0,
  username: '',
  password: '',
  scope: '',
  lockPassword: false,
  ...initialPreferences,
  commands: [],
  awaitsScope: false,
  perm: noPermissions,
  rules: [{ regex: false, allow: false, path: '', regexp: { raw: '' } }],
};

/** Converts the keys to those of the API and removes `null` values. */
export const canonicalUser = (record: unknown): unknown => withoutNulls(withKeysOf(record, model));

/** Returns the permissions of an exported user; in a record without `purge` it is granted with `delete`. */
const permissionsOfRecord = (perm: PermissionsChange = noPermissions): Permissions =>
  completePermissions(perm, { purge: perm.delete });

/** Returns the user described by a parsed change; missing fields get plain defaults. */
export async function newUserOf(change: UserChange): Promise<NewUser> {
  return {
    username: change.username ?? '',
    passwordHash: change.password ?? '',
    scope: normalizeScope(change.scope ?? ''),
    lockPassword: change.lockPassword ?? false,
    ...preferencesOr(change, (name) => initialPreferences[name]),
    perm: permissionsOfRecord(change.perm),
    commands: change.commands ?? [],
    rules: await normalizeRules(change.rules ?? []),
    awaitsScope: change.awaitsScope ?? false,
  };
}

/** Form of password hashes: argon2, and bcrypt of File Browser. */
const PasswordHash = z
  .string()
  .check(
    z.refine(
      (text) => /^\$(?:argon2id?|2[abxy])\$[\w$./+,=-]{20,200}$/.test(text),
      'expected the hash of a password',
    ),
  );

/** Parses one record at `path`. Throws {@link CliError} with the path of an error. */
export async function parseUserRecord(record: unknown, path: string): Promise<ParsedUser> {
  const given = canonicalUser(record);
  if (!isRecord(given)) throw new CliError(`${path}: expected a user`);
  const change = parsePart(UserChange, given, path);
  const [unknown] = unknownPaths(given, change, path);
  if (unknown !== undefined) throw new CliError(`${unknown}: users have no such field`);
  parsePart(PasswordHash, change.password ?? '', `${path}.password`);
  try {
    assertValidUsername(change.username ?? '');
    return { id: change.id ?? 0, user: await newUserOf(change) };
  } catch (error) {
    throw new CliError(`${path}: ${error instanceof Error ? error.message : 'invalid'}`, { cause: error });
  }
}
