import { initialPreferences } from '@filestead/contract/user-fields';
import { randomInt } from 'node:crypto';
import { defaultMinimumPasswordLength } from '@filestead/contract/values/limits';
import { allPermissions } from '@filestead/contract/values/permissions';
import { hashPassword, isImportedHash, assertValidPassword } from '../access/sign-in/passwords.ts';
import type { Database } from '../database/database.ts';

/** Letters and digits that cannot be mistaken for each other. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns a password of about 92 random bits, in groups that can be copied by hand. */
export function generatePassword(): string {
  const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** The administrator created at the first start. */
export interface FirstAdministrator {
  readonly username: string;
  /** The generated password, to be shown once; null if the administrator chose it. */
  readonly password: string | null;
}

/**
 * Creates the first administrator if there are no users; returns null otherwise. A `password` that is an
 * argon2 or bcrypt hash is stored unchanged. A generated password is passed to `keepPassword` before the user
 * is stored: if that throws, no user is created. Throws `weak_password`.
 */
export async function createFirstAdministrator(
  { users }: Database,
  chosen: { username: string; password: string; minimumPasswordLength: number | null },
  keepPassword: (password: string) => void = () => undefined,
): Promise<FirstAdministrator | null> {
  if ((await users.list()).length > 0) return null;
  const { username, password, minimumPasswordLength } = chosen;
  const isHash = password.startsWith('$argon2') || isImportedHash(password);
  if (password !== '' && !isHash) {
    assertValidPassword(password, username, minimumPasswordLength ?? defaultMinimumPasswordLength);
  }
  const generated = password === '' ? generatePassword() : null;
  if (generated !== null) keepPassword(generated);
  await users.create({
    username,
    passwordHash: isHash ? password : await hashPassword(generated ?? password),
    scope: '/',
    lockPassword: false,
    perm: allPermissions,
    commands: [],
    rules: [],
    ...initialPreferences,
  });
  return { username, password: generated };
}
