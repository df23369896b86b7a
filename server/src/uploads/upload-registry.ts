import type { Clock } from '../clock.ts';
import {
  isAtOrBelow,
  joinPaths,
  parentOf,
  parsePath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { ErrorCode } from '@filestead/contract/errors';
import type { FastifyBaseLogger } from 'fastify';
import type { UserContexts } from '../access/user-contexts.ts';
import type { FileChange } from '../access/file-events.ts';
import type { UploadRepository } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { PartialOptions } from '../storage/storage.ts';
import { type LiveUpload, liveUpload } from './live-upload.ts';

/** How many unfinished uploads there may be, and for how long. */
export interface UploadLimits {
  readonly perUser: number;
  /** An upload that nobody goes on with is given up after so long. */
  readonly expiresAfterMs: number;
}

/** The same for uploads that are found by their path (docs/reference/filebrowser-api.md §6.3). */
const pathExpiresAfterMs = 3 * 60_000;
/** A blocked upload waits at least this long for somebody to decide what becomes of it. */
const blockedKeptMs = 7 * 24 * 60 * 60_000;
/** A finished upload is remembered for so long, for clients that missed the answer to their last part. */
const finishedKeptMs = 10 * 60_000;
/** Space is set aside for so long after the last byte; it is asked for anew when the upload goes on. */
const spaceKeptMs = 3 * 60_000;
/** How often it is looked which uploads are over: a quarter of their life within these bounds. */
const sweepMs = { least: 250, most: 30_000 } as const;

export interface UploadRegistryOptions {
  readonly repository: UploadRepository;
  readonly userContexts: Pick<UserContexts, 'find'>;
  readonly limits: UploadLimits;
  readonly clock: Clock;
  /** Removes an unfinished file, at a path seen from the served folder, whoever may reach it now. */
  readonly discard: (path: VirtualPath, part: PartialOptions) => Promise<void>;
  /** The bytes of an unfinished file, in the same way; null when it is gone. */
  readonly measure: (path: VirtualPath, part: PartialOptions) => Promise<number | null>;
  readonly log: FastifyBaseLogger;
}

/** The path of an upload's target as its user's folder is seen from the served one. */
const placeOf = ({ record }: LiveUpload): VirtualPath => joinPaths(record.scope, record.path);

/** The folder that is all a user sees, below the served one. */
export const scopeOf = ({ user }: UserContext): VirtualPath => parsePath(user.scope).path;

/** How the storage finds the unfinished file. */
export const partOf = ({ record }: LiveUpload): PartialOptions => ({
  name: record.partName,
  mode: record.overrides ? 'either' : 'create',
});

/** Keeps the unfinished uploads of a server, in memory and in the database, and throws out what is over. */
export class UploadRegistry {
  readonly #parts: UploadRegistryOptions;
  readonly #uploads = new Map<string, LiveUpload>();
  readonly #stopSweeping: () => void;

  private constructor(parts: UploadRegistryOptions) {
    this.#parts = parts;
    const interval = Math.max(sweepMs.least, Math.min(sweepMs.most, parts.limits.expiresAfterMs / 4));
    this.#stopSweeping = parts.clock.every(interval, () => this.#swept());
  }

  /** Finds what an earlier run of the server left. */
  static async open(parts: UploadRegistryOptions): Promise<UploadRegistry> {
    const registry = new UploadRegistry(parts);
    for (const facts of await parts.repository.list())
      registry.#uploads.set(facts.id, liveUpload(facts, null, parts.clock.now()));
    registry.#swept();
    return registry;
  }

  /** When an upload that is used now would be given up. */
  expiry(isByPath: boolean, isBlocked = false): number {
    const { expiresAfterMs } = this.#parts.limits;
    const now = this.#parts.clock.now();
    if (isBlocked) return now + Math.max(expiresAfterMs, blockedKeptMs);
    return now + (isByPath ? Math.min(expiresAfterMs, pathExpiresAfterMs) : expiresAfterMs);
  }

  /** Throws `not_found`, also for the uploads of others and of a scope that the user no longer has. */
  byId(userContext: UserContext, id: string): LiveUpload {
    const upload = this.#uploads.get(id);
    if (upload === undefined || !this.#isOf(upload, userContext)) throw new AppError('not_found');
    return upload;
  }

  /** The user's unfinished upload to `path`; of several the newest one that was begun by path. Null when there is none. */
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

  /** The user's blocked upload of so many bytes to `path`, begun by path; null when there is none. */
  blockedByPath(userContext: UserContext, path: VirtualPath, lengthBytes: number): LiveUpload | null {
    const isMeant = ({ record }: LiveUpload): boolean =>
      record.isByPath &&
      record.blockedBy !== null &&
      record.path === path &&
      record.lengthBytes === lengthBytes;
    return this.listOf(userContext).find(isMeant) ?? null;
  }

  /** The uploads of a user that have not been finished, the oldest first. */
  listOf(userContext: UserContext): LiveUpload[] {
    return [...this.#uploads.values()]
      .filter((upload) => !upload.record.isFinished && this.#isOf(upload, userContext))
      .sort((one, other) => one.record.beganAt - other.record.beganAt);
  }

  /** Keeps an upload whose bytes have all arrived although it could not be finished, and why. */
  async block(upload: LiveUpload, reason: ErrorCode): Promise<void> {
    upload.space?.release();
    upload.space = null;
    upload.record.blockedBy = reason;
    await this.save(upload, upload.record.lengthBytes);
  }

  #isOf({ record, lease }: LiveUpload, userContext: UserContext): boolean {
    const isAlive = lease !== null || record.expiresAt > this.#parts.clock.now();
    return isAlive && record.userId === userContext.user.id && record.scope === scopeOf(userContext);
  }

  /** Throws `too_many_requests` when the user has as many as are allowed. */
  async add(upload: LiveUpload): Promise<void> {
    const { record } = upload;
    const ofUser = [...this.#uploads.values()].filter(
      (other) => other.record.userId === record.userId && !other.record.isFinished,
    );
    if (!record.isFinished && ofUser.length >= this.#parts.limits.perUser) {
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

  /** Writes down how far it is, and that somebody cares about it. */
  async save(upload: LiveUpload, storedBytes: number): Promise<void> {
    const { record } = upload;
    upload.lastUsedAt = this.#parts.clock.now();
    record.storedBytes = storedBytes;
    const expiresAt = this.expiry(record.isByPath, record.blockedBy !== null);
    record.expiresAt = record.isFinished
      ? Math.min(expiresAt, this.#parts.clock.now() + finishedKeptMs)
      : expiresAt;
    await this.#parts.repository.update(record.id, record);
  }

  /** Forgets an upload that has its name or none of whose bytes are left. */
  async forget(upload: LiveUpload): Promise<void> {
    this.#uploads.delete(upload.record.id);
    upload.space?.release();
    upload.space = null;
    await this.#parts.repository.remove(upload.record.id);
  }

  /** Whether the bytes that have arrived are still there. */
  async isKept(upload: LiveUpload): Promise<boolean> {
    return (await this.#parts.measure(placeOf(upload), partOf(upload))) !== null;
  }

  /** Gives an upload up with all that has arrived of it. */
  async drop(upload: LiveUpload): Promise<void> {
    while (upload.lease !== null) await upload.lease.stop();
    if (!upload.record.isFinished) await this.#parts.discard(placeOf(upload), partOf(upload));
    await this.forget(upload);
  }

  /** Unfinished files move with their folders. */
  async follow({ userContext, path, destination }: FileChange): Promise<void> {
    if (destination === null) return;
    const from = joinPaths(scopeOf(userContext), path);
    const to = joinPaths(scopeOf(userContext), destination);
    for (const upload of this.#uploads.values()) {
      const { record } = upload;
      const place = placeOf(upload);
      if (!isAtOrBelow(parentOf(place), from)) continue;
      const moved = `${to}${place.slice(from.length)}` as VirtualPath;
      if (!isAtOrBelow(moved, record.scope)) continue;
      record.path = (record.scope === '/' ? moved : moved.slice(record.scope.length)) as VirtualPath;
      await this.#parts.repository.update(record.id, record);
    }
  }

  /** Stops all senders; what has arrived is kept for the next start. */
  async close(): Promise<void> {
    this.#stopSweeping();
    await Promise.all([...this.#uploads.values()].map((upload) => upload.lease?.stop()));
  }

  #swept(): void {
    this.#sweep().catch((error: unknown) => this.#parts.log.error({ err: error }, 'old uploads stay'));
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
