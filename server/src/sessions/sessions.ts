import { randomUUID } from 'node:crypto';
import type { UserContexts } from '../access/user-contexts.ts';
import type { SessionRepository, StoredSession, StoredToken, StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { AuthContext, Credential, Authenticator } from '../http/request/authenticator.ts';
import { type Clock, systemClock } from '../clock.ts';
import { TokenCache, type LiveToken } from './token-cache.ts';
import { hashOf, makeToken, randomSecret } from './token.ts';

/** Lifetimes of sessions and tokens, in milliseconds. */
export interface SessionTimes {
  readonly tokenLifeMs: number;
  /** A session unused for this long expires. */
  readonly idleMs: number;
  /** Maximum lifetime of a session including renewals. */
  readonly absoluteMs: number;
  /** How long a replaced token remains valid for other tabs. */
  readonly overlapMs: number;
}

/** The result of a sign-in or a renewal. */
export interface Issued {
  readonly token: string;
  /** Value of the session cookie: a separate secret that is accepted for reads only. */
  readonly cookie: string;
  readonly expiresAtMs: number;
}

/** Origin of a session, as shown to its user. */
export interface SessionOrigin {
  readonly address: string;
  /** The `User-Agent` of the browser or program. */
  readonly userAgent: string;
}

/** Sessions stored on the server; a token only identifies one. */
export interface Sessions extends Authenticator {
  /**
   * Starts a session for an authenticated user. Throws `wrong_credentials` if the password has been changed
   * meanwhile or the user was deleted.
   */
  signIn(user: StoredUser, origin?: SessionOrigin): Promise<Issued>;
  /**
   * Replaces `token` by a new one; repeated calls within the overlap return the same one. Null if the token
   * is no longer valid.
   */
  renew(token: string, user: StoredUser): Promise<Issued | null>;
  end(sessionId: string): Promise<void>;
  /** Returns the valid sessions of a user, most recently used first. */
  listOf(userId: number): Promise<StoredSession[]>;
  /** Ends all sessions of a user except `exceptId`. */
  endAllOf(userId: number, exceptId?: string): Promise<void>;
  /** Must be called when sessions may have been ended by another process. */
  forgetKnown(): void;
  /** Removes ended sessions from the database and returns their number. */
  purge(): Promise<number>;
}

/** Minimum interval in milliseconds between updates of a session's last use. */
const touchIntervalMs = 60_000;
/** Maximum stored length of a user agent, in characters. */
const maxUserAgentLength = 256;

/** Opens the sessions stored in `repository`. */
export function openSessions(parts: {
  repository: SessionRepository;
  userContexts: UserContexts;
  /** Returns the current key for signing tokens. */
  key: () => Uint8Array;
  times: SessionTimes;
  maxPerUser: number;
  /** Called if something could not be stored that the response does not depend on. */
  onNotStored?: (error: unknown) => void;
  /** Defaults to the system clock. */
  clock?: Clock;
  /** Called after sessions were ended. */
  onEnd?: () => void;
}): Sessions {
  const { repository, userContexts, key, times, maxPerUser, onNotStored, onEnd } = parts;
  const { clock = systemClock } = parts;
  const { now } = clock;
  const known = new TokenCache(repository);
  const rotations = new Map<string, Promise<Issued | null>>();

  const end = async (sessionId: string): Promise<void> => {
    await known.endWhere(
      ({ id }) => id === sessionId,
      () => repository.remove(sessionId),
    );
    onEnd?.();
  };

  /**
   * Returns the valid token for a secret. Ends the session if the token was replaced longer ago than the
   * overlap.
   */
  const living = async ({ kind, value }: Credential): Promise<LiveToken | null> => {
    const live = await known.find(hashOf(value));
    if (live === null || live.isCookie !== (kind === 'cookie')) return null;
    const { token, session } = live;
    const time = now();
    if (session.hasEnded || token.expiresAt <= time || session.endsAt <= time) return null;
    if (time - session.lastSeenAt > times.idleMs) {
      // If it cannot be removed, the stored times still mark it as expired.
      await end(session.id).catch(onNotStored);
      return null;
    }
    if (token.supersededAt !== null && time - token.supersededAt > times.overlapMs) {
      if (!live.isCookie) await end(session.id);
      return null;
    }
    if (time - session.lastSeenAt > touchIntervalMs) {
      session.lastSeenAt = time;
      // If this fails, the session expires sooner after a restart, which is no reason to refuse a request.
      await repository.touch(session.id, time).catch(onNotStored);
    }
    return live;
  };

  const issue = (user: StoredUser, session: StoredSession): { issued: Issued; stored: StoredToken } => {
    const issuedAtMs = now();
    const expiresAtMs = Math.min(issuedAtMs + times.tokenLifeMs, session.endsAt);
    const token = makeToken(user, key(), { issuedAtMs, expiresAtMs });
    const cookie = randomSecret();
    return {
      issued: { token, cookie, expiresAtMs },
      stored: {
        hash: hashOf(token),
        cookieHash: hashOf(cookie),
        sessionId: session.id,
        issuedAt: issuedAtMs,
        expiresAt: expiresAtMs,
        supersededAt: null,
      },
    };
  };

  const replace = async (live: LiveToken, user: StoredUser): Promise<Issued | null> => {
    const { issued, stored } = issue(user, live.session);
    if (!(await repository.rotate(live.token.hash, stored))) return null;
    known.supersede(live.token.hash, stored.issuedAt);
    return issued;
  };

  const shouldRenew = ({ token, session }: LiveToken, changedAt: number): boolean => {
    if (token.supersededAt !== null) return false;
    if (changedAt >= token.issuedAt) return true;
    const isLast = token.expiresAt >= session.endsAt;
    return !isLast && token.expiresAt - now() < (token.expiresAt - token.issuedAt) / 2;
  };

  const listOf = (userId: number): Promise<StoredSession[]> => {
    const time = now();
    return repository.list(userId, {
      now: time,
      lastSeenAt: time - times.idleMs,
      supersededAt: time - times.overlapMs,
    });
  };

  return {
    async reauthenticate(userId, sessionId) {
      const isLiving = (await listOf(userId)).some(({ id }) => id === sessionId);
      const found = isLiving
        ? await userContexts.contextOf(userId, sessionId, () => repository.exists(sessionId))
        : null;
      return found && { ...found, shouldRenew: false };
    },
    async authenticate(credential): Promise<AuthContext | null> {
      const live = await living(credential);
      if (live === null) return null;
      const { userId, id } = live.session;
      const [found, user] = await Promise.all([
        userContexts.contextOf(userId, id, () => known.isLiving(live.session)),
        userContexts.find(userId),
      ]);
      if (found === null || user === null || live.session.hasEnded) return null;
      return { ...found, shouldRenew: shouldRenew(live, user.changedAt) };
    },
    async signIn(user, { address, userAgent } = { address: '', userAgent: '' }) {
      const time = now();
      const session: StoredSession = {
        id: randomUUID(),
        userId: user.id,
        createdAt: time,
        lastSeenAt: time,
        address,
        userAgent: userAgent.slice(0, maxUserAgentLength),
        endsAt: time + times.absoluteMs,
      };
      const { issued, stored } = issue(user, session);
      const { passwordHash } = user;
      const dropped = await repository.create(session, stored, { maxPerUser, passwordHash });
      if (dropped === null) throw new AppError('wrong_credentials');
      known.forget(dropped);
      return issued;
    },
    async renew(token, user) {
      const live = await living({ kind: 'token', value: token });
      if (live === null) return null;
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
    },
    end,
    listOf,
    async endAllOf(userId, exceptId) {
      await known.endWhere(
        (session) => session.userId === userId && session.id !== exceptId,
        () => repository.removeOfUser(userId, exceptId),
      );
      onEnd?.();
    },
    forgetKnown: () => known.forgetAll(),
    purge: () => {
      const time = now();
      return repository.purge({ now: time, lastSeenAt: time - times.idleMs });
    },
  };
}
