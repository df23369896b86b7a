import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyPassword } from './access/passwords.ts';
import type { UserRepository } from './database/database.ts';

/** The file with the password of the first administrator, until that password is changed. */
export const initialPasswordFile = (data: string): string => join(data, 'initial-password');

/** Writes the password for the owner of the data folder only, in place of an older one. Returns the file. */
export function saveInitialPassword(data: string, password: string): string {
  const file = initialPasswordFile(data);
  rmSync(file, { force: true });
  writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

/** Whether one of the hashes is that of the password in the file. */
async function isOf(file: string, hashes: readonly string[]): Promise<boolean> {
  const password = readFileSync(file, 'utf8').trimEnd();
  for (const hash of hashes) if (await verifyPassword(hash, password)) return true;
  return false;
}

/** Removes the file when `formerHash`, which has just been replaced, was that of its password. */
export async function dropInitialPassword(data: string, formerHash: string): Promise<void> {
  const file = initialPasswordFile(data);
  if (existsSync(file) && (await isOf(file, [formerHash]))) rmSync(file, { force: true });
}

/** Removes the file when no administrator has its password any more, for instance after an import. */
export async function dropOutdatedPassword(data: string, users: Pick<UserRepository, 'list'>): Promise<void> {
  const file = initialPasswordFile(data);
  if (!existsSync(file)) return;
  const administrators = (await users.list()).filter(({ perm }) => perm.admin);
  const hashes = administrators.map(({ passwordHash }) => passwordHash);
  if (!(await isOf(file, hashes))) rmSync(file, { force: true });
}
