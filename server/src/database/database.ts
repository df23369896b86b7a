import type { ErrorCode } from '@filestead/contract/errors';
import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { AuthMethod } from '../config/auth-method.ts';
import type { OperationRepository } from './operation-repository.ts';
import type { StoredShare } from './stored-share.ts';
import type { MarkRepository } from './mark-repository.ts';
import type { TrashRepository } from './trash-repository.ts';
import type { RestorationRepository } from './restoration-repository.ts';
import type { RetentionRepository } from './retention-repository.ts';
import type { VersionRepository } from './version-repository.ts';

/** A stored user with the fields that never leave the server. `password` is empty. */
export interface StoredUser extends User {
  readonly passwordHash: string;
  /** Unix milliseconds of the last change of a field that clients know. */
  readonly changedAt: number;
  /** Unix milliseconds of the last sign-in; null if there was none. Visible to administrators only. */
  readonly lastSignInAt: number | null;
  /** Whether the account sees no files until an administrator grants its scope. */
  readonly awaitsScope: boolean;
  /** Unix milliseconds since when the user has this scope; earlier deletions in it are hidden. */
  readonly scopeSince: number;
}

/** A user without an id. */
export type NewUser = Omit<
  StoredUser,
  'id' | 'changedAt' | 'lastSignInAt' | 'password' | 'awaitsScope' | 'scopeSince'
> & {
  /** Defaults to false. */
  readonly awaitsScope?: boolean;
  /** Defaults to now. */
  readonly scopeSince?: number;
};

/** The table of users. Names that differ only in case or Unicode form are equal. */
export interface UserRepository {
  /** Returns all users ordered by id. */
  list(): Promise<StoredUser[]>;
  find(id: number): Promise<StoredUser | null>;
  findByName(username: string): Promise<StoredUser | null>;
  /**
   * Creates a user. Throws `username_taken`. With `ownsScope` also if the scope of another user is equal to
   * or inside the user's, because two names may lead to one folder; with `isDistinct` also if the name looks
   * like another user's.
   */
  create(user: NewUser, options?: { ownsScope?: boolean; isDistinct?: boolean }): Promise<StoredUser>;
  /**
   * Replaces the given fields atomically. Throws `not_found`, `username_taken` (a new name also if it looks
   * like another user's), and `last_administrator` if no administrator would remain.
   */
  update(id: number, change: Partial<NewUser>): Promise<StoredUser>;
  /** Replaces the password hash unless it has changed meanwhile. Does not update `changedAt`. */
  rehash(id: number, from: string, to: string): Promise<void>;
  /** Stores the time of a sign-in (Unix milliseconds). Does not update `changedAt`. */
  recordSignIn(id: number, at: number): Promise<void>;
  /** Returns the hash of an imported user who has not signed in since; null if there is none. */
  findImportedHash(): Promise<string | null>;
  /** Removes the user with their sessions. Throws `not_found` and `last_administrator`. */
  remove(id: number): Promise<void>;
  /** Removes all users, so that others can be inserted in the same transaction. */
  removeAll(): Promise<void>;
}

/** One sign-in and the tokens derived from it. Times in Unix milliseconds. */
export interface StoredSession {
  readonly id: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Address from which the user signed in. */
  readonly address: string;
  /** The `User-Agent` of the browser or program. */
  readonly userAgent: string;
  /** The session cannot be renewed beyond this time. */
  readonly endsAt: number;
}

/** One token of a session, stored as hashes only. Times in Unix milliseconds. */
export interface StoredToken {
  readonly hash: string;
  readonly cookieHash: string;
  readonly sessionId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly rotatedAt: number | null;
}

