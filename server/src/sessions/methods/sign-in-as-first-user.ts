import { isIP } from 'node:net';
import type { StoredUser } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import type { SignInDependencies, SignInRequest } from './dependencies.ts';

/** Id of the user that every visitor is signed in as (docs/reference/filebrowser-api.md §4). */
const onlyUserId = 1;

const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/i.test(address);

/** Returns the host of a `Host` header without the port. */
function hostOf(header: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(header)?.[1];
  return bracketed ?? header.replace(/:\d+$/, '').toLowerCase();
}

/**
 * Names that cannot be registered publicly: without a dot, or below a domain for local networks (RFC 6762,
 * RFC 8375, ICANN's reserved).
 */
const localNetworkName = /^[^.]+$|\.(?:local|lan|home|internal|localdomain|home\.arpa)$/;

/**
 * Whether `host`, in lower case, can only refer to this server from a browser's point of view. `isHere` is true
 * if the browser runs on the same machine, where names of the local network are not needed.
 */
export const isOwnHost = (host: string, isHere: boolean): boolean =>
  isIP(host) !== 0 ||
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  (!isHere && localNetworkName.test(host));

/**
 * Signs in every visitor as the user with id 1. The host that the browser addresses must not be a name that
 * an attacker controls; otherwise any web page could read the user's files (DNS rebinding). Throws
 * `wrong_credentials`.
 */
export async function signInAsFirstUser(
  { users, isTrustedPeer }: SignInDependencies,
  { request }: SignInRequest,
): Promise<StoredUser> {
  const { remoteAddress = '' } = request.raw.socket;
  const host = hostOf(request.raw.headers.host ?? '');
  if (!isOwnHost(host, isLoopback(remoteAddress)) && !isTrustedPeer(remoteAddress)) {
    request.log.warn(
      { host },
      'sign-in refused: the host name does not belong to this machine; behind a proxy, set --trustedProxies',
    );
    throw new AppError('wrong_credentials', 'this host name is not accepted');
  }
  const user = await users.find(onlyUserId);
  if (user === null) throw new AppError('wrong_credentials', 'the user with id 1 does not exist');
  return user;
}
