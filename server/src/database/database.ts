import type { ErrorCode } from '@filestead/contract/errors';
import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { AuthMethod } from '../config/auth-method.ts';

/** A user with what never leaves the server. `password` is empty. */
export interface StoredUser extends User {
  readonly passwordHash: string;
  /** Unix milliseconds of the last change of anything a client knows about the user. */
  readonly changedAt: number;
  /** Unix milliseconds of the last sign-in; null when there was none. For administrators only. */
  readonly lastSignInAt: number | null;
  /** The account sees no files until an administrator has granted its scope. */
  readonly awaitsScope: boolean;
}

/** A user that has no id yet. */
export type NewUser = Omit<StoredUser, 'id' | 'changedAt' | 'lastSignInAt' | 'password' | 'awaitsScope'> & {
  /** Left out: false. */
  readonly awaitsScope?: boolean;
};

/** The table of users. Two names that differ in case or in their Unicode form only are the same name. */
export interface UserRepository {
  /** All users by id. */
  list(): Promise<StoredUser[]>;
  find(id: number): Promise<StoredUser | null>;
  findByName(username: string): Promise<StoredUser | null>;
  /**
   * Throws `username_taken`; with `ownsScope` also when somebody else's scope is the user's or lies in it, for two names may
   * lead to one folder; with `isDistinct` also when the name looks like somebody else's.
   */
  create(user: NewUser, options?: { ownsScope?: boolean; isDistinct?: boolean }): Promise<StoredUser>;
  /**
   * Replaces the named fields in one step. Throws `not_found`, `username_taken` (for another name also when it looks like
   * somebody else's), and `last_administrator` when no
   * administrator would be left.
   */
  update(id: number, change: Partial<NewUser>): Promise<StoredUser>;
  /** Replaces the hash alone, unless it has changed meanwhile; the user does not count as changed. */
  rehash(id: number, from: string, to: string): Promise<void>;
  /** Notes that a user signed in at `at` (Unix milliseconds); the user does not count as changed. */
  noteSignIn(id: number, at: number): Promise<void>;
  /** The hash of a user who was imported and has not signed in since; null when there is none. */
  findImportedHash(): Promise<string | null>;
  /** Throws `not_found` and `last_administrator`. The user's sessions go with it. */
  remove(id: number): Promise<void>;
  /** Removes everybody, so that others can take their place in the same transaction. */
  removeAll(): Promise<void>;
}

