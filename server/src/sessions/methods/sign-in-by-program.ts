import { verifyPassword } from '../../access/sign-in/passwords.ts';
import { usernameToLookUp } from '../../usernames/usable-username.ts';
import type { StoredUser } from '../../database/database.ts';
import { clientAddress } from '../../http/request/client-address.ts';
import { AppError, isAppError } from '../../errors.ts';
import { checkCredentials } from '../check-credentials.ts';
import { auditProvisioning } from './audit-provisioning.ts';
import { type HookResult, parseHookResult } from './parse-hook-result.ts';
import { runSignInProgram } from './run-sign-in-program.ts';
import type { SignInDependencies, SignInRequest } from './dependencies.ts';

type Credentials = Pick<SignInRequest, 'username' | 'password'>;

/** Creates or updates the user whom the program has accepted. Names are compared exactly, as for proxies. */
async function provisionUser(
  { users, accounts }: SignInDependencies,
  { username, password }: Credentials,
  { fields, hasFields }: HookResult,
  request: SignInRequest['request'],
): Promise<StoredUser> {
  const user = await users.findByName(username);
  const known = password === '' ? null : password;
  if (user === null) {
    const created = await accounts.create({ username, password: known, lockPassword: true, fields });
    auditProvisioning(request, created, null);
    return created;
  }
  if (user.username !== username) throw new AppError('wrong_credentials');
  const isNew = known !== null && !(await verifyPassword(user.passwordHash, known));
  if (!hasFields && !isNew && user.lockPassword) return user;
  const updated = await accounts.update(user, {
    password: isNew ? known : null,
    lockPassword: true,
    fields,
  });
  auditProvisioning(request, updated, user);
  return updated;
}

/**
 * Signs in with the decision of the administrator's program (docs/reference/filebrowser-api.md §4). Throws
 * `wrong_credentials`, `too_many_requests`, and `sign_in_unavailable` if the program fails or its output is
 * invalid.
 */
export async function signInByProgram(
  parts: SignInDependencies,
  { username: typed, password, request }: SignInRequest,
): Promise<StoredUser> {
  const username = usernameToLookUp(typed);
  const { signal } = request.opened?.running ?? {};
  const attempt = await parts.limiter.begin(clientAddress(request), { account: username }, signal);
  if (username === '' || password.includes('\0')) throw new AppError('wrong_credentials');
  let hookResult: HookResult;
  try {
    hookResult = parseHookResult(
      await runSignInProgram(parts.method.command, { username, password }, parts.passedVariables),
    );
  } catch (error) {
    request.log.error({ err: error }, 'the sign-in program failed or returned invalid output');
    throw new AppError('sign_in_unavailable', 'signing in is not possible at the moment', { cause: error });
  }
  if (hookResult.action === 'block') throw new AppError('wrong_credentials');
  if (hookResult.action === 'pass') {
    if (password === '') throw new AppError('wrong_credentials');
    return checkCredentials(parts.users, attempt, { username, password });
  }
  try {
    const user = await provisionUser(parts, { username, password }, hookResult, request);
    attempt.succeeded();
    return user;
  } catch (error) {
    if (!isAppError(error, 'bad_request', 'username_taken', 'last_administrator')) throw error;
    request.log.warn(
      { err: error },
      'the account of a user of the sign-in program could not be created or changed',
    );
    throw new AppError('wrong_credentials', undefined, { cause: error });
  }
}
