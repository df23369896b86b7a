import type { Accounts } from '../access/accounts.ts';
import type { AttemptLimiter } from '../access/sign-in/attempt-limiter.ts';
import type { Captcha } from '../access/sign-in/captcha.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import { assertValidPassword } from '../access/sign-in/passwords.ts';
import type { StoredUser, UserRepository } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { assertValidUsername } from './assert-username.ts';

/**
 * Creates an account for a visitor. Every attempt is counted by the limiter, because the response reveals which
 * names exist. Throws `bad_request`, `too_many_requests`, `captcha_failed`, `sign_in_unavailable`,
 * `weak_password`, `username_taken`.
 */
export async function signUp(
  parts: {
    accounts: Accounts;
    users: UserRepository;
    settings: GlobalSettings;
    captcha: Captcha;
    limiter: AttemptLimiter;
  },
  visitor: { username: string; password: string; recaptcha: string; address: string },
): Promise<StoredUser> {
  const { accounts, users, settings, captcha, limiter } = parts;
  const { username, password, recaptcha, address } = visitor;
  if (username === '' || password === '')
    throw new AppError('bad_request', 'username and password are required');
  await limiter.begin(address, null);
  assertValidUsername(username);
  await captcha.verify(recaptcha, username);
  assertValidPassword(password, username, settings.minimumPasswordLength);
  if ((await users.findByName(username)) !== null) throw new AppError('username_taken');
  const user = await accounts.create({ username, password, lockPassword: false, fields: {} });
  captcha.keepForSignIn(recaptcha, username);
  return user;
}
