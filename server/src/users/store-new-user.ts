import { type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { NewUser, StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { homeOf, normalizeScope } from './home-folder.ts';
import type { NewUserDependencies } from './dependencies.ts';

/** Scope of a new user. */
export interface Home {
  readonly scope: VirtualPath;
  /** Whether it is derived from the username, so that it must not belong to another user. */
  readonly isDerived: boolean;
}

/**
 * Returns the home folder derived from a name if home folders are enabled and no scope is requested
 * (docs/reference/filebrowser-api.md §3.2).
 */
export function homeFor(
  { settings }: Pick<NewUserDependencies, 'settings'>,
  username: string,
  requestedScope: string,
): Home {
  const { createUserDir, userHomeBasePath } = settings.current;
  if (requestedScope.trim() !== '' || !createUserDir)
    return { scope: normalizeScope(requestedScope), isDerived: false };
  return { scope: homeOf(userHomeBasePath, username), isDerived: true };
}

/**
 * Stores a user and creates the folder of its scope; if either fails, neither remains. A derived home must
 * not belong to another user and, with `isNewFolder`, must not exist yet, so that files of a former user are
 * not exposed. A name that looks like another user's is refused. Throws `username_taken`.
 */
export async function storeNewUser(
  { users, createFolder, entryExists }: NewUserDependencies,
  user: Omit<NewUser, 'scope'>,
  { scope, isDerived }: Home,
  isNewFolder: boolean,
): Promise<StoredUser> {
  const stored = await users.create({ ...user, scope }, { ownsScope: isDerived, isDistinct: true });
  try {
    if (isDerived && isNewFolder && (await entryExists(scope))) {
      throw new AppError('username_taken', 'the home folder derived from this name exists already');
    }
    if (scope !== '/') await createFolder(scope);
  } catch (error) {
    await users.remove(stored.id);
    throw error;
  }
  return stored;
}
