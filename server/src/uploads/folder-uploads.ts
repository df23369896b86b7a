import { randomBytes } from 'node:crypto';
import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { maxFolderUploads, maxArrivedFilesPage } from '@filestead/contract/values/limits';
import type { FastifyBaseLogger } from 'fastify';
import type { FileChange } from '../access/file-events.ts';
import type { FolderUploadFile, FolderUploadRecorder } from '../access/folder-upload-recorder.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type {
  FolderUploadRepository,
  StoredFolderUpload,
  StoredFolderUploadFile,
} from '../database/database.ts';
import { AppError, isAppError } from '../errors.ts';
import { scopeOf, type UploadLimits } from './upload-registry.ts';

/** The delay after which the records of arrived files are written together. The next start recovers those that a crash loses. */
const flushAfterMs = 200;
/** The interval at which expired folder uploads are removed. */
const sweepMs = 60_000;
/** The number of begun files whose destinations are checked at once. */
const settledAtOnce = 100;

/** The dependencies of {@link FolderUploads}. */
export interface FolderUploadParts {
  readonly repository: FolderUploadRepository;
  readonly userContexts: Pick<UserContexts, 'find'>;
  readonly limits: Pick<UploadLimits, 'uploadExpirationMs'>;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** A new folder upload. */
export type NewFolderUpload = Pick<StoredFolderUpload, 'path' | 'name' | 'files' | 'bytes'>;

/** The state of a folder upload. */
export interface FolderUploadState {
  readonly record: StoredFolderUpload;
  readonly arrivedFiles: number;
  readonly arrivedBytes: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A folder upload in the running server. */
interface LiveFolder {
  readonly record: Mutable<StoredFolderUpload>;
  /** The number of files with a record. */
  knownFiles: number;
  /** The number of arrivals; a file that is sent again is counted twice. */
  arrivals: number;
  /** Stored files whose records are not written yet. */
  unwritten: Set<string>;
  /** The check of the files that an earlier run of the server had begun; null before it. */
  settled: Promise<void> | null;
}

/** Returns the path of `path` below `folder`, without a leading slash; null when it is not below. */
const pathBelow = (folder: VirtualPath, path: VirtualPath): string | null =>
  path !== folder && isAtOrBelow(path, folder) ? path.slice(folder === '/' ? 1 : folder.length + 1) : null;

/**
 * The folders that are being uploaded, with the files of each that have arrived. The record of a file is written before
 * its bytes, and completed afterwards: after a crash, files in between are recognized by their destination.
 */
export class FolderUploads implements FolderUploadRecorder {
  readonly #parts: FolderUploadParts;
  readonly #folders = new Map<string, LiveFolder>();
  readonly #stopSweeping: () => void;
  #stopWaiting: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(parts: FolderUploadParts) {
    this.#parts = parts;
    this.#stopSweeping = parts.clock.every(sweepMs, () => this.#startSweep());
  }

