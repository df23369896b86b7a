import type { Attempt } from '../access/sign-in/attempt-limiter.ts';
import { hashPassword, isImportedHash, verifyPassword } from '../access/sign-in/passwords.ts';
import type { StoredUser, UserRepository } from '../database/database.ts';
import { AppError, isAppError } from '../errors.ts';

/**
 * Returns the user with this username and password. Unknown names take as long as wrong passwords and cause the
 * same error. An imported hash is replaced by an argon2id hash. Throws `wrong_credentials`.
 */
export async function checkCredentials(
  users: UserRepository,
  attempt: Attempt,
  { username, password }: { username: string; password: string },
): Promise<StoredUser> {
  const [user, anyImported] = await Promise.all([users.findByName(username), users.findImportedHash()]);
  const isRight = await verifyPassword(user?.passwordHash ?? null, password, anyImported);
  if (user === null || !isRight) throw new AppError('wrong_credentials');
  attempt.succeeded();
  if (isImportedHash(user.passwordHash)) {
    try {
      await users.rehash(user.id, user.passwordHash, await hashPassword(password));
    } catch (error) {
      // The imported hash remains valid; the next sign-in replaces it.
      if (!isAppError(error, 'storage_full', 'database_unavailable')) throw error;
    }
    // A concurrent sign-in may have stored its own hash, or the password has changed.
    const current = await users.find(user.id);
    if (!(await verifyPassword(current?.passwordHash ?? null, password)) || current === null) {
      throw new AppError('wrong_credentials');
    }
    return current;
  }
  return user;
}
