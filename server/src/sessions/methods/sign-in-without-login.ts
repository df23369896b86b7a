import { isIP } from 'node:net';
import type { StoredUser } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import type { SignInDependencies, SignInRequest } from './dependencies.ts';

/** Whose files everybody gets (docs/reference/filebrowser-api.md §4). */
const onlyUserId = 1;

const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/i.test(address);

/** The host that a browser believes to be talking to, without the port. */
function hostOf(header: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(header)?.[1];
  return bracketed ?? header.replace(/:\d+$/, '').toLowerCase();
}

/** Names that nobody can register: without a dot, or below a domain for local networks (RFC 6762, RFC 8375, ICANN's reserved). */
const localNetworkName = /^[^.]+$|\.(?:local|lan|home|internal|localdomain|home\.arpa)$/;

/**
 * Whether a browser that believes to be talking to `host`, which is in lower case, can only mean this server. `isHere` says
 * that it runs on the same machine, where no name of a network is needed.
 */
export const isOwnHost = (host: string, isHere: boolean): boolean =>
  isIP(host) !== 0 ||
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  (!isHere && localNetworkName.test(host));

/**
 * Everybody is the user with id 1. A browser must be talking to a host that no stranger can name after this machine:
 * otherwise any page of the web could read its files (DNS rebinding). Throws `wrong_credentials`.
 */
export async function signInWithoutLogin(
  { users, isTrustedPeer }: SignInDependencies,
  { request }: SignInRequest,
): Promise<StoredUser> {
  const { remoteAddress = '' } = request.raw.socket;
  const host = hostOf(request.raw.headers.host ?? '');
  if (!isOwnHost(host, isLoopback(remoteAddress)) && !isTrustedPeer(remoteAddress)) {
    request.log.warn({ host }, 'a sign-in under a foreign host name; behind a proxy, name it a trusted one');
    throw new AppError('wrong_credentials', 'this host name is not known here');
  }
  const user = await users.find(onlyUserId);
  if (user === null) throw new AppError('wrong_credentials', 'the user with id 1 does not exist');
  return user;
}