/** One sign-in and all tokens that followed from it. Times in Unix milliseconds. */
export interface StoredSession {
  readonly id: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Where its user signed in from. */
  readonly address: string;
  /** The browser or program, as it names itself. */
  readonly userAgent: string;
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
  /**
   * Adds a session with its first token and removes the user's oldest ones beyond `maxPerUser`; returns their ids. Null, and
   * nothing is added, when the user is gone or has another password by now than the one with `passwordHash`.
   */
  create(
    session: StoredSession,
    token: StoredToken,
    limits: { maxPerUser: number; passwordHash: string },
  ): Promise<string[] | null>;
  /** Puts `successor` in the place of the token `hash`, unless another did so before: then false. */
  rotate(hash: string, successor: StoredToken): Promise<boolean>;
  /** The sessions of a user that have a token which still works, the last used first. */
  list(
    userId: number,
    after: { now: number; lastSeenAt: number; supersededAt: number },
  ): Promise<StoredSession[]>;
  /** The addresses from which the account of this name, in whatever spelling, has sessions that have not ended. */
  addressesOf(username: string, now: number): Promise<string[]>;
  /** Whether there is a session with this id, expired or not. */
  exists(id: string): Promise<boolean>;
  touch(id: string, lastSeenAt: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Ends all sessions of a user but `exceptId`. */
  removeOfUser(userId: number, exceptId?: string): Promise<void>;
  /** Ends all sessions of everybody; returns how many. */
  removeAll(): Promise<number>;
  /** Removes what ended, expired or was last seen before. Returns how many sessions went. */
  purge(before: { now: number; lastSeenAt: number }): Promise<number>;
}

/** A public link with what never leaves the server. */
export interface StoredShare {
  readonly hash: string;
  readonly userId: number;
  /** Within the owner's scope. */
  readonly path: VirtualPath;
  /** What was shared is a folder; anything else that takes its name is not what was shared. */
  readonly isFolder: boolean;
  /** Unix seconds; 0 means never. */
  readonly expiresAt: number;
  /** Null for a link that is open to anybody. */
  readonly passwordHash: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** A link as it is listed. */
export interface ListedShare extends StoredShare {
  /** The owner's name. */
  readonly username: string;
}

/** A path within the scope of a user. */
export interface UserPlace {
  readonly userId: number;
  readonly path: VirtualPath;
}

/**
 * The table of public links. A user's links go with the user. `now` is in Unix seconds; a link that ends then has ended.
 * Lists are ordered by owner, then by end with permanent links first.
 */
export interface ShareRepository {
  /** The living link with exactly this hash. */
  find(hash: string, now: number): Promise<StoredShare | null>;
  /** All living links, or those of one user, some at a time. */
  list(now: number, userId?: number): AsyncIterable<readonly ListedShare[]>;
  /** The living links at exactly these places, in their order. */
  listAt(now: number, places: readonly UserPlace[]): Promise<ListedShare[]>;
  /** All links at these places and below them, also those that have ended. */
  listUnder(places: readonly UserPlace[]): Promise<StoredShare[]>;
  /** Whoever has links, by id, with the scope as stored now. */
  owners(): Promise<{ readonly userId: number; readonly scope: VirtualPath }[]>;
  /**
   * Adds a link. `too_many` when its owner has `maxPerUser` already; `other_scope` when the owner is gone, or has another
   * scope by now than the one in which the path was looked at.
   */
  create(
    share: StoredShare,
    conditions: { readonly maxPerUser: number; readonly scope?: string },
  ): Promise<'created' | 'too_many' | 'other_scope'>;
  remove(hash: string): Promise<void>;
  /** Ends the links at these places and below them. */
  removeUnder(places: readonly UserPlace[]): Promise<void>;
  /** Moves the links at `from` and below it to `to`, all in one step. Neither is the root. */
  moveUnder(moves: readonly { userId: number; from: VirtualPath; to: VirtualPath }[]): Promise<void>;
  /** Removes what has ended; returns how many. */
  removeExpired(now: number): Promise<number>;
}

/** An upload that arrives in parts. Sizes in bytes, times in Unix milliseconds. */
export interface StoredUpload {
  /** Random; whoever knows it and is its user may go on. */
  readonly id: string;
  readonly userId: number;
  /** The user's scope when it began; `path` is seen from there. */
  readonly scope: VirtualPath;
  readonly path: VirtualPath;
  /** The name of the unfinished file, in the folder of its target. */
  readonly partName: string;
  readonly lengthBytes: number;
  /** So much would outlast a power cut. */
  readonly storedBytes: number;
  readonly overrides: boolean;
  /** Found by its path: the dialect of existing clients. */
  readonly isByPath: boolean;
  /** The file has its name; kept for clients that missed the answer. */
  readonly isFinished: boolean;
  readonly expiresAt: number;
  readonly beganAt: number;
  /** Why all its bytes have arrived and it could not be finished; null when that is not so. */
  readonly blockedBy: ErrorCode | null;
}

/** The table of uploads that arrive in parts. */
export interface UploadRepository {
  list(): Promise<StoredUpload[]>;
  create(upload: StoredUpload): Promise<void>;
  /** Writes down what changes. Does nothing when it is gone. */
  update(
    id: string,
    change: Pick<
      StoredUpload,
      'path' | 'storedBytes' | 'overrides' | 'isFinished' | 'expiresAt' | 'blockedBy'
    >,
  ): Promise<void>;
  remove(id: string): Promise<void>;
}

/** The global settings and the server's own keys. */
export interface SettingsRepository {
  /** Null before the first start has stored some. */
  read(): Promise<Settings | null>;
  write(settings: Settings): Promise<void>;
  /** How people sign in; name and password when nothing was stored. Read once, when the server starts. */
  readAuthMethod(): Promise<AuthMethod>;
  writeAuthMethod(method: AuthMethod): Promise<void>;
  /** The key `name`, made at random with so many bytes when there is none yet. */
  secret(name: string, bytes: number): Promise<Uint8Array>;
  /** Whether there are keys, as there are in every database that a server has served users from. */
  hasSecrets(): Promise<boolean>;
  /** Puts new random keys of the same lengths in the place of all that there are; returns how many. */
  replaceSecrets(): Promise<number>;
}

/** Start-up options that are stored; flags, the environment and the configuration file go before them. */
export interface ServerOptionsRepository {
  /** By their names, as they would be written after a flag. */
  read(): Promise<Record<string, string>>;
  /** Replaces all of them. */
  write(options: Readonly<Record<string, string>>): Promise<void>;
}

/** All that is stored besides files. Another database implements this and nothing else. */
export interface Database {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly shares: ShareRepository;
  readonly uploads: UploadRepository;
  readonly settings: SettingsRepository;
  readonly serverOptions: ServerOptionsRepository;
  /** Does `work` as a whole or not at all; it is given the database to work on. Nobody else can write meanwhile. */
  transact<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Whether another process has changed something since this was last asked. Takes a few microseconds. */
  wasChangedElsewhere(): boolean;
  /** Writes a whole copy into a new file, for its owner only. Throws when the file exists. */
  backUp(path: string): Promise<void>;
  /** Throws when the database cannot be read, and `database_unavailable` when its file was removed or replaced. */
  check(): Promise<void>;
  /** Why changes are refused: the database's file is no longer at its path. Null when all is well. */
  loss(): 'removed' | 'replaced' | null;
  /** Sets room aside in the database's own files, with which small changes can be made on a full disk. */
  keepRoom(): void;
  /** Writes all that has changed into the database's own file, so that a copy of that file is whole, and closes it. */
  close(): Promise<void>;
}