  /** Opens the folder uploads, including those of earlier runs of the server. */
  static async open(parts: FolderUploadParts): Promise<FolderUploads> {
    const folders = new FolderUploads(parts);
    for (const record of await parts.repository.list()) {
      const { knownFiles, arrivedFiles } = await parts.repository.totals(record.id);
      folders.#folders.set(record.id, {
        record: { ...record },
        knownFiles,
        arrivals: arrivedFiles,
        unwritten: new Set(),
        settled: null,
      });
    }
    return folders;
  }

  /** Creates a folder upload. Throws `too_many_requests` when the user has reached the limit. */
  async create(userContext: UserContext, folder: NewFolderUpload): Promise<FolderUploadState> {
    const { repository, clock, limits } = this.#parts;
    if (this.#liveOf(userContext).length >= maxFolderUploads)
      throw new AppError('too_many_requests', 'too many unfinished folders');
    const now = clock.now();
    const record: StoredFolderUpload = {
      ...folder,
      id: randomBytes(24).toString('base64url'),
      userId: userContext.user.id,
      scope: scopeOf(userContext),
      beganAt: now,
      usedAt: now,
      expiresAt: now + limits.uploadExpirationMs,
    };
    await repository.create(record);
    this.#folders.set(record.id, {
      record: { ...record },
      knownFiles: 0,
      arrivals: 0,
      unwritten: new Set(),
      settled: Promise.resolve(),
    });
    return { record, arrivedFiles: 0, arrivedBytes: 0 };
  }

  /** Returns the unfinished folder uploads of a user, the oldest first. */
  async listOf(userContext: UserContext): Promise<FolderUploadState[]> {
    await this.#flush();
    const states: FolderUploadState[] = [];
    for (const folder of this.#liveOf(userContext)) {
      await this.#settle(userContext, folder);
      const { arrivedFiles, arrivedBytes } = await this.#parts.repository.totals(folder.record.id);
      if (arrivedFiles < folder.record.files)
        states.push({ record: folder.record, arrivedFiles, arrivedBytes });
      else await this.#remove(folder);
    }
    return states;
  }

  /** Returns the next files of a folder upload that have arrived, in the order of their paths. Throws `not_found`. */
  async filesOf(userContext: UserContext, id: string, after: string): Promise<StoredFolderUploadFile[]> {
    const folder = this.#find(userContext, id);
    if (folder === null) throw new AppError('not_found');
    await this.#flush();
    await this.#settle(userContext, folder);
    return this.#parts.repository.files(id, { hasArrived: true, after, limit: maxArrivedFilesPage });
  }

  /** Removes a folder upload; stored files stay. Throws `not_found`. */
  async discard(userContext: UserContext, id: string): Promise<void> {
    const folder = this.#find(userContext, id);
    if (folder === null) throw new AppError('not_found');
    await this.#remove(folder);
  }

  async recordBegun(
    userContext: UserContext,
    folderId: string,
    files: readonly FolderUploadFile[],
  ): Promise<void> {
    const folder = this.#find(userContext, folderId);
    if (folder === null) return;
    const now = this.#parts.clock.now();
    const records: StoredFolderUploadFile[] = [];
    for (const { file, path, sizeBytes, modifiedMs } of files) {
      const target = pathBelow(folder.record.path, path);
      if (target !== null)
        records.push({ file, target: target === file ? null : target, sizeBytes, modifiedMs, begunAt: now });
    }
    if (records.length === 0) return;
    folder.knownFiles += records.length;
    if (folder.knownFiles > folder.record.files) {
      // Files that are sent again were counted twice.
      const { knownFiles } = await this.#parts.repository.totals(folderId);
      folder.knownFiles = knownFiles + records.length;
      // A client that sends more files than it has announced cannot fill the database.
      if (knownFiles > 2 * folder.record.files) return;
    }
    // Otherwise the earlier arrival of a file that is sent again could be recorded after this.
    if (records.some(({ file }) => folder.unwritten.has(file))) await this.#flush();
    await this.#parts.repository.recordBegun(folderId, records);
    this.#touch(folder);
    await this.#parts.repository.update(folderId, folder.record);
  }

  recordArrived(folderId: string, file: string): void {
    const folder = this.#folders.get(folderId);
    if (folder === undefined) return;
    folder.unwritten.add(file);
    folder.arrivals += 1;
    this.#touch(folder);
    this.#stopWaiting ??= this.#parts.clock.after(flushAfterMs, () => {
      this.#flush().catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'the files of a folder upload could not be recorded'),
      );
    });
  }

  /** Updates the destinations after a move. */
  async follow({ userContext, path, destination }: FileChange): Promise<void> {
    if (destination === null) return;
    const from = joinPaths(scopeOf(userContext), path);
    const to = joinPaths(scopeOf(userContext), destination);
    for (const { record } of this.#folders.values()) {
      const served = joinPaths(record.scope, record.path);
      if (!isAtOrBelow(served, from)) continue;
      const moved = joinPaths(to, relativeTo(served, from));
      if (!isAtOrBelow(moved, record.scope) || moved === record.scope) continue;
      record.path = relativeTo(moved, record.scope);
      await this.#parts.repository.update(record.id, record);
    }
  }

  /** Writes the records of the files that have arrived. */
  async close(): Promise<void> {
    this.#stopSweeping();
    await this.#flush();
  }

  #find(userContext: UserContext, id: string): LiveFolder | null {
    const folder = this.#folders.get(id);
    if (folder === undefined) return null;
    const { userId, scope, expiresAt } = folder.record;
    const isOwn = userId === userContext.user.id && scope === scopeOf(userContext);
    return isOwn && expiresAt > this.#parts.clock.now() ? folder : null;
  }

  #liveOf(userContext: UserContext): LiveFolder[] {
    return [...this.#folders.values()]
      .filter(({ record }) => this.#find(userContext, record.id) !== null)
      .sort((one, other) => one.record.beganAt - other.record.beganAt);
  }

  /** Postpones the expiry of a folder upload that is used now. */
  #touch({ record }: LiveFolder): void {
    record.usedAt = this.#parts.clock.now();
    record.expiresAt = record.usedAt + this.#parts.limits.uploadExpirationMs;
  }

  /** Writes the records of arrived files. A folder upload whose files have all arrived is removed. */
  #flush(): Promise<void> {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    for (const folder of this.#folders.values()) {
      if (folder.unwritten.size === 0) continue;
      const files = [...folder.unwritten];
      await this.#parts.repository.recordArrived(folder.record.id, files);
      for (const file of files) folder.unwritten.delete(file);
      await this.#parts.repository.update(folder.record.id, folder.record);
      if (folder.arrivals < folder.record.files) continue;
      const { arrivedFiles } = await this.#parts.repository.totals(folder.record.id);
      if (arrivedFiles >= folder.record.files) await this.#remove(folder);
    }
  }

  async #remove({ record: { id } }: LiveFolder): Promise<void> {
    this.#folders.delete(id);
    await this.#parts.repository.remove(id);
  }

  #settle(userContext: UserContext, folder: LiveFolder): Promise<void> {
    folder.settled ??= this.#recognizeArrived(userContext, folder.record).catch((error: unknown) => {
      folder.settled = null;
      throw error;
    });
    return folder.settled;
  }

  /**
   * Recognizes the files that an earlier run of the server had begun and stored, but not recorded as arrived before it was
   * killed: the destination has the size of the file and has changed since it was begun.
   */
  async #recognizeArrived(userContext: UserContext, { id, path }: StoredFolderUpload): Promise<void> {
    const storage = await userContext.storage();
    const hasArrived = async ({
      file,
      target,
      sizeBytes,
      begunAt,
    }: StoredFolderUploadFile): Promise<boolean> => {
      try {
        const entry = await storage.stat(joinPaths(path, parsePath(`/${target ?? file}`).path));
        if (entry === null || entry.kind !== 'file' || entry.size !== sizeBytes) return false;
        return Number(entry.modifiedNs / 1_000_000n) >= begunAt - 1;
      } catch (error) {
        if (isAppError(error)) return false;
        throw error;
      }
    };
    for (let after = ''; ;) {
      const begun = await this.#parts.repository.files(id, {
        hasArrived: false,
        after,
        limit: settledAtOnce,
      });
      const arrived = await Promise.all(begun.map(hasArrived));
      await this.#parts.repository.recordArrived(
        id,
        begun.filter((_, index) => arrived[index]).map(({ file }) => file),
      );
      const last = begun.at(-1);
      if (last === undefined || begun.length < settledAtOnce) return;
      after = last.file;
    }
  }

  #startSweep(): void {
    this.#sweep().catch((error: unknown) =>
      this.#parts.log.error({ err: error }, 'expired folder uploads could not be removed'),
    );
  }

  async #sweep(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const folder of this.#folders.values()) {
      const { userId, expiresAt } = folder.record;
      if (expiresAt <= now || (await this.#parts.userContexts.find(userId)) === null)
        await this.#remove(folder);
    }
  }
}
