import type { JobResult } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import { AppError, isAppError } from '../errors.ts';
import { newTemporaryName } from '../storage/disk/paths/temporary-names.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Storage, TransferOptions } from '../storage/storage.ts';
import type { JobDependencies } from './job-dependencies.ts';
import { type BegunItem, begunWithoutSource } from './job-progress.ts';
import type { JobRecord } from './job-record.ts';
import type { PlannedItem } from './plan-items.ts';
import { examineInterrupted } from './resume-item.ts';

/** Maximum number of items whose removal is announced to the storage. */
const maxUpcoming = 500;

/** The user and the state of an item that is processed. */
export interface ItemContext {
  readonly userContext: UserContext;
  readonly storage: Storage;
  readonly onProgress: NonNullable<TransferOptions['onProgress']>;
  /** The record of this item if an earlier run of the server was interrupted while processing it. */
  readonly interrupted: BegunItem | null;
}

/** Records in the database that an item is about to have its first effect. */
async function recordBegun(
  job: JobRecord,
  item: PlannedItem,
  { to, temporaryName }: { to: VirtualPath | null; temporaryName: string },
  storage: Storage,
  parts: JobDependencies,
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

/** Copies or moves an item. Returns its result. */
export async function transferItem(
  job: JobRecord,
  item: PlannedItem,
  { userContext, storage, onProgress, interrupted }: ItemContext,
  parts: JobDependencies,
): Promise<JobResult> {
  const { events, operations, beginOperation } = parts;
  const { from } = item;
  // An interrupted item keeps its destination, also one that was the first free name.
  const to = interrupted?.to ?? item.to;
  if (to === null) throw new AppError('bad_request');
  const resumption =
    interrupted === null ? null : await examineInterrupted(job.kind, item, interrupted, storage);
  if (resumption?.isDone === true) {
    return { index: item.index, path: from.path, to };
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
        continuation: {
          temporaryName,
          isResumed: interrupted !== null,
          copiedInode: resumption?.copiedInode,
          onCopied: async (inode) => {
            if (job.begunItem === null) return;
            job.begunItem = { ...job.begunItem, copiedInode: String(inode) };
            await parts.progressOf(job).save();
          },
        },
        onProgress,
        signal: job.signal,
      }),
    (used) => used,
  );
  return { index: item.index, path: from.path, to: final };
}

/** Deletes an item. */
export async function removeItem(
  job: JobRecord,
  item: PlannedItem,
  { userContext, storage, onProgress, interrupted }: ItemContext,
  parts: JobDependencies,
): Promise<JobResult> {
  const { events, operations, beginOperation } = parts;
  const { from } = item;
  const resumption =
    interrupted === null ? null : await examineInterrupted(job.kind, item, interrupted, storage);
  const isDone = resumption?.isDone === true || (job.isRepeating && (await storage.stat(from.path)) === null);
  const operation = beginOperation(userContext, 'delete', job.id);
  const kept: KeptEntry[] = [];
  if (job.isContinued && !job.isPermanent)
    job.recovered ??= await parts.recoverDeletions(operation, job.createdAt);
  if (!isDone) {
    const { path } = from;
    const { isPermanent, isKeepingRequired: isRequired } = job;
    const keeping = operation.deleteOptions(kept, { isRequired, isPermanent });
    const change = {
      event: 'delete',
      userContext,
      path,
      destination: null,
      operation,
      kept,
      isOneOfMany: true,
      isPermanent: isPermanent || keeping === null || keeping.skips(storage.toPlace(path)),
    } as const;
    await events.runWhenReady(change, (begin) =>
      operations.remove(storage, from, {
        keeping,
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
  const trashItem = isDone ? job.recovered?.get(storage.toPlace(from.path)) : kept[0]?.id;
  return { index: item.index, path: from.path, ...(trashItem !== undefined && { trashItem }) };
}

/** Returns the paths of the items after `item`, whose removal may be recorded together with its own. */
function upcomingOf({ items }: JobRecord, item: PlannedItem): VirtualPath[] {
  const next = items.indexOf(item) + 1;
  return items.slice(next, next + maxUpcoming).map(({ from }) => from.path);
}

/** Restores an item of the trash. */
export async function restoreItem(
  job: JobRecord,
  item: PlannedItem,
  { userContext, interrupted }: ItemContext,
  parts: JobDependencies,
): Promise<JobResult> {
  const { trashItem } = item;
  const { restoreTarget } = job;
  if (restoreTarget === null || trashItem === undefined) throw new AppError('bad_request');
  const { path } = item.from;
  job.begunItem = begunWithoutSource(item.index, null);
  await parts.progressOf(job).save();
  try {
    const operation = parts.beginOperation(userContext, 'restore', job.id);
    const restored = await parts.restore(operation, trashItem, { ...restoreTarget, signal: job.signal });
    const { path: to, shares } = restored;
    return { index: item.index, path, to, trashItem, ...(shares.length > 0 && { links: [...shares] }) };
  } catch (error) {
    // It had been restored when the server was interrupted.
    if (interrupted === null || !isAppError(error, 'not_found')) throw error;
    return { index: item.index, path, trashItem };
  }
}

/** Undoes a step of an operation. */
export async function undoItem(
  job: JobRecord,
  { index, from, step }: PlannedItem,
  { userContext, interrupted }: ItemContext,
  parts: JobDependencies,
): Promise<JobResult> {
  if (step === undefined || (job.kind !== 'undo' && job.kind !== 'rewind')) throw new AppError('bad_request');
  const { path } = from;
  job.begunItem = begunWithoutSource(index, null);
  await parts.progressOf(job).save();
  try {
    const operation = parts.beginOperation(userContext, job.kind, job.id, job.undoes);
    const to = await parts.undo(operation, step, job.signal);
    return { index, path, ...(to === null ? {} : { to }) };
  } catch (error) {
    // The step had been undone before the server was interrupted.
    if (interrupted === null || !isAppError(error, 'not_found', 'changed_since')) throw error;
    return { index, path };
  }
}
