import { type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { NewUser, StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { homeOf, normaliseScope } from './home-folder.ts';
import type { NewUserDependencies } from './dependencies.ts';

/** Where a new user lives. */
export interface Home {
  readonly scope: VirtualPath;
  /** Made from the user's name, so that it has to be the user's alone. */
  readonly isDerived: boolean;
}

/** The home that is made from a name when home folders are on and no scope is `wanted` (docs/reference/filebrowser-api.md §3.2). */
export function homeFor(
  { settings }: Pick<NewUserDependencies, 'settings'>,
  username: string,
  wanted: string,
): Home {
  const { createUserDir, userHomeBasePath } = settings.current;
  if (wanted.trim() !== '' || !createUserDir) return { scope: normaliseScope(wanted), isDerived: false };
  return { scope: homeOf(userHomeBasePath, username), isDerived: true };
}

/**
 * Stores a user and makes the folder of its scope; neither stays without the other. A derived home must be nobody else's,
 * and with `isNewFolder` must not exist yet: what a former user left behind is not handed over. A name that looks like
 * somebody else's is taken. Throws `username_taken`.
 */
export async function storeNewUser(
  { users, createFolder, isTaken }: NewUserDependencies,
  user: Omit<NewUser, 'scope'>,
  { scope, isDerived }: Home,
  isNewFolder: boolean,
): Promise<StoredUser> {
  const stored = await users.create({ ...user, scope }, { ownsScope: isDerived, isDistinct: true });
  try {
    if (isDerived && isNewFolder && (await isTaken(scope))) {
      throw new AppError('username_taken', 'the home folder made from this name exists already');
    }
    if (scope !== '/') await createFolder(scope);
  } catch (error) {
    await users.remove(stored.id);
    throw error;
  }
  return stored;
}
