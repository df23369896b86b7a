import type { FastifyBaseLogger } from 'fastify';
import type { JobKind, JobResult } from '@filestead/contract/jobs';
import {
  joinPaths,
  parsePath,
  type RequestedPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { UserContexts } from '../access/user-contexts.ts';
import type { FileEvents } from '../access/file-events.ts';
import type { KeepRequest, Operation, Operations } from '../access/operation.ts';
import type { Clock } from '../clock.ts';
import type { JobRepository } from '../database/database.ts';
import { AppError, isAppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { userParty } from '../scheduling/party.ts';
import type { KeepOptions, KeptEntry } from '../storage/kept/kept-entries.ts';
import { newTemporaryName } from '../storage/disk/paths/temporary-names.ts';
import type { Continuation, RemoveOptions, Storage, TransferOptions } from '../storage/storage.ts';
import { compressItems, discardExtracted, extractItem } from './archive-items.ts';
import type { ArchiveOperations } from './archive-operations.ts';
import { runDuplicates } from './duplicates/run-duplicates.ts';
import { hashFile } from './hash-file.ts';
import { type BegunItem, fromStoredItem, type RestoreTarget } from './job-progress.ts';
import type { JobRecord } from './job-record.ts';
import type { PlannedItem } from './plan-items.ts';
import { type TreeSize, measureTree } from './measure-tree.ts';
import { examineInterrupted } from './resume-item.ts';
import type { ProgressLog } from './save-progress.ts';

/** A copy or move of one item. */
export interface Transfer {
  readonly action: 'copy' | 'rename';
  readonly from: VirtualPath;
  readonly isFromFolderPath: boolean;
  readonly to: VirtualPath;
  readonly overwrite: boolean;
  readonly picksFreeName: boolean;
  readonly scope: string;
  readonly beforeChange: (destination: VirtualPath) => Promise<void>;
  readonly keeping: KeepOptions;
  readonly continuation: Continuation;
  readonly onProgress: TransferOptions['onProgress'];
  readonly signal: AbortSignal;
}

/** The file operations of single requests, with all their checks. */
export interface FileOperations {
  /** Resolves to the final path. */
  transfer(storage: Storage, transfer: Transfer): Promise<VirtualPath>;
  remove(
    storage: Storage,
    requested: RequestedPath,
    options: Omit<RemoveOptions, keyof KeepOptions> & { readonly keeping: KeepRequest | null },
  ): Promise<void>;
}

/** Restores a deleted entry as the user is now. */
export type RestoreOne = (
  operation: Operation,
  id: string,
  target: RestoreTarget & { readonly signal: AbortSignal },
) => Promise<{ readonly path: VirtualPath; readonly links: readonly string[] }>;

/**
 * Undoes a logged step with the present permissions of the user of `operation`. Resolves to the path of the restored entry,
 * if there is one.
 */
export type UndoOne = (
  operation: Operation,
  step: number,
  signal: AbortSignal,
) => Promise<VirtualPath | null>;

/** The dependencies of {@link runJob}. */
export interface RunJob {
  readonly userContexts: UserContexts;
  readonly events: FileEvents;
  readonly operations: FileOperations;
  readonly archives: ArchiveOperations;
  readonly beginOperation: Operations['begin'];
  readonly restore: RestoreOne;
  readonly undo: UndoOne;
  /** Called when a job begins to change files in this run of the server, and when it has ended. */
  readonly onOperation: { begin(id: string): void; end(id: string): void };
  /** Stores what listeners have collected of the changes of a job. Called before a job ends. */
  readonly storeChanges: () => Promise<void>;
  /** Reads the items of a job from `first` on, as they were stored. */
  readonly repository: Pick<JobRepository, 'items' | 'results'>;
  /** Removes the unfinished copy `temporaryName` beside `path` of the served folder. */
  readonly discard: (path: VirtualPath, temporaryName: string) => Promise<void>;
  readonly progressOf: (job: JobRecord) => ProgressLog;
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
}

/** The kinds of jobs that read the content of folders or archives before they begin. */
const measuredKinds: ReadonlySet<JobKind> = new Set(['copy', 'delete', 'checksum', 'extract', 'compress']);
/** Interval of the check whether the user of a running job still exists. */
const userCheckMs = 2_000;
/** Maximum number of items whose removal is announced to the storage. */
const maxUpcoming = 500;
/** Maximum number of files of one checksum job. */
const maxHashedFiles = 200_000;

/**
 * Runs a job's items one after the other, from the first that is not complete; never throws. The user's permissions are read
 * again for each item. A paused job does not end.
 */
export async function runJob(job: JobRecord, parts: RunJob): Promise<void> {
  if (job.hasEnded || job.isPaused) return;
  const progressLog = parts.progressOf(job);
  job.start();
  if (job.kind !== 'checksum' && job.kind !== 'duplicates') parts.onOperation.begin(job.id);
  const stopChecking = parts.clock.every(userCheckMs, () => {
    parts.userContexts.find(job.userId).then(
      (user) => user ?? job.cancel(),
      () => undefined,
    );
  });
  try {
    const first = job.nextItem;
    job.items = (await parts.repository.items(job.id, first)).map(fromStoredItem);
    // Renames and restorations do not read the content of folders.
    const isMeasured = measuredKinds.has(job.kind);
    const sizes = isMeasured ? await measureItems(job, parts) : null;
    if (!isMeasured && job.kind !== 'duplicates') job.entriesTotal = job.itemCount;
    if (job.kind === 'compress') await runCompression(job, parts);
    for (const [position, item] of job.kind === 'compress' ? [] : job.items.entries()) {
      if (job.signal.aborted) break;
      job.beginItem(first + position);
      await runItem(job, item, sizes?.[position] ?? { entries: 1, bytes: 0 }, parts);
      if (job.isPaused) break;
      job.stalledAttempts = 0;
      job.endItem();
    }
  } catch (error) {
    if (!job.signal.aborted) {
      parts.log.error({ err: error, job: job.id }, 'job failed');
      job.failedItems = job.itemCount;
    }
  } finally {
    stopChecking();
    await parts.storeChanges();
    if (!job.isPaused) {
      // The job may have been cancelled before it continued an interrupted item.
      await discardCopy(job, parts);
      parts.onOperation.end(job.id);
      job.end();
    }
    await progressLog.save();
  }
}

/** Calls `work` with the current user context. Cancels the job when the user was deleted or their scope changed. */
async function asCurrentUser<T>(
  job: JobRecord,
  { userContexts }: RunJob,
  work: (userContext: UserContext, storage: Storage) => Promise<T>,
): Promise<T> {
  const authContext = await userContexts.contextOf(job.userId, job.sessionId);
  if (authContext === null) {
    job.cancel();
    throw new AppError('not_signed_in');
  }
  try {
    if (authContext.userContext.user.scope !== job.scope) {
      job.cancel();
      throw new AppError('forbidden');
    }
    return await work(authContext.userContext, await authContext.userContext.storage());
  } finally {
    authContext.release();
  }
}

async function measureItems(job: JobRecord, parts: RunJob): Promise<TreeSize[]> {
  const sizes: TreeSize[] = [];
  let entries = job.entriesBefore;
  let bytes = job.bytesBefore;
  for (const item of job.items) {
    job.signal.throwIfAborted();
    const treeSize = await asCurrentUser(job, parts, (_userContext, storage) =>
      job.kind === 'extract'
        ? measureArchive(job, item, storage, parts)
        : measureTree(storage, item, job.signal),
    );
    sizes.push(treeSize);
    entries += treeSize.entries;
    bytes += treeSize.bytes;
  }
  // A part of an interrupted deletion is gone already.
  job.entriesTotal = Math.max(entries, job.entriesTotal ?? 0);
  job.bytesTotal = job.kind === 'delete' ? null : Math.max(bytes, job.bytesTotal ?? 0);
  job.changed();
  return sizes;
}

/** Measures an archive. One that cannot be read counts as one entry; its error is reported when it is extracted. */
async function measureArchive(
  { userId, signal }: JobRecord,
  { from }: PlannedItem,
  storage: Storage,
  { archives }: RunJob,
): Promise<TreeSize> {
  try {
    return await archives.measure(storage, { from: from.path, party: userParty(userId), signal });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { entries: 1, bytes: 0 };
  }
}

/** Creates the archive of all items, and records the result of the job. */
async function runCompression(job: JobRecord, parts: RunJob): Promise<void> {
  const [first] = job.items;
  if (first === undefined || job.signal.aborted) return;
  job.current = job.compressTarget?.to ?? null;
  try {
    await asCurrentUser(job, parts, (userContext, storage) =>
      compressItems(job, { userContext, storage }, parts),
    );
    job.doneItems = job.itemCount;
    job.entriesDone = job.entriesTotal ?? 0;
    job.bytesDone = job.bytesTotal ?? 0;
    job.nextItem = job.itemCount;
    job.begunItem = null;
  } catch (error) {
    if (job.signal.aborted) return;
    if (!(error instanceof AppError)) parts.log.error({ err: error, job: job.id }, 'job item failed');
    job.fail(first, first.from.path, error instanceof AppError ? error.code : 'internal_error');
    job.failedItems = job.itemCount;
  }
  job.changed();
}

/** Runs one item and records its result. */
async function runItem(job: JobRecord, item: PlannedItem, treeSize: TreeSize, parts: RunJob): Promise<void> {
  const before = { entries: job.entriesBefore, bytes: job.bytesBefore };
  const interrupted = job.begunItem?.index === item.index ? job.begunItem : null;
  const onProgress: TransferOptions['onProgress'] = ({ entries, bytes }) => {
    job.entriesDone = before.entries + Math.min(entries, treeSize.entries);
    job.bytesDone = before.bytes + (job.bytesTotal === null ? bytes : Math.min(bytes, treeSize.bytes));
    job.changed();
  };
  /** Sets the progress to that at the end of the item. A search for duplicates counts the compared files itself. */
  const completeProgress = (): void => {
    if (job.kind === 'duplicates') return;
    job.entriesDone = before.entries + treeSize.entries;
    if (job.bytesTotal !== null) job.bytesDone = before.bytes + treeSize.bytes;
  };
  job.current = item.from.path;
  try {
    if (job.kind === 'duplicates')
      await runDuplicates(job, item, (work) =>
        asCurrentUser(job, parts, (_userContext, storage) => work(storage)),
      );
    else
      await asCurrentUser(job, parts, (userContext, storage) => {
        const context = { userContext, storage, onProgress, interrupted };
        if (job.kind === 'checksum') return hashItem(job, item, storage, parts);
        if (job.kind === 'restore') return restoreItem(job, item, context, parts);
        if (job.kind === 'undo' || job.kind === 'rewind') return undoItem(job, item, context, parts);
        if (job.kind === 'delete') return removeItem(job, item, context, parts);
        if (job.kind === 'extract') return extractItem(job, item, context, parts);
        return transferItem(job, item, context, parts);
      });
    job.doneItems += 1;
    completeProgress();
  } catch (error) {
    if (job.isPaused) return;
    await discardCopy(job, parts);
    if (job.signal.aborted) return;
    if (!(error instanceof AppError)) parts.log.error({ err: error, job: job.id }, 'job item failed');
    // A checksum job has recorded the failures of single files already.
    if (!(error instanceof SomeFilesFailed)) {
      job.fail(item, item.from.path, error instanceof AppError ? error.code : 'internal_error');
    }
    job.failedItems += 1;
    completeProgress();
  }
  job.changed();
}

interface ItemContext {
  readonly userContext: UserContext;
  readonly storage: Storage;
  readonly onProgress: NonNullable<TransferOptions['onProgress']>;
  /** The record of this item if an earlier run of the server was interrupted while processing it. */
  readonly interrupted: BegunItem | null;
}

/** Removes the unfinished copy of a folder, or the files of an unfinished extraction, that will not be continued. */
export async function discardCopy(
  job: JobRecord,
  { archives, discard, log, repository }: Pick<RunJob, 'archives' | 'discard' | 'log' | 'repository'>,
): Promise<void> {
  const { begunItem } = job;
  if (job.kind === 'extract' && begunItem !== null) {
    const [stored] = await repository.items(job.id, job.nextItem);
    if (stored !== undefined) await discardExtracted(job, { archives, log }, fromStoredItem(stored));
    job.begunItem = null;
  }
  if (job.kind !== 'copy' || begunItem === null || begunItem.to === null) return;
  const path = joinPaths(parsePath(job.scope).path, begunItem.to);
  await discard(path, begunItem.temporaryName).catch((error: unknown) =>
    log.warn({ err: error, job: job.id }, 'an unfinished copy was not removed'),
  );
}

/** Records in the database that an item is about to have its first effect. */
async function recordBegun(
  job: JobRecord,
  item: PlannedItem,
  { to, temporaryName }: { to: VirtualPath | null; temporaryName: string },
  storage: Storage,
  parts: RunJob,
): Promise<void> {
  // The record of an interrupted item describes the state before its first effect.
  if (job.begunItem?.index === item.index && job.begunItem.to === to) return;
  const source = await storage.stat(item.from.path);
  if (source === null) throw new AppError('not_found');
  job.begunItem = {
    index: item.index,
    to,
    destinationExisted: to !== null && (await storage.stat(to)) !== null,
    source: { kind: source.kind, size: source.size, modifiedNs: source.modifiedNs.toString() },
    temporaryName,
  };
  await parts.progressOf(job).save();
}

async function transferItem(
  job: JobRecord,
  item: PlannedItem,
  { userContext, storage, onProgress, interrupted }: ItemContext,
  parts: RunJob,
): Promise<void> {
  const { events, operations, beginOperation } = parts;
  const { from } = item;
  // An interrupted item keeps its destination, also one that was the first free name.
  const to = interrupted?.to ?? item.to;
  if (to === null) throw new AppError('bad_request');
  const resumption =
    interrupted === null ? null : await examineInterrupted(job.kind, item, interrupted, storage);
  if (resumption?.isDone === true) {
    job.results.push({ index: item.index, path: from.path, to });
    return;
  }
  const temporaryName = interrupted?.temporaryName ?? newTemporaryName();
  const action = job.kind === 'copy' ? 'copy' : 'rename';
  const act = job.kind === 'copy' ? 'copy' : 'move';
  const operation = beginOperation(userContext, act, job.id);
  const kept: KeptEntry[] = [];
  const final = await events.runWhenReady(
    { event: action, userContext, path: from.path, destination: to, operation, kept },
    (beforeChange) =>
      operations.transfer(storage, {
        action,
        from: from.path,
        isFromFolderPath: from.isFolderPath,
        to,
        overwrite: resumption?.overwrites ?? item.overwrite,
        picksFreeName: resumption === null && item.picksFreeName,
        scope: userContext.user.scope,
        beforeChange: async (destination) => {
          await beforeChange(destination);
          await recordBegun(job, item, { to: destination, temporaryName }, storage, parts);
        },
        keeping: operation.keepOptions(act, kept),
        continuation: { temporaryName, isResumed: interrupted !== null },
        onProgress,
        signal: job.signal,
      }),
    (used) => used,
  );
  job.results.push({ index: item.index, path: from.path, to: final });
}

async function removeItem(
  job: JobRecord,
  item: PlannedItem,
  { userContext, storage, onProgress, interrupted }: ItemContext,
  parts: RunJob,
): Promise<void> {
  const { events, operations, beginOperation } = parts;
  const { from } = item;
  const resumption =
    interrupted === null ? null : await examineInterrupted(job.kind, item, interrupted, storage);
  const isDone = resumption?.isDone === true || (job.isRepeating && (await storage.stat(from.path)) === null);
  const operation = beginOperation(userContext, 'delete', job.id);
  const kept: KeptEntry[] = [];
  if (!isDone) {
    const { path } = from;
    const change = {
      event: 'delete',
      userContext,
      path,
      destination: null,
      operation,
      kept,
      isOneOfMany: true,
    } as const;
    await events.runWhenReady(change, (begin) =>
      operations.remove(storage, from, {
        keeping: job.isPermanent
          ? null
          : operation.deleteOptions(kept, { isRequired: job.isKeepingRequired }),
        upcoming: () => upcomingOf(job, item),
        copies: job.copiesToTrash,
        beforeChange: async () => {
          await begin();
          // Kept entries are in the ledger of their store.
          if (job.isPermanent) await recordBegun(job, item, { to: null, temporaryName: '' }, storage, parts);
        },
        onProgress,
        signal: job.signal,
      }),
    );
  }
  const [keptEntry] = kept;
  const trashItem = keptEntry === undefined ? {} : { trashItem: keptEntry.id };
  job.results.push({ index: item.index, path: from.path, ...trashItem });
}

/** Returns the paths of the items after `item`, whose removal may be recorded together with its own. */
function upcomingOf({ items }: JobRecord, item: PlannedItem): VirtualPath[] {
  const next = items.indexOf(item) + 1;
  return items.slice(next, next + maxUpcoming).map(({ from }) => from.path);
}

async function restoreItem(
  job: JobRecord,
  item: PlannedItem,
  { userContext, interrupted }: ItemContext,
  parts: RunJob,
): Promise<void> {
  const { trashItem } = item;
  const { restoreTarget } = job;
  if (restoreTarget === null || trashItem === undefined) throw new AppError('bad_request');
  const { path } = item.from;
  const source = { kind: 'file', size: 0, modifiedNs: '0' } as const;
  job.begunItem = { index: item.index, to: null, destinationExisted: false, source, temporaryName: '' };
  await parts.progressOf(job).save();
  try {
    const operation = parts.beginOperation(userContext, 'restore', job.id);
    const restored = await parts.restore(operation, trashItem, { ...restoreTarget, signal: job.signal });
    const { path: to, links } = restored;
    job.results.push({
      index: item.index,
      path,
      to,
      trashItem,
      ...(links.length > 0 && { links: [...links] }),
    });
  } catch (error) {
    // It had been restored when the server was interrupted.
    if (interrupted === null || !isAppError(error, 'not_found')) throw error;
    job.results.push({ index: item.index, path, trashItem });
  }
}

async function undoItem(
  job: JobRecord,
  { index, from, step }: PlannedItem,
  { userContext, interrupted }: ItemContext,
  parts: RunJob,
): Promise<void> {
  if (step === undefined || (job.kind !== 'undo' && job.kind !== 'rewind')) throw new AppError('bad_request');
  const { path } = from;
  const source = { kind: 'file', size: 0, modifiedNs: '0' } as const;
  job.begunItem = { index, to: null, destinationExisted: false, source, temporaryName: '' };
  await parts.progressOf(job).save();
  try {
    const operation = parts.beginOperation(userContext, job.kind, job.id, job.undoes);
    const to = await parts.undo(operation, step, job.signal);
    job.results.push({ index, path, ...(to === null ? {} : { to }) });
  } catch (error) {
    // The step had been undone before the server was interrupted.
    if (interrupted === null || !isAppError(error, 'not_found', 'changed_since')) throw error;
    job.results.push({ index, path });
  }
}

/** Some files of an item could not be hashed. */
class SomeFilesFailed extends AppError {}

/** Returns the paths below an item that an earlier run of the server has hashed. */
async function readHashed(job: JobRecord, item: PlannedItem, { repository }: RunJob): Promise<Set<string>> {
  const hashed = new Set<string>();
  if (job.earlierResults === 0) return hashed;
  for await (const part of repository.results(job.id)) {
    for (const { index, path } of part as JobResult[]) if (index === item.index) hashed.add(path);
  }
  return hashed;
}

async function hashItem(job: JobRecord, item: PlannedItem, storage: Storage, parts: RunJob): Promise<void> {
  const entry = await storage.stat(item.from.path);
  if (entry === null) throw new AppError('not_found');
  if (item.from.isFolderPath && entry.kind !== 'folder') throw new AppError('not_a_folder');
  if (entry.kind !== 'folder') {
    await hashOneFile(job, item, item.from.path, storage);
    return;
  }
  const hashed = await readHashed(job, item, parts);
  let hasFailed = false;
  for await (const { path, entry: inner } of storage.walk(item.from.path, { signal: job.signal })) {
    job.entriesDone += 1;
    if (inner.kind !== 'file') continue;
    if (hashed.has(path)) {
      job.bytesDone += inner.size;
      continue;
    }
    if (job.earlierResults + job.results.length >= maxHashedFiles) throw new AppError('payload_too_large');
    try {
      await hashOneFile(job, item, path, storage);
    } catch (error) {
      if (job.signal.aborted || !(error instanceof AppError)) throw error;
      job.fail(item, path, error.code);
      hasFailed = true;
    }
  }
  if (hasFailed) throw new SomeFilesFailed('not_found');
}

async function hashOneFile(
  job: JobRecord,
  item: PlannedItem,
  path: VirtualPath,
  storage: Storage,
): Promise<void> {
  job.current = path;
  const checksum = await hashFile(storage, path, {
    algorithm: job.algorithm,
    party: userParty(job.userId),
    onBytes: (bytes) => {
      job.bytesDone += bytes;
      job.changed();
    },
    signal: job.signal,
  });
  job.results.push({ index: item.index, path, checksum });
}
