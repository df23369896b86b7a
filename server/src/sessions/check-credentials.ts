import type { AttemptLimiter } from '../access/attempt-limiter.ts';
import { verifyPassword } from '../access/passwords.ts';
import type { StoredUser, UserRepository } from '../database/database.ts';
import { AppError } from '../http/app-error.ts';

/**
 * The user whose name and password these are. Unknown names cost the same work and get the same answer as wrong passwords.
 * Throws `wrong_credentials`, `too_many_requests`.
 */
export async function checkCredentials(parts: {
  users: UserRepository;
  limiter: AttemptLimiter;
  address: string;
  username: string;
  password: string;
}): Promise<StoredUser> {
  const { users, limiter, address, username, password } = parts;
  const attempt = limiter.begin(address, username);
  const user = await users.findByName(username);
  const isRight = await verifyPassword(user?.passwordHash ?? null, password);
  if (user === null || !isRight) throw new AppError('wrong_credentials');
  attempt.succeeded();
  return user;
}