/** The tables of sessions and tokens. */
export interface SessionRepository {
  /** Returns the token with this token or cookie hash, and its session. */
  find(hash: string): Promise<{ token: StoredToken; session: StoredSession; isCookie: boolean } | null>;
  /**
   * Adds a session with its first token and removes the user's oldest sessions beyond `maxPerUser`. Returns
   * the ids of the removed ones. Adds nothing and returns null if the user was deleted or no longer has
   * `passwordHash`.
   */
  create(
    session: StoredSession,
    token: StoredToken,
    limits: { maxPerUser: number; passwordHash: string },
  ): Promise<string[] | null>;
  /** Replaces the token `hash` by `successor`. Returns false if it was replaced before. */
  rotate(hash: string, successor: StoredToken): Promise<boolean>;
  /** Returns the sessions of a user that have a valid token, most recently used first. */
  list(
    userId: number,
    after: { now: number; lastSeenAt: number; rotatedAt: number },
  ): Promise<StoredSession[]>;
  /** Returns the number of sessions of all users that have not reached their end. */
  count(now: number): Promise<number>;
  /** Returns the addresses from which the account of this name, in any spelling, has unexpired sessions. */
  addressesOf(username: string, now: number): Promise<string[]>;
  /** Whether a session with this id exists, expired or not. */
  exists(id: string): Promise<boolean>;
  touch(id: string, lastSeenAt: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes all sessions of a user except `exceptId`. */
  removeOfUser(userId: number, exceptId?: string): Promise<void>;
  /** Removes all sessions of all users and returns their number. */
  removeAll(): Promise<number>;
  /** Removes sessions that have expired or were last used before the given time. Returns their number. */
  purge(before: { now: number; lastSeenAt: number }): Promise<number>;
}

/** The options of a share that can be changed. */
export type ShareOptions = Pick<StoredShare, 'expiresAt' | 'passwordHash'>;

/** A share in a list. */
export interface ListedShare extends StoredShare {
  /** Name of the owner. */
  readonly username: string;
}

/** A path within the scope of a user. */
export interface UserPath {
  readonly userId: number;
  readonly path: VirtualPath;
}

/** A deleted path; see {@link ShareRepository.endUnder}. */
export interface EndedPath extends UserPath {
  readonly keptId: string | null;
  /** Unix milliseconds; shares that were created later are not affected. */
  readonly deletedAt?: number | undefined;
}

/**
 * The table of shares. A user's shares are removed with the user. `now` is in Unix seconds; a share that
 * expires at `now` has expired. Lists are ordered by owner, then by expiry with permanent shares first.
 */
export interface ShareRepository {
  /** Returns the unexpired share with exactly this hash. */
  find(hash: string, now: number): Promise<StoredShare | null>;
  /** Yields all unexpired shares, or those of one user, in batches. */
  list(now: number, userId?: number): AsyncIterable<readonly ListedShare[]>;
  /** Returns the unexpired shares of exactly these paths, in their order. */
  listAt(now: number, paths: readonly UserPath[]): Promise<ListedShare[]>;
  /** Returns all shares at and below these paths, including expired ones. */
  listUnder(paths: readonly UserPath[]): Promise<StoredShare[]>;
  /** Returns the users who have shares, ordered by id, with their current scope. */
  owners(): Promise<{ readonly userId: number; readonly scope: VirtualPath }[]>;
  /**
   * Adds a share. Expired shares of its owner give way, the first to expire before the others. Returns `too_many` if the owner
   * has `maxPerUser` unexpired ones already, and `other_scope` if the owner was deleted or no longer has the scope in which the
   * path was checked.
   */
  create(
    share: StoredShare,
    conditions: { readonly maxPerUser: number; readonly scope?: string },
  ): Promise<'created' | 'too_many' | 'other_scope'>;
  /** Changes the given options of a share. Does nothing if it no longer exists. */
  update(hash: string, options: Partial<ShareOptions>): Promise<void>;
  /** Adds visits to the shares with these hashes. */
  addVisits(visits: ReadonlyMap<string, number>): Promise<void>;
  remove(hash: string): Promise<void>;
  /**
   * Ends the shares at and below these paths. With the id of a deleted entry they are suspended: they are unknown until the entry
   * is restored. Otherwise they are removed. The first path above a share decides.
   */
  endUnder(paths: readonly EndedPath[]): Promise<void>;
  /**
   * Suspends the shares at and below these paths, which are about to be removed forever, until they are resumed or removed. Returns
   * their hashes.
   */
  announceRemoval(paths: readonly UserPath[]): Promise<readonly string[]>;
  /** Returns the shares that {@link announceRemoval} has suspended. */
  announcedRemovals(): Promise<StoredShare[]>;
  /** Returns the shares that are suspended with a deleted entry. */
  suspended(keptId: string): Promise<SuspendedShare[]>;
  /** Ends the suspension of a share, at a path in its owner's scope. */
  resume(hash: string, path: VirtualPath): Promise<void>;
  /** Removes the shares that are suspended with these entries. */
  removeSuspended(keptIds: readonly string[]): Promise<void>;
  /** Moves the shares at and below `from` to `to` atomically. Neither is the root. */
  moveUnder(moves: readonly { userId: number; from: VirtualPath; to: VirtualPath }[]): Promise<void>;
  /** Removes the shares that have expired at `now`, and returns their number. */
  removeExpired(now: number): Promise<number>;
}

/** A resumable upload. Sizes in bytes, times in Unix milliseconds. */
export interface StoredUpload {
  /** Random. Its user can continue the upload with it. */
  readonly id: string;
  readonly userId: number;
  /** Scope of the user when the upload began; `path` is relative to it. */
  readonly scope: VirtualPath;
  readonly path: VirtualPath;
  /** Name of the unfinished file, in the folder of the target. */
  readonly partName: string;
  readonly lengthBytes: number;
  /** Number of bytes that are synced to disk and survive a power failure. */
  readonly storedBytes: number;
  readonly overrides: boolean;
  /** Whether the upload is identified by its path, as existing clients do. */
  readonly isByPath: boolean;
  /** Whether the file has its final name. The record is kept for clients that missed the response. */
  readonly isFinished: boolean;
  readonly expiresAt: number;
  readonly beganAt: number;
  /** The time at which the last bytes were stored. */
  readonly lastByteAt: number;
  /** The modification time of the file on the user's machine; null when the client did not send it. */
  readonly modifiedMs: number | null;
  /** Chosen by the client, so that it can repeat the creation of the upload if the response is lost; null for none. */
  readonly clientKey: string | null;
  /** The folder upload that the file belongs to, and its path in that folder; null for none. */
  readonly folder: { readonly id: string; readonly file: string } | null;
  /** The number of missing parent folders that were created for the upload: the nearest ones. */
  readonly createdParents: number;
  /** Error that prevents the upload from being finished although all bytes have arrived; null otherwise. */
  readonly blockedBy: ErrorCode | null;
  /** The sentence of that error; null when it has none. */
  readonly blockedDetail: string | null;
}

/** The table of resumable uploads. */
export interface UploadRepository {
  list(): Promise<StoredUpload[]>;
  create(upload: StoredUpload): Promise<void>;
  /** Stores the changed fields. Does nothing if the upload was removed. */
  update(
    id: string,
    change: Pick<
      StoredUpload,
      | 'path'
      | 'storedBytes'
      | 'overrides'
      | 'isFinished'
      | 'expiresAt'
      | 'lastByteAt'
      | 'createdParents'
      | 'blockedBy'
      | 'blockedDetail'
    >,
  ): Promise<void>;
  remove(id: string): Promise<void>;
}

/** A folder that is being uploaded. Sizes in bytes, times in Unix milliseconds. */
export interface StoredFolderUpload {
  /** Random. */
  readonly id: string;
  readonly userId: number;
  /** Scope of the user when the upload began; `path` is relative to it. */
  readonly scope: VirtualPath;
  /** The destination of the folder. */
  readonly path: VirtualPath;
  /** Its name on the user's machine. */
  readonly name: string;
  /** The number of files to upload, and the sum of their sizes. */
  readonly files: number;
  readonly bytes: number;
  readonly beganAt: number;
  /** The time at which the last file was begun or stored. */
  readonly usedAt: number;
  readonly expiresAt: number;
}

/** A file of a folder upload that was begun. */
export interface StoredFolderUploadFile {
  /** Its path in the folder on the user's machine. */
  readonly file: string;
  /** The destination below that of the folder; null when it equals `file`. */
  readonly target: string | null;
  readonly sizeBytes: number;
  /** The modification time on the user's machine. */
  readonly modifiedMs: number;
  readonly begunAt: number;
}

/** The tables of folder uploads and their files. */
export interface FolderUploadRepository {
  list(): Promise<StoredFolderUpload[]>;
  create(folder: StoredFolderUpload): Promise<void>;
  /** Stores the changed fields. Does nothing if the folder upload was removed. */
  update(id: string, change: Pick<StoredFolderUpload, 'path' | 'usedAt' | 'expiresAt'>): Promise<void>;
  /** Removes a folder upload with the records of its files. */
  remove(id: string): Promise<void>;
  /** Records files as begun, in one transaction. Existing records, even of files that have arrived, are replaced. */
  recordBegun(id: string, files: readonly StoredFolderUploadFile[]): Promise<void>;
  /** Records begun files as arrived, in one transaction. */
  recordArrived(id: string, files: readonly string[]): Promise<void>;
  totals(id: string): Promise<{ knownFiles: number; arrivedFiles: number; arrivedBytes: number }>;
  /** Returns the files that have arrived, or those that were only begun, in the order of their paths after `after`. */
  files(
    id: string,
    page: { readonly hasArrived: boolean; readonly after: string; readonly limit: number },
  ): Promise<StoredFolderUploadFile[]>;
}

/** A share that is suspended with a deleted entry. */
export interface SuspendedShare {
  readonly hash: string;
  readonly userId: number;
  /** The path in the served root that it showed. */
  readonly servedPath: VirtualPath;
  /** The current scope of its owner. */
  readonly scope: VirtualPath;
}

/** A job as it is stored. `Progress` and `Request` are JSON values of the jobs feature. */
export interface StoredJob<Request = unknown, Progress = unknown> {
  readonly id: string;
  readonly userId: number;
  /** The session that created the job. */
  readonly sessionId: string;
  /** Scope of the user when the job was created; the paths of items are relative to it. */
  readonly scope: string;
  readonly request: Request;
  readonly itemCount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly isEnded: boolean;
  readonly progress: Progress;
}

/** The tables of jobs, their items and results. Items and results are JSON values of the jobs feature. */
export interface JobRepository {
  /** Returns all jobs, the oldest first, without items and results. */
  list(): Promise<StoredJob[]>;
  /** Stores a job with all its items. */
  create(job: StoredJob, items: readonly unknown[]): Promise<void>;
  /** Returns the items from the index `first` on. */
  items(id: string, first: number): Promise<unknown[]>;
  /** Yields the results in parts. */
  results(id: string): AsyncIterable<readonly unknown[]>;
  /** Stores the progress and appends `results`, which follow `first` earlier ones. Does nothing if the job was removed. */
  update(
    id: string,
    change: Pick<StoredJob, 'isEnded' | 'progress'>,
    results: { readonly first: number; readonly added: readonly unknown[] },
  ): Promise<void>;
  remove(id: string): Promise<void>;
  /** Asks the server to cancel a job; it does so at once if it is running, and otherwise when it starts. Returns whether the job has not ended. */
  requestCancellation(id: string): Promise<boolean>;
  /** Returns the ids of the jobs that are to be cancelled. */
  cancellations(): Promise<string[]>;
}

/** The global settings and the server's own keys. */
export interface SettingsRepository {
  /** Returns the settings; null before the first start has stored them. */
  read(): Promise<Settings | null>;
  write(settings: Settings): Promise<void>;
  /**
   * Returns the authentication method; username and password if none was stored. Read once when the server
   * starts.
   */
  readAuthMethod(): Promise<AuthMethod>;
  writeAuthMethod(method: AuthMethod): Promise<void>;
  /** Returns the key `name`, generated with this number of bytes if it does not exist. */
  secret(name: string, bytes: number): Promise<Uint8Array>;
  /** Whether there are keys, as in every database that a server has used. */
  hasSecrets(): Promise<boolean>;
  /** Replaces all keys with new random ones of the same length and returns their number. */
  replaceSecrets(): Promise<number>;
}

/** Stored start-up options. Flags, the environment and the configuration file override them. */
export interface ServerOptionsRepository {
  /** Returns the options by name, with values as written after a flag. */
  read(): Promise<Record<string, string>>;
  /** Replaces all stored options. */
  write(options: Readonly<Record<string, string>>): Promise<void>;
}

/** Everything that is stored except files. Another database implements this interface only. */
export interface Database {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly shares: ShareRepository;
  readonly uploads: UploadRepository;
  readonly folderUploads: FolderUploadRepository;
  readonly trash: TrashRepository;
  readonly restorations: RestorationRepository;
  readonly versions: VersionRepository;
  readonly retention: RetentionRepository;
  readonly marks: MarkRepository;
  readonly jobs: JobRepository;
  readonly operations: OperationRepository;
  readonly settings: SettingsRepository;
  readonly serverOptions: ServerOptionsRepository;
  /** Runs `work` in a transaction on the database passed to it. Other writers wait meanwhile. */
  transact<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Whether another process has changed the database since the last call. Takes a few microseconds. */
  wasChangedElsewhere(): boolean;
  /** Writes a complete copy to a new file with mode 600. Throws if the file exists. */
  backUp(path: string): Promise<void>;
  /**
   * Throws if the database cannot be read, and `database_unavailable` if its file was removed or replaced.
   */
  check(): Promise<void>;
  /** Returns why the database file is no longer at its path, so that changes are refused; null if it is there. */
  loss(): 'removed' | 'replaced' | null;
  /** Reserves space inside the database's own files, so that small changes are possible on a full disk. */
  refillReserve(): void;
  /**
   * Writes all changes to the main database file, so that a copy of that file is complete, and closes the
   * database.
   */
  close(): Promise<void>;
}
