import type { StoredUser, UserRepository } from '../../database/database.ts';
import { CliError } from '../command.ts';

/** Finds the user of an argument: digits are an id, anything else is a name. Throws {@link CliError}. */
export async function findUser(users: UserRepository, idOrName: string): Promise<StoredUser> {
  const isId = /^\d{1,15}$/.test(idOrName);
  const found = isId ? await users.find(Number(idOrName)) : await users.findByName(idOrName);
  if (found === null) throw new CliError(`there is no user ${isId ? 'with the id ' : ''}“${idOrName}”`);
  return found;
}
