import type { SessionRepository, StoredSession, StoredToken } from '../database/database.ts';

/** Most tokens that are kept in memory; beyond it all are read again. */
const maxKnownTokens = 10_000;

/** A session as it is now. */
export type LiveSession = { -readonly [K in keyof StoredSession]: StoredSession[K] } & { hasEnded: boolean };

/** A token as it is now; all tokens of a session share it. */
export interface LiveToken {
  readonly token: { -readonly [K in keyof StoredToken]: StoredToken[K] };
  readonly session: LiveSession;
  readonly isCookie: boolean;
}

/** The tokens that were used of late, kept in memory. What has ended is not in it, also when it was being read then. */
export class TokenCache {
  readonly #repository: SessionRepository;
  readonly #tokens = new Map<string, LiveToken>();
  readonly #sessions = new Map<string, LiveSession>();
  /** Counts the times that sessions were ended: what was read before may have ended since. */
  #endings = 0;

  constructor(repository: SessionRepository) {
    this.#repository = repository;
  }

  /** The token with this hash; null when there is none. */
  async find(hash: string): Promise<LiveToken | null> {
    return this.#tokens.get(hash) ?? this.#load(hash);
  }

  /** Whether `session`, which was found here before, has not been ended since. An expired token does not end it. */
  async isLiving(session: LiveSession): Promise<boolean> {
    if (session.hasEnded) return false;
    return this.#sessions.get(session.id) === session || this.#repository.exists(session.id);
  }

  /** Notes when the token with this hash got a successor. */
  supersede(hash: string, atMs: number): void {
    for (const { token } of this.#tokens.values()) if (token.hash === hash) token.supersededAt = atMs;
  }

  /** Ends sessions in memory and, with `remove`, in the database; those that were read in between are forgotten as well. */
  async endWhere(isMeant: (session: LiveSession) => boolean, remove: () => Promise<void>): Promise<void> {
    this.#forgetWhere(isMeant);
    await remove();
    this.#forgetWhere(isMeant);
  }

  /** To be called with sessions that are in the database no more. */
  forget(sessionIds: readonly string[]): void {
    if (sessionIds.length > 0) this.#forgetWhere(({ id }) => sessionIds.includes(id));
  }

  /** To be called when sessions may have been ended by somebody else. */
  forgetAll(): void {
    this.#endings++;
    this.#tokens.clear();
    this.#sessions.clear();
  }

  async #load(hash: string): Promise<LiveToken | null> {
    const endingsBefore = this.#endings;
    const found = await this.#repository.find(hash);
    if (found === null) return null;
    if (this.#endings !== endingsBefore) return this.#load(hash);
    if (this.#tokens.size >= maxKnownTokens) {
      this.#tokens.clear();
      this.#sessions.clear();
    }
    const session = this.#sessions.get(found.session.id) ?? { ...found.session, hasEnded: false };
    this.#sessions.set(session.id, session);
    const live = this.#tokens.get(hash) ?? { token: { ...found.token }, session, isCookie: found.isCookie };
    this.#tokens.set(hash, live);
    return live;
  }

  #forgetWhere(isMeant: (session: LiveSession) => boolean): void {
    this.#endings++;
    for (const session of this.#sessions.values()) {
      if (!isMeant(session)) continue;
      session.hasEnded = true;
      this.#sessions.delete(session.id);
      for (const [hash, live] of this.#tokens) {
        if (live.session.id === session.id) this.#tokens.delete(hash);
      }
    }
  }
}
