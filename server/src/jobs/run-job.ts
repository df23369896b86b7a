import type { JobKind, JobResult } from '@filestead/contract/jobs';
import { joinPaths, parsePath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import { AppError } from '../errors.ts';
import { userParty } from '../scheduling/party.ts';
import type { Storage, TransferOptions } from '../storage/storage.ts';
import { compressItems, discardExtracted, extractItem } from './archive-items.ts';
import { type ItemContext, removeItem, restoreItem, transferItem, undoItem } from './change-items.ts';
import { runDuplicates } from './duplicates/run-duplicates.ts';
import { hashItem, SomeFilesFailed } from './hash-items.ts';
import type { JobDependencies } from './job-dependencies.ts';
import { fromStoredItem } from './job-progress.ts';
import type { JobRecord } from './job-record.ts';
import { type TreeSize, measureTree } from './measure-tree.ts';
import type { PlannedItem } from './plan-items.ts';

/** The kinds of jobs that read the content of folders or archives before they begin. */
const measuredKinds: ReadonlySet<JobKind> = new Set(['copy', 'delete', 'checksum', 'extract', 'compress']);
/** Interval of the check whether the user of a running job still exists. */
const userCheckMs = 2_000;

/**
 * Runs a job's items one after the other, from the first that is not complete; never throws. The user's permissions are read
 * again for each item. A paused job does not end.
 */
export async function runJob(job: JobRecord, parts: JobDependencies): Promise<void> {
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
    else await runItems(job, { first, sizes }, parts);
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
      await discardUnfinished(job, parts);
      parts.onOperation.end(job.id);
      job.end();
    }
    await progressLog.save();
  }
}

/**
 * Runs the items of a job until it ends or is paused.
 * @param first the index of the first of its items in the whole job
 */
async function runItems(
  job: JobRecord,
  { first, sizes }: { readonly first: number; readonly sizes: readonly TreeSize[] | null },
  parts: JobDependencies,
): Promise<void> {
  for (const [position, item] of job.items.entries()) {
    if (job.signal.aborted) return;
    job.beginItem(first + position);
    await runItem(job, item, sizes?.[position] ?? { entries: 1, bytes: 0 }, parts);
    if (job.isPaused) return;
  }
}

