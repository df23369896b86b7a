import type { JobResult } from '@filestead/contract/jobs';
import {
  childOf,
  nameOf,
  parentOf,
  parsePath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { archiveExtensionOf } from '@filestead/contract/values/archive-formats';
import type { FastifyBaseLogger } from 'fastify';
import type { FileEvents } from '../access/file-events.ts';
import { maxSuffix } from '../access/numbered-paths.ts';
import type { Operations } from '../access/operation.ts';
import type { UserContext } from '../access/user-context.ts';
import { AppError } from '../errors.ts';
import { userParty } from '../scheduling/party.ts';
import { isTaken } from '../storage/is-taken.ts';
import type { Storage } from '../storage/storage.ts';
import type { ArchiveOperations } from './archive-operations.ts';
import { type BegunItem, begunWithoutSource } from './job-progress.ts';
import type { JobRecord } from './job-record.ts';
import type { PlannedItem } from './plan-items.ts';
import type { ProgressLog } from './progress-log.ts';

/** The dependencies of jobs about archives. */
interface ArchiveParts {
  readonly archives: ArchiveOperations;
  readonly events: FileEvents;
  readonly beginOperation: Operations['begin'];
  readonly progressOf: (job: JobRecord) => ProgressLog;
  readonly log: FastifyBaseLogger;
}

/** Inserts a number before the extension of an archive; a folder has no extension. */
function numbered(path: VirtualPath, number: number, isFolder: boolean): VirtualPath {
  const name = nameOf(path);
  const extension = isFolder ? '' : (archiveExtensionOf(name) ?? '');
  const stem = name.slice(0, name.length - extension.length);
  return childOf(parentOf(path), `${stem}(${number})${extension}`);
}

/** Returns `path` or, with `picksFreeName`, the next name that is free. Throws `already_exists`, `root_is_protected`. */
async function freePath(
  storage: Storage,
  path: VirtualPath,
  { picksFreeName, isFolder }: { picksFreeName: boolean; isFolder: boolean },
): Promise<VirtualPath> {
  if (path === '/') throw new AppError('root_is_protected');
  if (!(await isTaken(storage, path))) return path;
  if (!picksFreeName) throw new AppError('already_exists');
  for (let number = 1; number <= maxSuffix; number++) {
    const candidate = numbered(path, number, isFolder);
    if (!(await isTaken(storage, candidate))) return candidate;
  }
  throw new AppError('already_exists');
}

/** Extracts the archive of one item. Returns its result. */
export async function extractItem(
  job: JobRecord,
  item: PlannedItem,
  context: {
    readonly userContext: UserContext;
    readonly storage: Storage;
    readonly onProgress: (done: { entries: number; bytes: number }) => void;
    readonly interrupted: BegunItem | null;
  },
  parts: ArchiveParts,
): Promise<JobResult> {
  const { userContext, storage, onProgress, interrupted } = context;
  const { archives, events, beginOperation, progressOf } = parts;
  const { index, picksFreeName } = item;
  const from = item.from.path;
  if (item.to === null) throw new AppError('bad_request');
  const to = interrupted?.to ?? (await freePath(storage, item.to, { picksFreeName, isFolder: true }));
  await archives.assertCreatable(storage, to);
  const operation = beginOperation(userContext, 'extract', job.id);
  const change = { event: 'copy', userContext, path: from, destination: to, operation } as const;
  await events.runWhenReady(change, (begin) =>
    archives.extract(storage, {
      from,
      to,
      party: userParty(job.userId),
      isResumed: interrupted !== null,
      async beforeChange() {
        await begin(to);
        job.begunItem ??= begunWithoutSource(index, to);
        await progressOf(job).save();
      },
      onProgress,
      onSkipped: (path, code) => job.fail(item, path, code),
      signal: job.signal,
    }),
  );
  return { index, path: from, to };
}

/** Removes the files of an extraction that will not be continued. */
export async function discardExtracted(
  job: JobRecord,
  { archives, log }: Pick<ArchiveParts, 'archives' | 'log'>,
  item: PlannedItem,
): Promise<void> {
  const { begunItem } = job;
  if (begunItem === null || begunItem.to === null) return;
  const signal = new AbortController().signal;
  const extraction = { from: item.from.path, to: begunItem.to, party: userParty(job.userId), signal };
  await archives
    .removeExtracted(parsePath(job.scope).path, extraction)
    .catch((error: unknown) =>
      log.warn({ err: error, job: job.id }, 'the files of an unfinished extraction were not removed'),
    );
}

/** Creates the archive of all items of a job, and returns it as the result of the first one. */
export async function compressItems(
  job: JobRecord,
  { userContext, storage }: { readonly userContext: UserContext; readonly storage: Storage },
  parts: ArchiveParts,
): Promise<JobResult> {
  const { archives, events, beginOperation, progressOf } = parts;
  const { compressTarget, items, begunItem } = job;
  const [first] = items;
  if (compressTarget === null || first === undefined) throw new AppError('bad_request');
  const { format, picksFreeName } = compressTarget;
  const resultAt = (to: VirtualPath): JobResult => ({ index: 0, path: first.from.path, to });
  if (begunItem !== null && begunItem.to !== null) {
    // The archive got its name right before the server was interrupted.
    const published = await storage.stat(begunItem.to);
    if (published?.kind === 'file' && published.size === begunItem.source.size) return resultAt(begunItem.to);
    job.begunItem = null;
  }
  const to = await freePath(storage, compressTarget.to, { picksFreeName, isFolder: false });
  await archives.assertCreatable(storage, to);
  const operation = beginOperation(userContext, 'compress', job.id);
  const total = job.bytesTotal ?? 0;
  await events.runWhenReady(
    { event: 'upload', userContext, path: to, destination: null, operation },
    (beforeChange) =>
      archives.compress(storage, {
        paths: items.map(({ from }) => from.path),
        to,
        format,
        onBytes(bytes) {
          job.bytesDone = Math.min(bytes, total);
          job.changed();
        },
        beforeChange,
        async beforePublish(size) {
          job.begunItem = begunWithoutSource(0, to, size);
          await progressOf(job).save();
        },
        signal: job.signal,
      }),
  );
  return resultAt(to);
}
