import { type RequestedPath, decodeStrictly } from '@filestead/contract/paths/virtual-path';
import { verifyPassword } from '../access/sign-in/passwords.ts';
import type { StoredShare } from '../database/stored-share.ts';
import { AppError } from '../errors.ts';
import { isHash } from './new-hash.ts';
import { type ShareDependencies, secondsOf } from './dependencies.ts';
import { withSharedStorage } from './shared-storage.ts';

/** Maximum length of a password that is checked, in characters. */
const maxPasswordLength = 1024;

/** The request of a visitor. */
export interface Visit {
  readonly hash: string;
  readonly address: string;
  readonly token: string | undefined;
  /**
   * The header `X-SHARE-PASSWORD` as received: percent-encoded, with `+` for a space (docs/reference/filebrowser-api.md
   * §1.12).
   */
  readonly password: string | undefined;
  /** Aborted when the visitor disconnects. */
  readonly signal: AbortSignal;
}

/** A share that a visitor may access. */
export interface OpenedShare {
  readonly share: StoredShare;
  /** Opens the share without its password the next time; null when the share has no password. */
  readonly token: string | null;
}

/** A wrong password. Only the audit log distinguishes it from a missing one. */
export class WrongSharePassword extends AppError {
  constructor() {
    super('password_required');
  }
}

/** Decodes the password. Throws `bad_request` for a malformed escape. */
function decodePassword(header: string): string {
  try {
    return decodeStrictly(header.replaceAll('+', ' ')).trim();
  } catch (error) {
    throw new AppError('bad_request', 'X-SHARE-PASSWORD: contains a malformed escape', { cause: error });
  }
}

/**
 * Checks whether a visitor may access a share. Unknown, expired and deleted shares are not distinguished. Throws
 * `not_found`, `password_required` (also for a wrong password), `bad_request`, `too_many_requests`.
 */
export async function openShare(parts: ShareDependencies, visit: Visit): Promise<OpenedShare> {
  const { shares, tokens, passwordLimiter, unknownLimiter, now } = parts;
  const { hash, address, token = '', password: header = '' } = visit;
  const share = isHash(hash) ? await shares.find(hash, secondsOf(now())) : null;
  if (share === null) {
    await unknownLimiter.begin(address, null);
    throw new AppError('not_found');
  }
  if (share.passwordHash === null) return { share, token: null };
  if (tokens.isValid(share, token)) return { share, token };
  const password = decodePassword(header);
  if (password === '' || password.length > maxPasswordLength) throw new AppError('password_required');
  const attempt = await passwordLimiter.begin(address, { share: hash }, visit.signal);
  if (!(await verifyPassword(share.passwordHash, password))) throw new WrongSharePassword();
  attempt.succeeded();
  return { share, token: tokens.issue(share) };
}

/**
 * Checks again, by the stored data, whether a visitor may still access the share. Throws `not_found` when the share has
 * ended, and `forbidden` when its owner may no longer share it, or rules deny `requested` now.
 */
export async function assertStillShared(
  { shares, userContexts, now }: ShareDependencies,
  hash: string,
  requested: RequestedPath,
): Promise<void> {
  const share = await shares.find(hash, secondsOf(now()));
  if (share === null) throw new AppError('not_found');
  await withSharedStorage(userContexts, share, async ({ storage, placeOf }) => {
    await storage.stat(placeOf(requested).path);
  });
}