/** Calls `work` with the current user context. Cancels the job when the user was deleted or their scope changed. */
async function asCurrentUser<T>(
  job: JobRecord,
  { userContexts }: JobDependencies,
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

async function measureItems(job: JobRecord, parts: JobDependencies): Promise<TreeSize[]> {
  const sizes: TreeSize[] = [];
  let entries = job.entriesBefore;
  let bytes = job.bytesBefore;
  for (const item of job.items) {
    job.signal.throwIfAborted();
    const treeSize = await asCurrentUser(job, parts, (_userContext, storage) =>
      measureItem(job, item, storage, parts),
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

/** Measures an item. What is moved to the trash counts as one entry, because that is a rename, whatever a folder contains. */
async function measureItem(
  job: JobRecord,
  item: PlannedItem,
  storage: Storage,
  parts: JobDependencies,
): Promise<TreeSize> {
  if (job.kind === 'extract') return measureArchive(job, item, storage, parts);
  const isKept = job.kind === 'delete' && !job.isPermanent && !job.copiesToTrash;
  if (isKept && parts.keepsDeletedAt(storage.toPlace(item.from.path))) return { entries: 1, bytes: 0 };
  return measureTree(storage, item, job.signal);
}

/** Measures an archive. One that cannot be read counts as one entry; its error is reported when it is extracted. */
async function measureArchive(
  { userId, signal }: JobRecord,
  { from }: PlannedItem,
  storage: Storage,
  { archives }: JobDependencies,
): Promise<TreeSize> {
  try {
    return await archives.measure(storage, { from: from.path, party: userParty(userId), signal });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { entries: 1, bytes: 0 };
  }
}

/** Creates the archive of all items, and records the result of the job. */
async function runCompression(job: JobRecord, parts: JobDependencies): Promise<void> {
  const [first] = job.items;
  if (first === undefined || job.signal.aborted) return;
  job.current = job.compressTarget?.to ?? null;
  try {
    const result = await asCurrentUser(job, parts, (userContext, storage) =>
      compressItems(job, { userContext, storage }, parts),
    );
    job.results.push(result);
    job.doneItems = job.itemCount;
    job.entriesDone = job.entriesTotal ?? 0;
    job.bytesDone = job.bytesTotal ?? 0;
  } catch (error) {
    if (job.signal.aborted) return;
    if (!(error instanceof AppError)) parts.log.error({ err: error, job: job.id }, 'job item failed');
    job.failWith(first, first.from.path, error);
    job.failedItems = job.itemCount;
  }
  job.nextItem = job.itemCount;
  job.begunItem = null;
  job.changed();
}

/** Runs one item and records its result. */
async function runItem(
  job: JobRecord,
  item: PlannedItem,
  treeSize: TreeSize,
  parts: JobDependencies,
): Promise<void> {
  const before = { entries: job.entriesBefore, bytes: job.bytesBefore };
  const interrupted = job.begunItem?.index === item.index ? job.begunItem : null;
  // An item whose content is not counted is one entry, which is done at its end: a move to another file system copies for a long time.
  const mostEntries = measuredKinds.has(job.kind) ? treeSize.entries : 0;
  const onProgress: TransferOptions['onProgress'] = ({ entries, bytes }) => {
    job.entriesDone = before.entries + Math.min(entries, mostEntries);
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
    const result = await processItem(job, item, { onProgress, interrupted }, parts);
    completeProgress();
    job.completeItem(result);
  } catch (error) {
    if (job.isPaused) return;
    await discardUnfinished(job, parts);
    if (job.signal.aborted) {
      job.begunItem = null;
      return;
    }
    if (!(error instanceof AppError)) parts.log.error({ err: error, job: job.id }, 'job item failed');
    // The failures of single files are recorded already.
    if (!(error instanceof SomeFilesFailed)) {
      job.failWith(item, item.from.path, error);
    }
    completeProgress();
    job.failItem();
  }
  job.changed();
}

/** Processes one item. Returns its result; null if its results are recorded already. */
async function processItem(
  job: JobRecord,
  item: PlannedItem,
  state: Pick<ItemContext, 'onProgress' | 'interrupted'>,
  parts: JobDependencies,
): Promise<JobResult | null> {
  if (job.kind === 'duplicates') {
    await runDuplicates(job, item, (work) =>
      asCurrentUser(job, parts, (_userContext, storage) => work(storage)),
    );
    return null;
  }
  return asCurrentUser(job, parts, async (userContext, storage) => {
    const context = { ...state, userContext, storage };
    if (job.kind === 'checksum') {
      await hashItem(job, item, storage, parts);
      return null;
    }
    if (job.kind === 'restore') return restoreItem(job, item, context, parts);
    if (job.kind === 'undo' || job.kind === 'rewind') return undoItem(job, item, context, parts);
    if (job.kind === 'delete') return removeItem(job, item, context, parts);
    if (job.kind === 'extract') return extractItem(job, item, context, parts);
    return transferItem(job, item, context, parts);
  });
}

/** Removes the unfinished copy of a folder, or the files of an unfinished extraction, that will not be continued. */
export async function discardUnfinished(
  job: JobRecord,
  {
    archives,
    discard,
    log,
    repository,
  }: Pick<JobDependencies, 'archives' | 'discard' | 'log' | 'repository'>,
): Promise<void> {
  const { begunItem } = job;
  if (job.kind === 'extract' && begunItem !== null) {
    const [stored] = await repository.items(job.id, job.nextItem);
    if (stored !== undefined) await discardExtracted(job, { archives, log }, fromStoredItem(stored));
    job.begunItem = null;
  }
  if ((job.kind !== 'copy' && job.kind !== 'move') || begunItem === null || begunItem.to === null) return;
  const path = joinPaths(parsePath(job.scope).path, begunItem.to);
  await discard(path, begunItem.temporaryName).catch((error: unknown) =>
    log.warn({ err: error, job: job.id }, 'an unfinished copy was not removed'),
  );
}
