import { randomUUID } from 'node:crypto';
import type { UserContexts } from '../access/user-contexts.ts';
import type { SessionRepository, StoredSession, StoredToken, StoredUser } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { AuthContext, Credential, Authenticator } from '../http/request/authenticator.ts';
import { type Clock, systemClock } from '../clock.ts';
import { TokenCache, type LiveToken } from './token-cache.ts';
import { hashOf, makeToken, randomSecret } from './token.ts';

/** How long sessions and their tokens live. All in milliseconds. */
export interface SessionTimes {
  readonly tokenLifeMs: number;
  /** A session that is not used for so long ends. */
  readonly idleMs: number;
  /** No session lives longer, however often it is renewed. */
  readonly absoluteMs: number;
  /** A renewed token keeps working for so long, for the sake of other tabs. */
  readonly overlapMs: number;
}

/** What a client gets for a sign-in or a renewal. */
export interface Issued {
  readonly token: string;
  /** The value of the session cookie: another secret, good for reads only. */
  readonly cookie: string;
  readonly expiresAtMs: number;
}

/** Where a session comes from, as its user is shown it. */
export interface SessionOrigin {
  readonly address: string;
  /** The browser or program, as it names itself. */
  readonly userAgent: string;
}

/** Sessions as they are kept on the server; a token only names one. */
export interface Sessions extends Authenticator {
  /**
   * Starts a session of a user who proved to be that user, with the password that `user` has. Throws `wrong_credentials` when
   * it is another one by now, or the user is gone.
   */
  signIn(user: StoredUser, origin?: SessionOrigin): Promise<Issued>;
  /** Puts a fresh token in the place of `token`; asked again within the overlap it gives the same one. Null when it is dead. */
  renew(token: string, user: StoredUser): Promise<Issued | null>;
  end(sessionId: string): Promise<void>;
  /** The sessions of a user that can still be used, the last used first. */
  listOf(userId: number): Promise<StoredSession[]>;
  /** Ends all sessions of a user but one. */
  endAllOf(userId: number, exceptId?: string): Promise<void>;
  /** To be called when sessions may have been ended by somebody else. */
  forgetKnown(): void;
  /** Removes what has ended from the database; returns how many sessions. */
  purge(): Promise<number>;
}

/** The use of a session is written down at most this often. */
const touchIntervalMs = 60_000;
/** Of what a browser says of itself as much is kept, in characters. */
const maxUserAgentLength = 256;

/** Opens the sessions in `repository`. */
export function openSessions(parts: {
  repository: SessionRepository;
  userContexts: UserContexts;
  /** What tokens are signed with, as of now. */
  key: () => Uint8Array;
  times: SessionTimes;
  maxPerUser: number;
  /** Told about what could not be stored and is not needed to answer. */
  onNotStored?: (error: unknown) => void;
  /** The machine's unless given. */
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

  /** The token behind a secret while it may be used; ends the session when a token is used that was replaced long ago. */
  const living = async ({ kind, value }: Credential): Promise<LiveToken | null> => {
    const live = await known.find(hashOf(value));
    if (live === null || live.isCookie !== (kind === 'cookie')) return null;
    const { token, session } = live;
    const time = now();
    if (session.hasEnded || token.expiresAt <= time || session.endsAt <= time) return null;
    if (time - session.lastSeenAt > times.idleMs) {
      // What is stored says so too: it stays ended when it cannot be removed.
      await end(session.id).catch(onNotStored);
      return null;
    }
    if (token.supersededAt !== null && time - token.supersededAt > times.overlapMs) {
      if (!live.isCookie) await end(session.id);
      return null;
    }
    if (time - session.lastSeenAt > touchIntervalMs) {
      session.lastSeenAt = time;
      // Without it the session ends sooner after a restart; that is no reason to refuse a request.
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
      // What failed may be asked for again at once.
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
