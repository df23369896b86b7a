import type { Clock } from '../clock.ts';
import type { SessionRepository, StoredSession, StoredToken, StoredUser } from '../database/database.ts';
import type { SessionTimes } from './session-lookup.ts';
import type { LiveToken, TokenCache } from './token-cache.ts';
import { hashOf, createToken, randomSecret } from './token.ts';

/** The result of a sign-in or a renewal. */
export interface IssuedToken {
  readonly token: string;
  /** Value of the session cookie: a separate secret that is accepted for reads only. */
  readonly cookie: string;
  readonly expiresAtMs: number;
}

/** Issues a token for a session, and the record of it to be stored. */
export type IssueToken = (
  user: StoredUser,
  session: StoredSession,
) => { readonly issued: IssuedToken; readonly stored: StoredToken };

/** Returns the function that issues tokens, signed with the current `key`. */
export function openTokenIssuer(parts: {
  readonly key: () => Uint8Array;
  readonly times: SessionTimes;
  readonly clock: Clock;
}): IssueToken {
  const { key, times, clock } = parts;
  return (user, session) => {
    const issuedAtMs = clock.now();
    const expiresAtMs = Math.min(issuedAtMs + times.tokenLifeMs, session.endsAt);
    const token = createToken(user, key(), { issuedAtMs, expiresAtMs });
    const cookie = randomSecret();
    return {
      issued: { token, cookie, expiresAtMs },
      stored: {
        hash: hashOf(token),
        cookieHash: hashOf(cookie),
        sessionId: session.id,
        issuedAt: issuedAtMs,
        expiresAt: expiresAtMs,
        rotatedAt: null,
      },
    };
  };
}

/**
 * Returns the function that replaces a valid token with a new one. Within the overlap of both it returns the same
 * successor again. The function returns null when another request has replaced the old token.
 */
export function openRenewals(parts: {
  readonly repository: SessionRepository;
  readonly cache: TokenCache;
  readonly times: SessionTimes;
  readonly clock: Clock;
  readonly issue: IssueToken;
}): (live: LiveToken, user: StoredUser) => Promise<IssuedToken | null> {
  const { repository, cache, times, clock, issue } = parts;
  const rotations = new Map<string, Promise<IssuedToken | null>>();

  const replace = async (live: LiveToken, user: StoredUser): Promise<IssuedToken | null> => {
    const { issued, stored } = issue(user, live.session);
    if (!(await repository.rotate(live.token.hash, stored))) return null;
    cache.markReplaced(live.token.hash, stored.issuedAt);
    return issued;
  };

  return (live, user) => {
    const { hash } = live.token;
    const earlier = rotations.get(hash);
    if (earlier !== undefined) return earlier;
    const successor = replace(live, user);
    rotations.set(hash, successor);
    const forgetSuccessor = (): void => {
      if (rotations.get(hash) === successor) rotations.delete(hash);
    };
    // A failed renewal may be retried immediately.
    successor.catch(forgetSuccessor);
    clock.after(times.overlapMs, forgetSuccessor);
    return successor;
  };
}

/** Whether a client should request a new token: the user has changed since it was issued, or half of its life is over. */
export function shouldRenew({ token, session }: LiveToken, changedAt: number, nowMs: number): boolean {
  if (token.rotatedAt !== null) return false;
  if (changedAt >= token.issuedAt) return true;
  const isLast = token.expiresAt >= session.endsAt;
  return !isLast && token.expiresAt - nowMs < (token.expiresAt - token.issuedAt) / 2;
}
