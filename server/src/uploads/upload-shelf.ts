import type { Clock } from '../clock.ts';
import {
  isAtOrBelow,
  joinPaths,
  parentOf,
  parsePath,
  type VirtualPath,
} from '@filestead/contract/virtual-path';
import type { ErrorCode } from '@filestead/contract/errors';
import type { FastifyBaseLogger } from 'fastify';
import type { Callers } from '../access/callers.ts';
import type { FileChange } from '../access/file-events.ts';
import type { UploadRepository } from '../database/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/caller.ts';
import type { PartialOptions } from '../storage/storage.ts';
import { type LiveUpload, liveUpload } from './live-upload.ts';

/** How many unfinished uploads there may be, and for how long. */
export interface UploadLimits {
  readonly perUser: number;
  /** An upload that nobody goes on with is given up after so long. */
  readonly expiresAfterMs: number;
}

/** The same for uploads that are found by their path (existing API §6.3). */
const pathExpiresAfterMs = 3 * 60_000;
/** A blocked upload waits at least this long for somebody to decide what becomes of it. */
const blockedKeptMs = 7 * 24 * 60 * 60_000;
/** A finished upload is remembered for so long, for clients that missed the answer to their last part. */
const finishedKeptMs = 10 * 60_000;
/** Space is set aside for so long after the last byte; it is asked for anew when the upload goes on. */
const spaceKeptMs = 3 * 60_000;
/** How often it is looked which uploads are over: a quarter of their life within these bounds. */
const sweepMs = { least: 250, most: 30_000 } as const;

export interface ShelfParts {
  readonly repository: UploadRepository;
  readonly callers: Pick<Callers, 'find'>;
  readonly limits: UploadLimits;
  readonly clock: Clock;
  /** Removes an unfinished file, at a path seen from the served folder, whoever may reach it now. */
  readonly discard: (path: VirtualPath, part: PartialOptions) => Promise<void>;
  /** The bytes of an unfinished file, in the same way; null when it is gone. */
  readonly measure: (path: VirtualPath, part: PartialOptions) => Promise<number | null>;
  readonly log: FastifyBaseLogger;
}

/** The path of an upload's target as its user's folder is seen from the served one. */
const placeOf = ({ facts }: LiveUpload): VirtualPath => joinPaths(facts.scope, facts.path);

/** The folder that is all a user sees, below the served one. */
export const scopeOf = ({ user }: Caller): VirtualPath => parsePath(user.scope).path;

/** How the storage finds the unfinished file. */
export const partOf = ({ facts }: LiveUpload): PartialOptions => ({
  name: facts.partName,
  mode: facts.overrides ? 'either' : 'create',
});

/** Keeps the unfinished uploads of a server, in memory and in the database, and throws out what is over. */
export class UploadShelf {
  readonly #parts: ShelfParts;
  readonly #uploads = new Map<string, LiveUpload>();
  readonly #stopSweeping: () => void;

  private constructor(parts: ShelfParts) {
    this.#parts = parts;
    const interval = Math.max(sweepMs.least, Math.min(sweepMs.most, parts.limits.expiresAfterMs / 4));
    this.#stopSweeping = parts.clock.every(interval, () => this.#swept());
  }

  /** Finds what an earlier run of the server left. */
  static async open(parts: ShelfParts): Promise<UploadShelf> {
    const shelf = new UploadShelf(parts);
    for (const facts of await parts.repository.list())
      shelf.#uploads.set(facts.id, liveUpload(facts, null, parts.clock.now()));
    shelf.#swept();
    return shelf;
  }

  /** When an upload that is used now would be given up. */
  expiry(isByPath: boolean, isBlocked = false): number {
    const { expiresAfterMs } = this.#parts.limits;
    const now = this.#parts.clock.now();
    if (isBlocked) return now + Math.max(expiresAfterMs, blockedKeptMs);
    return now + (isByPath ? Math.min(expiresAfterMs, pathExpiresAfterMs) : expiresAfterMs);
  }

