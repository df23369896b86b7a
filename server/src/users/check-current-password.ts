import { verifyPassword } from '../access/passwords.ts';
import { AppError } from '../http/app-error.ts';
import type { UserParts } from './user-parts.ts';

/**
 * Newer clients repeat the caller's password with changes of users; it is verified when it was sent (rulings 2). Wrong
 * ones count like wrong sign-ins. Throws `current_password_wrong`, `too_many_requests`.
 */
export async function checkCurrentPassword(
  { users, limiter }: UserParts,
  caller: { userId: number; address: string },
  password: string | undefined,
): Promise<void> {
  if (password === undefined || password === '') return;
  const user = await users.find(caller.userId);
  const attempt = limiter.begin(caller.address, user?.username ?? '');
  if (!(await verifyPassword(user?.passwordHash ?? null, password))) {
    throw new AppError('current_password_wrong');
  }
  attempt.succeeded();
}
