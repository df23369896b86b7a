import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';

/** A user with what never leaves the server. `password` is empty. */
export interface StoredUser extends User {
  readonly passwordHash: string;
  /** Unix milliseconds of the last change of anything a client knows about the user. */
  readonly changedAt: number;
}

/** A user that has no id yet. */
export type NewUser = Omit<StoredUser, 'id' | 'changedAt' | 'password'>;

/** The table of users. Two names that differ in case only are the same name. */
export interface UserRepository {
  /** All users by id. */
  list(): Promise<StoredUser[]>;
  find(id: number): Promise<StoredUser | null>;
  findByName(username: string): Promise<StoredUser | null>;
  /** Throws `username_taken`. */
  create(user: NewUser): Promise<StoredUser>;
  /**
   * Replaces the named fields in one step. Throws `not_found`, `username_taken`, and `last_administrator` when no
   * administrator would be left.
   */
  update(id: number, change: Partial<NewUser>): Promise<StoredUser>;
  /** Replaces the hash alone; the user does not count as changed. Does nothing when the user is gone. */
  rehash(id: number, passwordHash: string): Promise<void>;
  /** Throws `not_found` and `last_administrator`. The user's sessions go with it. */
  remove(id: number): Promise<void>;
}

/** One sign-in and all tokens that followed from it. Times in Unix milliseconds. */
export interface StoredSession {
  readonly id: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** No renewal reaches beyond this. */
  readonly endsAt: number;
}

/** One token of a session; only its hashes are stored. Times in Unix milliseconds. */
export interface StoredToken {
  readonly hash: string;
  readonly cookieHash: string;
  readonly sessionId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly supersededAt: number | null;
}

/** The tables of sessions and tokens. */
export interface SessionRepository {
  /** The token with this hash, as a token or as a cookie, and its session. */
  find(hash: string): Promise<{ token: StoredToken; session: StoredSession; isCookie: boolean } | null>;
  /** Adds a session with its first token and removes the user's oldest ones beyond `maxPerUser`; returns their ids. */
  create(session: StoredSession, token: StoredToken, maxPerUser: number): Promise<string[]>;
  /** Puts `successor` in the place of the token `hash`, unless another did so before: then false. */
  supersede(hash: string, successor: StoredToken): Promise<boolean>;
  touch(id: string, lastSeenAt: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Ends all sessions of a user but `exceptId`. */
  removeOfUser(userId: number, exceptId?: string): Promise<void>;
  /** Removes what ended, expired or was last seen before. Returns how many sessions went. */
  purge(before: { now: number; lastSeenAt: number }): Promise<number>;
}

/** The global settings and the server's own keys. */
export interface SettingsRepository {
  /** Null before the first start has stored some. */
  read(): Promise<Settings | null>;
  write(settings: Settings): Promise<void>;
  /** The key `name`, made at random with so many bytes when there is none yet. */
  secret(name: string, bytes: number): Promise<Uint8Array>;
}

/** All that is stored besides files. Another database implements this and nothing else. */
export interface Database {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly settings: SettingsRepository;
  /** Throws when the database cannot be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}