  /** Throws `not_found`, also for the uploads of others and of a scope that the user no longer has. */
  byId(caller: Caller, id: string): LiveUpload {
    const upload = this.#uploads.get(id);
    if (upload === undefined || !this.#isOf(upload, caller)) throw new AppError('not_found');
    return upload;
  }

  /** The user's unfinished upload to `path`; of several the newest one that was begun by path. Null when there is none. */
  byPath(caller: Caller, path: VirtualPath): LiveUpload | null {
    const found = [...this.#uploads.values()].filter(
      (upload) =>
        upload.facts.path === path &&
        !upload.facts.isFinished &&
        upload.facts.blockedBy === null &&
        this.#isOf(upload, caller),
    );
    return found.findLast(({ facts }) => facts.isByPath) ?? found.at(-1) ?? null;
  }

  /** The user's blocked upload of so many bytes to `path`, begun by path; null when there is none. */
  blockedByPath(caller: Caller, path: VirtualPath, lengthBytes: number): LiveUpload | null {
    const isMeant = ({ facts }: LiveUpload): boolean =>
      facts.isByPath && facts.blockedBy !== null && facts.path === path && facts.lengthBytes === lengthBytes;
    return this.listOf(caller).find(isMeant) ?? null;
  }

  /** The uploads of a user that have not been finished, the oldest first. */
  listOf(caller: Caller): LiveUpload[] {
    return [...this.#uploads.values()]
      .filter((upload) => !upload.facts.isFinished && this.#isOf(upload, caller))
      .sort((one, other) => one.facts.beganAt - other.facts.beganAt);
  }

  /** Keeps an upload whose bytes have all arrived although it could not be finished, and why. */
  async block(upload: LiveUpload, reason: ErrorCode): Promise<void> {
    upload.space?.release();
    upload.space = null;
    upload.facts.blockedBy = reason;
    await this.save(upload, upload.facts.lengthBytes);
  }

  #isOf({ facts, sender }: LiveUpload, caller: Caller): boolean {
    const isAlive = sender !== null || facts.expiresAt > this.#parts.clock.now();
    return isAlive && facts.userId === caller.user.id && facts.scope === scopeOf(caller);
  }

  /** Throws `too_many_requests` when the user has as many as are allowed. */
  async add(upload: LiveUpload): Promise<void> {
    const { facts } = upload;
    const ofUser = [...this.#uploads.values()].filter(
      (other) => other.facts.userId === facts.userId && !other.facts.isFinished,
    );
    if (!facts.isFinished && ofUser.length >= this.#parts.limits.perUser) {
      throw new AppError('too_many_requests', 'too many unfinished uploads');
    }
    this.#uploads.set(facts.id, upload);
    try {
      await this.#parts.repository.create(facts);
    } catch (error) {
      this.#uploads.delete(facts.id);
      throw error;
    }
  }

  /** Writes down how far it is, and that somebody cares about it. */
  async save(upload: LiveUpload, storedBytes: number): Promise<void> {
    const { facts } = upload;
    upload.lastUsedAt = this.#parts.clock.now();
    facts.storedBytes = storedBytes;
    const expiresAt = this.expiry(facts.isByPath, facts.blockedBy !== null);
    facts.expiresAt = facts.isFinished
      ? Math.min(expiresAt, this.#parts.clock.now() + finishedKeptMs)
      : expiresAt;
    await this.#parts.repository.update(facts.id, facts);
  }

  /** Forgets an upload that has its name or none of whose bytes are left. */
  async forget(upload: LiveUpload): Promise<void> {
    this.#uploads.delete(upload.facts.id);
    upload.space?.release();
    upload.space = null;
    await this.#parts.repository.remove(upload.facts.id);
  }

  /** Whether the bytes that have arrived are still there. */
  async isKept(upload: LiveUpload): Promise<boolean> {
    return (await this.#parts.measure(placeOf(upload), partOf(upload))) !== null;
  }

  /** Gives an upload up with all that has arrived of it. */
  async drop(upload: LiveUpload): Promise<void> {
    while (upload.sender !== null) await upload.sender.stop();
    if (!upload.facts.isFinished) await this.#parts.discard(placeOf(upload), partOf(upload));
    await this.forget(upload);
  }

  /** Unfinished files move with their folders. */
  async follow({ caller, path, destination }: FileChange): Promise<void> {
    if (destination === null) return;
    const from = joinPaths(scopeOf(caller), path);
    const to = joinPaths(scopeOf(caller), destination);
    for (const upload of this.#uploads.values()) {
      const { facts } = upload;
      const place = placeOf(upload);
      if (!isAtOrBelow(parentOf(place), from)) continue;
      const moved = `${to}${place.slice(from.length)}` as VirtualPath;
      if (!isAtOrBelow(moved, facts.scope)) continue;
      facts.path = (facts.scope === '/' ? moved : moved.slice(facts.scope.length)) as VirtualPath;
      await this.#parts.repository.update(facts.id, facts);
    }
  }

  /** Stops all senders; what has arrived is kept for the next start. */
  async close(): Promise<void> {
    this.#stopSweeping();
    await Promise.all([...this.#uploads.values()].map((upload) => upload.sender?.stop()));
  }

  #swept(): void {
    this.#sweep().catch((error: unknown) => this.#parts.log.error({ err: error }, 'old uploads stay'));
  }

  async #sweep(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const upload of this.#uploads.values()) {
      if (upload.sender !== null) continue;
      if (upload.space !== null && now - upload.lastUsedAt > spaceKeptMs) {
        upload.space.release();
        upload.space = null;
      }
      const { userId, expiresAt } = upload.facts;
      if (expiresAt <= now || (await this.#parts.callers.find(userId)) === null) await this.drop(upload);
    }
  }
}
