import type { FastifyBaseLogger } from 'fastify';
import type { RequestedPath, VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContexts } from '../access/user-contexts.ts';
import type { FileEvents } from '../access/file-events.ts';
import type { Keeping, KeepRequest } from '../access/keeping.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { userParty } from '../scheduling/party.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { RemoveOptions, Storage, TransferOptions } from '../storage/storage.ts';
import { hashFile } from './hash-file.ts';
import type { JobRecord } from './job-record.ts';
import type { PlannedItem } from './plan-items.ts';
import { type TreeSize, measureTree } from './measure-tree.ts';

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
    options: Omit<RemoveOptions, 'keep' | 'onKept'> & { readonly keeping: KeepRequest | null },
  ): Promise<void>;
}

/** The dependencies of {@link runJob}. */
export interface RunJob {
  readonly userContexts: UserContexts;
  readonly events: FileEvents;
  readonly operations: FileOperations;
  readonly keeping: Keeping;
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
}

/** Interval of the check whether the user of a running job still exists. */
const userCheckMs = 2_000;
/** Maximum number of items whose removal is announced to the storage. */
const maxUpcoming = 500;
/** Maximum number of files of one checksum job. */
const maxHashedFiles = 200_000;

/** Runs a job's items one after the other; never throws. The user's permissions are read again for each item. */
export async function runJob(job: JobRecord, parts: RunJob): Promise<void> {
  if (job.hasEnded) return;
  job.start();
  const stopChecking = parts.clock.every(userCheckMs, () => {
    parts.userContexts.find(job.userId).then(
      (user) => user ?? job.cancel(),
      () => undefined,
    );
  });
  try {
    // Renames and restorations do not read the content of folders.
    const isMeasured = job.kind !== 'move' && job.kind !== 'restore';
    const sizes = isMeasured ? await measureItems(job, parts) : null;
    if (!isMeasured) job.entriesTotal = job.itemCount;
    for (const item of job.items) {
      if (job.signal.aborted) break;
      await runItem(job, item, sizes?.[item.index] ?? { entries: 1, bytes: 0 }, parts);
    }
  } catch (error) {
    if (!job.signal.aborted) {
      parts.log.error({ err: error, job: job.id }, 'job failed');
      job.failedItems = job.itemCount;
    }
  } finally {
    stopChecking();
    job.end();
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
  let entries = 0;
  let bytes = 0;
  for (const item of job.items) {
    job.signal.throwIfAborted();
    const treeSize = await asCurrentUser(job, parts, (_userContext, storage) =>
      measureTree(storage, item, job.signal),
    );
    sizes.push(treeSize);
    entries += treeSize.entries;
    bytes += treeSize.bytes;
  }
  job.entriesTotal = entries;
  job.bytesTotal = job.kind === 'delete' ? null : bytes;
  job.changed();
  return sizes;
}

/** Runs one item and records its result. */
async function runItem(job: JobRecord, item: PlannedItem, treeSize: TreeSize, parts: RunJob): Promise<void> {
  const before = { entries: job.entriesDone, bytes: job.bytesDone };
  const onProgress: TransferOptions['onProgress'] = ({ entries, bytes }) => {
    job.entriesDone = before.entries + Math.min(entries, treeSize.entries);
    job.bytesDone = before.bytes + (job.bytesTotal === null ? bytes : Math.min(bytes, treeSize.bytes));
    job.changed();
  };
  job.current = item.from.path;
  try {
    await asCurrentUser(job, parts, (userContext, storage) => {
      if (job.kind === 'checksum') return hashItem(job, item, storage);
      if (job.kind === 'restore') return restoreItem(job, item, userContext);
      if (job.kind === 'delete') return removeItem(job, item, { userContext, storage, onProgress }, parts);
      return transferItem(job, item, { userContext, storage, onProgress }, parts);
    });
    job.doneItems += 1;
    job.entriesDone = before.entries + treeSize.entries;
    if (job.bytesTotal !== null) job.bytesDone = before.bytes + treeSize.bytes;
  } catch (error) {
    if (job.signal.aborted) return;
    if (!(error instanceof AppError)) parts.log.error({ err: error, job: job.id }, 'job item failed');
    // A checksum job has recorded the failures of single files already.
    if (!(error instanceof SomeFilesFailed)) {
      job.fail(item, item.from.path, error instanceof AppError ? error.code : 'internal_error');
    }
    job.failedItems += 1;
    job.entriesDone = before.entries + treeSize.entries;
    if (job.bytesTotal !== null) job.bytesDone = before.bytes + treeSize.bytes;
  }
  job.changed();
}

interface ItemContext {
  readonly userContext: UserContext;
  readonly storage: Storage;
  readonly onProgress: NonNullable<TransferOptions['onProgress']>;
}

async function transferItem(
  job: JobRecord,
  item: PlannedItem,
  { userContext, storage, onProgress }: ItemContext,
  { events, operations }: RunJob,
): Promise<void> {
  const { from, to } = item;
  if (to === null) throw new AppError('bad_request');
  const action = job.kind === 'copy' ? 'copy' : 'rename';
  const final = await events.runWhenReady(
    { event: action, userContext, path: from.path, destination: to },
    (beforeChange) =>
      operations.transfer(storage, {
        action,
        from: from.path,
        isFromFolderPath: from.isFolderPath,
        to,
        overwrite: item.overwrite,
        picksFreeName: item.picksFreeName,
        scope: userContext.user.scope,
        beforeChange,
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
  { userContext, storage, onProgress }: ItemContext,
  { events, operations, keeping }: RunJob,
): Promise<void> {
  const { from } = item;
  const kept: KeptEntry[] = [];
  const change = { event: 'delete', userContext, path: from.path, destination: null, kept } as const;
  await events.runWhenReady(change, (begin) =>
    operations.remove(storage, from, {
      keeping: job.isPermanent ? null : keeping.forDeletion(userContext, job.id, kept),
      upcoming: upcomingOf(job, item),
      beforeChange: () => begin(),
      onProgress,
      signal: job.signal,
    }),
  );
  const [keptEntry] = kept;
  const trashItem = keptEntry === undefined ? {} : { trashItem: keptEntry.id };
  job.results.push({ index: item.index, path: from.path, ...trashItem });
}

/** Returns the paths of the items after `item`, whose removal may be recorded together with its own. */
const upcomingOf = ({ items }: JobRecord, item: PlannedItem): VirtualPath[] =>
  items.slice(item.index + 1, item.index + 1 + maxUpcoming).map(({ from }) => from.path);

async function restoreItem(job: JobRecord, item: PlannedItem, userContext: UserContext): Promise<void> {
  const { trashItem } = item;
  if (job.restore === undefined || trashItem === undefined) throw new AppError('bad_request');
  const to = await job.restore(userContext, trashItem, job.signal);
  job.results.push({ index: item.index, path: item.from.path, to, trashItem });
}

/** Some files of an item could not be hashed. */
class SomeFilesFailed extends AppError {}

async function hashItem(job: JobRecord, item: PlannedItem, storage: Storage): Promise<void> {
  const entry = await storage.stat(item.from.path);
  if (entry === null) throw new AppError('not_found');
  if (item.from.isFolderPath && entry.kind !== 'folder') throw new AppError('not_a_folder');
  if (entry.kind !== 'folder') {
    await hashOneFile(job, item, item.from.path, storage);
    return;
  }
  let hasFailed = false;
  for await (const { path, entry: inner } of storage.walk(item.from.path, { signal: job.signal })) {
    job.entriesDone += 1;
    if (inner.kind !== 'file') continue;
    if (job.results.length >= maxHashedFiles) throw new AppError('payload_too_large');
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
