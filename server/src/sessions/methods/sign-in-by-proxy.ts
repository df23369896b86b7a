import { isUsableUsername } from '../../usernames/usable-username.ts';
import type { StoredUser } from '../../database/database.ts';
import { AppError, isAppError } from '../../errors.ts';
import { auditProvisioning } from './audit-provisioning.ts';
import type { SignInDependencies, SignInRequest } from './dependencies.ts';

/** Decodes a header as UTF-8; Node.js returns one character per byte. Null if it is not UTF-8. */
function utf8(value: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return null;
  }
}

/**
 * Returns the username sent by the proxy; null if there is none, if no account can have it, or if there are
 * several and the proxy's cannot be identified.
 */
function nameIn(values: readonly string[] | undefined): string | null {
  const [value, ...more] = values ?? [];
  if (value === undefined || more.length > 0 || value.includes(',')) return null;
  const name = utf8(value.trim());
  return name === null || name === '' || !isUsableUsername(name) ? null : name;
}

/**
 * Signs in the user named in a trusted proxy's header. Names are compared exactly, because names that are
 * equal here may belong to two users of the proxy. A missing account is created if the administrator has
 * enabled that. Throws `wrong_credentials`.
 */
export async function signInByProxy(
  { method, users, accounts, isTrustedPeer }: SignInDependencies,
  { request }: SignInRequest,
): Promise<StoredUser> {
  const { remoteAddress } = request.raw.socket;
  if (!isTrustedPeer(remoteAddress)) {
    request.log.warn(
      { peer: remoteAddress },
      'sign-in refused: the request did not come through a trusted proxy',
    );
    throw new AppError('wrong_credentials', 'signing in is possible only through the proxy');
  }
  const username = nameIn(request.raw.headersDistinct[method.header]);
  if (username === null) throw new AppError('wrong_credentials', 'the proxy sent no username');
  request.audit.actor = { name: username };
  const user = await users.findByName(username);
  if (user?.username === username) return user;
  if (user !== null || !method.createUsers) throw new AppError('wrong_credentials');
  try {
    const created = await accounts.create({ username, password: null, lockPassword: true, fields: {} });
    auditProvisioning(request, created, null);
    return created;
  } catch (error) {
    if (!isAppError(error, 'bad_request', 'username_taken')) throw error;
    // The page sends several requests at once; another one may have created the account.
    const existing = await users.findByName(username);
    if (existing?.username === username) return existing;
    request.log.warn({ err: error }, 'no account could be created for a user of the proxy');
    throw new AppError('wrong_credentials', undefined, { cause: error });
  }
}
