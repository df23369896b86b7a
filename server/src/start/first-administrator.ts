import { randomInt } from 'node:crypto';
import { defaultMinimumPasswordLength } from '@filestead/contract/values/limits';
import { hashPassword, isImportedHash, assertValidPassword } from '../access/sign-in/passwords.ts';
import type { Database } from '../database/database.ts';

/** Letters and digits that cannot be taken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password of about 92 random bits, in groups that can be copied by hand. */
export function makePassword(): string {
  const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** Who was made at the first start. */
export interface FirstAdministrator {
  readonly username: string;
  /** To be shown once; null when the administrator chose it. */
  readonly password: string | null;
}

/**
 * Makes the first administrator when there are no users yet; null when there are. A `password` that is an argon2 or bcrypt hash
 * is stored as it is. `keepPassword` gets a password that was made up before its user is stored: when it throws, there is no
 * user. Throws `weak_password`.
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
  const made = password === '' ? makePassword() : null;
  if (made !== null) keepPassword(made);
  await users.create({
    username,
    passwordHash: isHash ? password : await hashPassword(made ?? password),
    scope: '/',
    locale: '',
    lockPassword: false,
    viewMode: 'list',
    singleClick: false,
    redirectAfterCopyMove: false,
    perm: {
      admin: true,
      execute: true,
      create: true,
      rename: true,
      modify: true,
      delete: true,
      share: true,
      download: true,
    },
    commands: [],
    sorting: { by: 'name', asc: false },
    rules: [],
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: '',
  });
  return { username, password: made };
}
