import { errorStatus } from '@filestead/contract/errors';
import {
  cancelJob,
  createJob,
  getJob,
  type Job,
  type JobDetails,
  type JobItem,
  type JobKind,
  type JobRequest,
} from '@filestead/contract/jobs';
import { maxJobItems } from '@filestead/contract/values/limits';
import { ApiError, call } from '../../../api/call.ts';
import { RefusedError } from '../feedback/failure.ts';
import type { ManyOutcome } from '../entries/run-many.ts';
import { filesText } from '../feedback/toasts.ts';
import { applyJobs, fetchNewJobs, whenEnded } from './follow-jobs.ts';
import { isActive, keepNote, useJobs, type JobNote } from './job-store.ts';

interface LongWork<T> {
  readonly kind: Exclude<JobKind, 'checksum'>;
  readonly items: readonly T[];
  readonly itemOf: (item: T) => JobItem;
  readonly note: JobNote;
}

/** What became of one item: where it lies now, as plain text; its old place after a deletion. */
type Outcome<T> = ManyOutcome<T, string>;

/**
 * Has the server do long work, in as many jobs as it takes, and waits for the end. Items that were not reached because
 * somebody stopped it are `left`. Throws `ApiError` when it cannot be begun, `RefusedError` when its end is not known.
 */
export async function runJobs<T>({ kind, items, itemOf, note }: LongWork<T>): Promise<Outcome<T>> {
  const done: Outcome<T>['done'][number][] = [];
  const failed: Outcome<T>['failed'][number][] = [];
  const left: T[] = [];
  let isStopped = false;
  for (let first = 0; first < items.length; first += maxJobItems) {
    const part = items.slice(first, first + maxJobItems);
    if (isStopped) {
      left.push(...part);
      continue;
    }
    const details = await runOne(kind, part.map(itemOf), note);
    isStopped = details.state === 'cancelled';
    const results = new Map(details.results.map((result) => [result.index, result]));
    for (const [index, item] of part.entries()) {
      const result = results.get(index);
      if (!result && isStopped) left.push(item);
      else if (!result) failed.push({ item, error: new ApiError(500, 'internal_error') });
      else if (result.code) failed.push({ item, error: new ApiError(errorStatus[result.code], result.code) });
      else done.push({ item, result: result.to ?? result.path });
    }
  }
  return { done, failed, left };
}

/** Has the server do work that nobody here waits for; it is looked after like a job of before a reload. Throws `ApiError`. */
export async function beginJob(request: JobRequest, note: JobNote): Promise<void> {
  const job = await call(createJob, { body: request });
  keepNote(job.id, note);
  fetchNewJobs(job);
}

async function runOne(kind: JobKind, items: JobItem[], note: JobNote): Promise<JobDetails> {
  const job = await call(createJob, { body: { kind, items } });
  keepNote(job.id, note);
  const ended = new Promise<Job | null>((resolve) => {
    ownJobs.add(job.id);
    whenEnded(job.id, resolve);
  });
  fetchNewJobs(job);
  if ((await ended) === null) throw new RefusedError(filesText('failed.lost'));
  const details = await call(getJob, { params: { id: job.id } });
  // Whoever began it has its results by now; what failed is said by them.
  await forgetJob(job.id);
  return details;
}

/** Jobs whose results this page takes, so that it has nothing to say about them besides. */
const ownJobs = new Set<string>();
export const isOwnJob = (id: string): boolean => ownJobs.has(id);

/** Stops a job, or forgets one that has ended. One that is forgotten already is as good. Throws nothing. */
export async function forgetJob(id: string): Promise<void> {
  await call(cancelJob, { params: { id } }).catch(() => undefined);
  const job = useJobs.getState().jobs.find((known) => known.id === id);
  // Nobody may be following any more. One that was at work is told about when it has stopped.
  if (job && !isActive(job)) applyJobs({ event: 'removed', data: { id } });
}
