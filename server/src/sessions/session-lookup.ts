import type { Clock } from '../clock.ts';
import type { SessionRepository } from '../database/database.ts';
import type { Credential } from '../http/request/authenticator.ts';
import type { LiveToken, TokenCache } from './token-cache.ts';
import { hashOf } from './token.ts';

/** Lifetimes of sessions and tokens, in milliseconds. */
export interface SessionTimes {
  readonly tokenLifeMs: number;
  /** A session unused for this long expires. */
  readonly idleMs: number;
  /** Maximum lifetime of a session including renewals. */
  readonly absoluteMs: number;
  /** The time for which a replaced token remains valid for other tabs. */
  readonly overlapMs: number;
}

/** Minimum interval in milliseconds between updates of a session's last use. */
const touchIntervalMs = 60_000;

/** Finds the sessions of credentials, and ends those that may no longer be used. */
export interface SessionLookup {
  /**
   * Returns the valid token of a credential, and records the use of the session unless `isAutomatic` is true. Ends the session if the
   * token was replaced longer ago than the overlap.
   */
  find(credential: Credential, isAutomatic: boolean): Promise<LiveToken | null>;
  /** Ends a session and invalidates its tokens. */
  end(sessionId: string): Promise<void>;
}

/** Opens the lookup of sessions in `repository`, through `cache`. */
export function openSessionLookup(parts: {
  readonly repository: SessionRepository;
  readonly cache: TokenCache;
  readonly times: SessionTimes;
  readonly clock: Clock;
  /** Called if something could not be stored that the response does not depend on. */
  readonly onNotStored: ((error: unknown) => void) | undefined;
  /** Called after sessions were ended. */
  readonly onEnd: (() => void) | undefined;
}): SessionLookup {
  const { repository, cache, times, clock, onNotStored, onEnd } = parts;

  const end = async (sessionId: string): Promise<void> => {
    await cache.endWhere(
      ({ id }) => id === sessionId,
      () => repository.remove(sessionId),
    );
    onEnd?.();
  };

  const find: SessionLookup['find'] = async ({ kind, value }, isAutomatic) => {
    const live = await cache.find(hashOf(value));
    if (live === null || live.isCookie !== (kind === 'cookie')) return null;
    const { token, session } = live;
    const time = clock.now();
    if (session.hasEnded || token.expiresAt <= time || session.endsAt <= time) return null;
    if (time - session.lastSeenAt > times.idleMs) {
      // If it cannot be removed, the stored times still mark it as expired.
      await end(session.id).catch(onNotStored);
      return null;
    }
    if (token.rotatedAt !== null && time - token.rotatedAt > times.overlapMs) {
      if (!live.isCookie) await end(session.id);
      return null;
    }
    if (!isAutomatic && time - session.lastSeenAt > touchIntervalMs) {
      session.lastSeenAt = time;
      // If this fails, the session expires sooner after a restart, which is no reason to refuse a request.
      await repository.touch(session.id, time).catch(onNotStored);
    }
    return live;
  };

  return { find, end };
}
