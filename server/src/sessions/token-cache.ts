import type { SessionRepository, StoredSession, StoredToken } from '../database/database.ts';

/** Maximum number of cached tokens; beyond it the cache is cleared. */
const maxTokens = 10_000;

/** The current state of a session. */
export type LiveSession = { -readonly [K in keyof StoredSession]: StoredSession[K] } & { hasEnded: boolean };

/** The current state of a token. All tokens of a session share the session object. */
export interface LiveToken {
  readonly token: { -readonly [K in keyof StoredToken]: StoredToken[K] };
  readonly session: LiveSession;
  readonly isCookie: boolean;
}

/**
 * Caches recently used tokens. Ended sessions are never in it, even if they end while they are being loaded.
 */
export class TokenCache {
  readonly #repository: SessionRepository;
  readonly #tokens = new Map<string, LiveToken>();
  readonly #sessions = new Map<string, LiveSession>();
  /** Incremented when sessions end, to detect that a session loaded concurrently may have ended. */
  #endings = 0;

  constructor(repository: SessionRepository) {
    this.#repository = repository;
  }

  /** Returns the token with this hash; null if there is none. */
  async find(hash: string): Promise<LiveToken | null> {
    return this.#tokens.get(hash) ?? this.#load(hash);
  }

  /**
   * Whether `session`, returned by {@link find} before, has not been ended. An expired token does not end it.
   */
  async isActive(session: LiveSession): Promise<boolean> {
    if (session.hasEnded) return false;
    return this.#sessions.get(session.id) === session || this.#repository.exists(session.id);
  }

  /** Marks the token with this hash as replaced. */
  markReplaced(hash: string, atMs: number): void {
    for (const { token } of this.#tokens.values()) if (token.hash === hash) token.rotatedAt = atMs;
  }

  /** Ends sessions in memory and, with `remove`, in the database, including sessions loaded in between. */
  async endWhere(isMatch: (session: LiveSession) => boolean, remove: () => Promise<void>): Promise<void> {
    this.#forgetWhere(isMatch);
    await remove();
    this.#forgetWhere(isMatch);
  }

  /** Must be called with the ids of sessions that were removed from the database. */
  forget(sessionIds: readonly string[]): void {
    if (sessionIds.length > 0) this.#forgetWhere(({ id }) => sessionIds.includes(id));
  }

  /** Must be called when sessions may have been ended by another process. */
  clear(): void {
    this.#endings++;
    this.#tokens.clear();
    this.#sessions.clear();
  }

  async #load(hash: string): Promise<LiveToken | null> {
    const endingsBefore = this.#endings;
    const found = await this.#repository.find(hash);
    if (found === null) return null;
    if (this.#endings !== endingsBefore) return this.#load(hash);
    if (this.#tokens.size >= maxTokens) {
      this.#tokens.clear();
      this.#sessions.clear();
    }
    const session = this.#sessions.get(found.session.id) ?? { ...found.session, hasEnded: false };
    this.#sessions.set(session.id, session);
    const live = this.#tokens.get(hash) ?? { token: { ...found.token }, session, isCookie: found.isCookie };
    this.#tokens.set(hash, live);
    return live;
  }

  #forgetWhere(isMatch: (session: LiveSession) => boolean): void {
    this.#endings++;
    for (const session of this.#sessions.values()) {
      if (!isMatch(session)) continue;
      session.hasEnded = true;
      this.#sessions.delete(session.id);
      for (const [hash, live] of this.#tokens) {
        if (live.session.id === session.id) this.#tokens.delete(hash);
      }
    }
  }
}
