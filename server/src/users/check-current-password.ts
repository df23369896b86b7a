import { verifyPassword } from '../access/sign-in/passwords.ts';
import { AppError } from '../errors.ts';
import type { UserDependencies } from './dependencies.ts';

/**
 * Verifies the requester's password, which newer clients repeat when they change users. It is verified if it was
 * sent, and required for a change with `needsConfirmation` if the settings require it. Wrong passwords count like
 * wrong sign-ins. Throws `current_password_wrong`, `too_many_requests`.
 */
export async function checkCurrentPassword(
  { users, limiter, settings, hasPasswords }: UserDependencies,
  requester: { userId: number; address: string },
  { password, needsConfirmation }: { password: string | undefined; needsConfirmation: boolean },
): Promise<void> {
  if (!hasPasswords) return;
  if (password === undefined || password === '') {
    if (!needsConfirmation || !settings.current.requireCurrentPassword) return;
    throw new AppError('current_password_wrong', 'this change needs the current password');
  }
  const user = await users.find(requester.userId);
  const attempt = await limiter.begin(requester.address, { account: user?.username ?? '' });
  if (!(await verifyPassword(user?.passwordHash ?? null, password))) {
    throw new AppError('current_password_wrong', 'the current password is wrong');
  }
  attempt.succeeded();
}
