import { randomUUID } from 'node:crypto';
import type { UserContexts } from '../access/user-contexts.ts';
import type { SessionRepository, StoredSession, StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { AuthContext, Authenticator } from '../http/request/authenticator.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type IssuedToken, openRenewals, openTokenIssuer, shouldRenew } from './issue-token.ts';
import { openSessionLookup, type SessionTimes } from './session-lookup.ts';
import { TokenCache } from './token-cache.ts';

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
  signIn(user: StoredUser, origin?: SessionOrigin): Promise<IssuedToken>;
  /**
   * Replaces `token` with a new one; repeated calls within the overlap return the same one. Null if the token
   * is no longer valid.
   */
  renew(token: string, user: StoredUser): Promise<IssuedToken | null>;
  /** Ends a session and invalidates its tokens. */
  end(sessionId: string): Promise<void>;
  /** Returns the valid sessions of a user, most recently used first. */
  listOf(userId: number): Promise<StoredSession[]>;
  /** Ends all sessions of a user except `exceptId`. */
  endAllOf(userId: number, exceptId?: string): Promise<void>;
  /** Must be called when sessions may have been ended by another process. */
  clearCache(): void;
  /** Removes ended sessions from the database and returns their number. */
  purge(): Promise<number>;
}

/** Maximum stored length of a user agent, in characters. */
const maxUserAgentLength = 256;

/** Dependencies of the sessions. */
interface SessionParts {
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
}

/** Returns a session that begins with a sign-in at `time`. */
const newSession = (
  user: StoredUser,
  { address, userAgent }: SessionOrigin,
  { time, absoluteMs }: { time: number; absoluteMs: number },
): StoredSession => ({
  id: randomUUID(),
  userId: user.id,
  createdAt: time,
  lastSeenAt: time,
  address,
  userAgent: userAgent.slice(0, maxUserAgentLength),
  endsAt: time + absoluteMs,
});

/** Opens the sessions stored in `repository`. */
export function openSessions(parts: SessionParts): Sessions {
  const { repository, userContexts, key, times, maxPerUser, onNotStored, onEnd } = parts;
  const { clock = systemClock } = parts;
  const { now } = clock;
  const cache = new TokenCache(repository);
  const lookup = openSessionLookup({ repository, cache, times, clock, onNotStored, onEnd });
  const issue = openTokenIssuer({ key, times, clock });
  const renew = openRenewals({ repository, cache, times, clock, issue });

  const listOf = (userId: number): Promise<StoredSession[]> => {
    const time = now();
    return repository.list(userId, {
      now: time,
      lastSeenAt: time - times.idleMs,
      rotatedAt: time - times.overlapMs,
    });
  };

  return {
    async reauthenticate(userId, sessionId) {
      const isActive = (await listOf(userId)).some(({ id }) => id === sessionId);
      const found = isActive
        ? await userContexts.contextOf(userId, sessionId, () => repository.exists(sessionId))
        : null;
      return found && { ...found, shouldRenew: false };
    },
    async authenticate(credential, isAutomatic = false): Promise<AuthContext | null> {
      const live = await lookup.find(credential, isAutomatic);
      if (live === null) return null;
      const { userId, id } = live.session;
      const [found, user] = await Promise.all([
        userContexts.contextOf(userId, id, () => cache.isActive(live.session)),
        userContexts.find(userId),
      ]);
      if (found === null || user === null || live.session.hasEnded) return null;
      return { shouldRenew: shouldRenew(live, user.changedAt, now()), ...found };
    },
    async signIn(user, origin = { address: '', userAgent: '' }) {
      const session = newSession(user, origin, { time: now(), absoluteMs: times.absoluteMs });
      const { issued, stored } = issue(user, session);
      const { passwordHash } = user;
      const dropped = await repository.create(session, stored, { maxPerUser, passwordHash });
      if (dropped === null) throw new AppError('wrong_credentials');
      cache.forget(dropped);
      return issued;
    },
    async renew(token, user) {
      const live = await lookup.find({ kind: 'token', value: token }, true);
      return live && renew(live, user);
    },
    end: lookup.end,
    listOf,
    async endAllOf(userId, exceptId) {
      await cache.endWhere(
        (session) => session.userId === userId && session.id !== exceptId,
        () => repository.removeOfUser(userId, exceptId),
      );
      onEnd?.();
    },
    clearCache: () => cache.clear(),
    purge: () => {
      const time = now();
      return repository.purge({ now: time, lastSeenAt: time - times.idleMs });
    },
  };
}
