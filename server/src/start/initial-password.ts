import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyPassword } from '../access/sign-in/passwords.ts';
import type { UserRepository } from '../database/database.ts';

/** Path of the file that contains the first administrator's password until it is changed. */
export const initialPasswordFile = (data: string): string => join(data, 'initial-password');

/** Writes the password with mode 600, replacing an older file. Returns the path. */
export function saveInitialPassword(data: string, password: string): string {
  const file = initialPasswordFile(data);
  rmSync(file, { force: true });
  writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

/** The first administrator's password that is still in the file, and the administrator who has it. */
export interface InitialPassword {
  readonly username: string;
  readonly password: string;
  readonly file: string;
}

/** Reads the file; null if there is none, or if no administrator has its password. */
export async function readInitialPassword(
  data: string,
  users: Pick<UserRepository, 'list'>,
): Promise<InitialPassword | null> {
  const file = initialPasswordFile(data);
  if (!existsSync(file)) return null;
  const password = readFileSync(file, 'utf8').trimEnd();
  for (const { username, perm, passwordHash } of await users.list()) {
    if (perm.admin && (await verifyPassword(passwordHash, password))) return { username, password, file };
  }
  return null;
}

/** Removes the file if `formerHash`, which was just replaced, belongs to its password. */
export async function dropInitialPassword(data: string, formerHash: string): Promise<void> {
  const file = initialPasswordFile(data);
  if (!existsSync(file)) return;
  if (await verifyPassword(formerHash, readFileSync(file, 'utf8').trimEnd())) rmSync(file, { force: true });
}
