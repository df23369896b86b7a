import type { Clock } from '../clock.ts';
import {
  isAtOrBelow,
  joinPaths,
  parentOf,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { ErrorCode } from '@filestead/contract/errors';
import type { FastifyBaseLogger } from 'fastify';
import type { UserContexts } from '../access/user-contexts.ts';
import type { FileChange } from '../access/file-events.ts';
import type { UploadRepository } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Config } from '../config/config.ts';
import type { UserContext } from '../access/user-context.ts';
import type { PartialOptions } from '../storage/storage.ts';
import { type LiveUpload, liveUpload } from './live-upload.ts';

/** Limits of unfinished uploads. `uploadExpirationMs` counts from the last request of an upload. */
export type UploadLimits = Pick<Config, 'maxUploadsPerUser' | 'uploadExpirationMs'>;

/** Expiration of uploads that are identified by their path (docs/reference/filebrowser-api.md §6.3). */
const pathExpiresAfterMs = 3 * 60_000;
/** Minimum time for which a blocked upload is kept for the user's choice. */
const blockedKeptMs = 7 * 24 * 60 * 60_000;
/** Time for which finished uploads are remembered, for clients that missed the response to their last part. */
const finishedKeptMs = 10 * 60_000;
/** Maximum number of finished uploads that are remembered for one user; the oldest are forgotten first. */
export const maxFinishedPerUser = 100;
/** Time after the last byte for which disk space stays reserved. It is reserved again when the upload continues. */
const spaceKeptMs = 3 * 60_000;
/** Bounds of the interval at which expired uploads are removed; it is a quarter of their lifetime. */
const sweepMs = { min: 250, max: 30_000 } as const;

/** The dependencies of an {@link UploadRegistry}. */
export interface UploadRegistryOptions {
  readonly repository: UploadRepository;
  readonly userContexts: Pick<UserContexts, 'find'>;
  readonly limits: UploadLimits;
  readonly clock: Clock;
  /** Removes an unfinished file, at a path relative to the served folder, regardless of permissions. */
  readonly discard: (path: VirtualPath, part: PartialOptions) => Promise<void>;
  /** Returns the size of an unfinished file in bytes, regardless of permissions; null when it does not exist. */
  readonly measure: (path: VirtualPath, part: PartialOptions) => Promise<number | null>;
  readonly log: FastifyBaseLogger;
}

/** Returns the path of an upload's target relative to the served folder. */
export const servedPathOf = ({ record }: LiveUpload): VirtualPath => joinPaths(record.scope, record.path);

/** Returns the parent folders that were created for an upload, as paths of the served root, the outermost first. */
export function createdParentsOf(upload: LiveUpload): VirtualPath[] {
  const parents: VirtualPath[] = [];
  let path = servedPathOf(upload);
  for (let left = upload.record.createdParents; left > 0; left -= 1) {
    path = parentOf(path);
    parents.unshift(path);
  }
  return parents;
}

/** Returns the user's scope relative to the served folder. */
export const scopeOf = ({ user }: UserContext): VirtualPath => parsePath(user.scope).path;

/** Returns the options by which the storage finds the unfinished file. */
export const partOf = ({ record }: LiveUpload): PartialOptions => ({
  name: record.partName,
  mode: record.overrides ? 'either' : 'create',
});

/** The unfinished uploads of a server, in memory and in the database. Removes expired ones. */
export class UploadRegistry {
  readonly #parts: UploadRegistryOptions;
  readonly #uploads = new Map<string, LiveUpload>();
  readonly #stopSweeping: () => void;

  private constructor(parts: UploadRegistryOptions) {
    this.#parts = parts;
    const interval = Math.max(sweepMs.min, Math.min(sweepMs.max, parts.limits.uploadExpirationMs / 4));
    this.#stopSweeping = parts.clock.every(interval, () => this.#startSweep());
  }

  /** Opens the registry with the uploads of earlier runs of the server. */
  static async open(parts: UploadRegistryOptions): Promise<UploadRegistry> {
    const registry = new UploadRegistry(parts);
    for (const record of await parts.repository.list())
      registry.#uploads.set(record.id, liveUpload(record, null, parts.clock.now()));
    registry.#startSweep();
    return registry;
  }

  /** Returns the expiry of an upload that is used now. */
  expiry(isByPath: boolean, isBlocked = false): number {
    const { uploadExpirationMs: expiresAfterMs } = this.#parts.limits;
    const now = this.#parts.clock.now();
    if (isBlocked) return now + Math.max(expiresAfterMs, blockedKeptMs);
    return now + (isByPath ? Math.min(expiresAfterMs, pathExpiresAfterMs) : expiresAfterMs);
  }

  /**
   * Returns an upload by its id. Throws `not_found`, also for uploads of other users and of a scope that the user no
   * longer has.
   */
  byId(userContext: UserContext, id: string): LiveUpload {
    const upload = this.#uploads.get(id);
    if (upload === undefined || !this.#isOf(upload, userContext)) throw new AppError('not_found');
    return upload;
  }

  /** Returns the user's unfinished upload to `path`, or null. Prefers uploads that are identified by their path, then newer ones. */
  byPath(userContext: UserContext, path: VirtualPath): LiveUpload | null {
    const found = [...this.#uploads.values()].filter(
      (upload) =>
        upload.record.path === path &&
        !upload.record.isFinished &&
        upload.record.blockedBy === null &&
        this.#isOf(upload, userContext),
    );
    return found.findLast(({ record }) => record.isByPath) ?? found.at(-1) ?? null;
  }

  /** Returns the user's upload to `path` with this key of its client, finished or not; null for none. */
  byKey(userContext: UserContext, path: VirtualPath, key: string): LiveUpload | null {
    for (const upload of this.#uploads.values()) {
      const { clientKey, path: target } = upload.record;
      if (clientKey === key && target === path && this.#isOf(upload, userContext)) return upload;
    }
    return null;
  }

  /** Returns the user's unfinished uploads of a folder. */
  inFolder(userContext: UserContext, folderId: string): LiveUpload[] {
    return this.listOf(userContext).filter(({ record }) => record.folder?.id === folderId);
  }

  /** Returns the user's blocked upload of `lengthBytes` to `path` that is identified by its path, or null. */
  blockedByPath(userContext: UserContext, path: VirtualPath, lengthBytes: number): LiveUpload | null {
    const isMatch = ({ record }: LiveUpload): boolean =>
      record.isByPath &&
      record.blockedBy !== null &&
      record.path === path &&
      record.lengthBytes === lengthBytes;
    return this.listOf(userContext).find(isMatch) ?? null;
  }

  /** Returns the unfinished uploads of a user, the oldest first. */
  listOf(userContext: UserContext): LiveUpload[] {
    return [...this.#uploads.values()]
      .filter((upload) => !upload.record.isFinished && this.#isOf(upload, userContext))
      .sort((one, other) => one.record.beganAt - other.record.beganAt);
  }

  /** Returns the unfinished uploads of all users, the oldest first. */
  listAll(): LiveUpload[] {
    return [...this.#uploads.values()]
      .filter((upload) => !upload.record.isFinished && this.#isAlive(upload))
      .sort((one, other) => one.record.beganAt - other.record.beganAt);
  }

  /** Marks a complete upload as blocked because finishing it failed with `reason`, whose sentence is `detail`. */
  async block(upload: LiveUpload, reason: ErrorCode, detail: string | null): Promise<void> {
    upload.space?.release();
    upload.space = null;
    upload.record.blockedBy = reason;
    upload.record.blockedDetail = detail;
    await this.save(upload, upload.record.lengthBytes);
  }

  #isAlive({ record, lease }: LiveUpload): boolean {
    return lease !== null || record.expiresAt > this.#parts.clock.now();
  }

  #isOf(upload: LiveUpload, userContext: UserContext): boolean {
    const { userId, scope } = upload.record;
    return this.#isAlive(upload) && userId === userContext.user.id && scope === scopeOf(userContext);
  }

  /** Adds an upload. Throws `too_many_requests` when the user has reached the limit. */
  async add(upload: LiveUpload): Promise<void> {
    const { record } = upload;
    const ofUser = [...this.#uploads.values()].filter(
      (other) => other.record.userId === record.userId && !other.record.isFinished,
    );
    if (!record.isFinished && ofUser.length >= this.#parts.limits.maxUploadsPerUser) {
      throw new AppError('too_many_requests', 'too many unfinished uploads');
    }
    this.#uploads.set(record.id, upload);
    try {
      await this.#parts.repository.create(record);
    } catch (error) {
      this.#uploads.delete(record.id);
      throw error;
    }
  }

  /** Saves the progress of an upload and extends its expiry. */
  async save(upload: LiveUpload, storedBytes: number): Promise<void> {
    const { record } = upload;
    upload.lastUsedAt = this.#parts.clock.now();
    if (storedBytes > record.storedBytes) record.lastByteAt = upload.lastUsedAt;
    record.storedBytes = storedBytes;
    const expiresAt = this.expiry(record.isByPath, record.blockedBy !== null);
    record.expiresAt = record.isFinished
      ? Math.min(expiresAt, this.#parts.clock.now() + finishedKeptMs)
      : expiresAt;
    await this.#parts.repository.update(record.id, record);
    if (record.isFinished) await this.#boundFinished(record.userId);
  }

  async #boundFinished(userId: number): Promise<void> {
    const finished = [...this.#uploads.values()]
      .filter(({ record, lease }) => record.userId === userId && record.isFinished && lease === null)
      .sort((one, other) => one.lastUsedAt - other.lastUsedAt);
    for (const upload of finished.slice(0, -maxFinishedPerUser)) await this.forget(upload);
  }

  /** Removes an upload that is finished or has no bytes left. */
  async forget(upload: LiveUpload): Promise<void> {
    this.#uploads.delete(upload.record.id);
    upload.space?.release();
    upload.space = null;
    await this.#parts.repository.remove(upload.record.id);
  }

  /** Whether the unfinished file still exists. */
  async isKept(upload: LiveUpload): Promise<boolean> {
    return (await this.#parts.measure(servedPathOf(upload), partOf(upload))) !== null;
  }

  /** Removes an upload and its bytes. */
  async drop(upload: LiveUpload): Promise<void> {
    while (upload.lease !== null) await upload.lease.stop();
    if (!upload.record.isFinished) await this.#parts.discard(servedPathOf(upload), partOf(upload));
    await this.forget(upload);
  }

  /** Updates the uploads after a move, because unfinished files move with their folders. */
  async follow({ userContext, path, destination }: FileChange): Promise<void> {
    if (destination === null) return;
    const from = joinPaths(scopeOf(userContext), path);
    const to = joinPaths(scopeOf(userContext), destination);
    for (const upload of this.#uploads.values()) {
      const { record } = upload;
      const servedPath = servedPathOf(upload);
      if (!isAtOrBelow(parentOf(servedPath), from)) continue;
      const moved = joinPaths(to, relativeTo(servedPath, from));
      if (!isAtOrBelow(moved, record.scope)) continue;
      record.path = relativeTo(moved, record.scope);
      await this.#parts.repository.update(record.id, record);
    }
  }

  /** Stops all requests that send bytes. The bytes that have arrived are kept for the next start. */
  async close(): Promise<void> {
    this.#stopSweeping();
    await Promise.all([...this.#uploads.values()].map((upload) => upload.lease?.stop()));
  }

  #startSweep(): void {
    this.#sweep().catch((error: unknown) =>
      this.#parts.log.error({ err: error }, 'expired uploads could not be removed'),
    );
  }

  async #sweep(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const upload of this.#uploads.values()) {
      if (upload.lease !== null) continue;
      if (upload.space !== null && now - upload.lastUsedAt > spaceKeptMs) {
        upload.space.release();
        upload.space = null;
      }
      const { userId, expiresAt } = upload.record;
      if (expiresAt <= now || (await this.#parts.userContexts.find(userId)) === null) await this.drop(upload);
    }
  }
}
