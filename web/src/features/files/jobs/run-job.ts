import { type ErrorCode, errorStatus } from '@filestead/contract/errors';
import {
  createJob,
  getJob,
  type Job,
  type JobDetails,
  type JobItem,
  type JobRequest,
  type JobResult,
  type RequestedJobKind,
} from '@filestead/contract/jobs';
import { maxJobItems } from '@filestead/contract/values/limits';
import { ApiError, call } from '../../../api/call.ts';
import { RefusedError } from '../feedback/failure.ts';
import type { ManyOutcome } from '../entries/run-many.ts';
import { filesText } from '../feedback/files-text.ts';
import { addJob, forgetJob, whenEnded } from './follow-jobs.ts';
import { saveNote, type JobNote } from './job-store.ts';
import { addOwnJob } from './own-jobs.ts';

interface JobRun<T> {
  readonly kind: Exclude<RequestedJobKind, 'checksum' | 'duplicates'>;
  readonly items: readonly T[];
  readonly itemOf: (item: T) => JobItem;
  readonly note: JobNote;
  /** Whether a deletion is permanent; false deletes nothing that the trash does not keep. */
  readonly isPermanent?: boolean | undefined;
  /** Whether a deletion copies to the trash what cannot be moved there. */
  readonly copiesToTrash?: boolean | undefined;
  /** Called with the id of each job, which is also the id of its operation. */
  readonly onOperation?: ((id: string) => void) | undefined;
  /** Returns the value of a successful item. Default: its new path, else the old one. */
  readonly resultOf?: (result: JobResult, jobId: string) => string;
}

/** The outcome of the items. A result is the new path as plain text, unless the run states another value. */
type Outcome<T> = ManyOutcome<T, string>;

/**
 * Runs work on the server, in as many jobs as necessary, and waits for the end. Items that were not reached
 * because a job was stopped are `unprocessed`. Throws `ApiError` when a job cannot be created, `RefusedError` when its
 * result is unknown.
 */
export async function runJobs<T>({
  kind,
  items,
  itemOf,
  note,
  isPermanent,
  copiesToTrash,
  onOperation,
  resultOf = ({ to, path }) => to ?? path,
}: JobRun<T>): Promise<Outcome<T>> {
  const done: Outcome<T>['done'][number][] = [];
  const failed: Outcome<T>['failed'][number][] = [];
  const unprocessed: T[] = [];
  let isStopped = false;
  for (let first = 0; first < items.length; first += maxJobItems) {
    const part = items.slice(first, first + maxJobItems);
    if (isStopped) {
      unprocessed.push(...part);
      continue;
    }
    const request = {
      kind,
      items: part.map(itemOf),
      ...(isPermanent !== undefined && { permanent: isPermanent }),
      ...(copiesToTrash && { copyToTrash: true }),
    };
    const details = await followJob(await call(createJob, { body: request }), note);
    isStopped = details.state === 'cancelled';
    if (details.items.done > 0) onOperation?.(details.id);
    const results = new Map(details.results.map((result) => [result.index, result]));
    for (const [index, item] of part.entries()) {
      const result = results.get(index);
      if (!result && isStopped) unprocessed.push(item);
      else if (!result) failed.push({ item, error: new ApiError(500, 'internal_error') });
      else if (result.code) failed.push({ item, error: errorOf(result.code, result.detail) });
      else done.push({ item, result: resultOf(result, details.id) });
    }
  }
  return { done, failed, unprocessed };
}

const errorOf = (code: ErrorCode, detail: string | undefined): ApiError =>
  new ApiError(errorStatus[code], code, { detail });

/** Starts a job without waiting for it; it is followed like one from before a reload. Throws `ApiError`. */
export async function beginJob(request: JobRequest, note: JobNote): Promise<void> {
  const job = await call(createJob, { body: request });
  saveNote(job.id, note);
  addJob(job);
}

/**
 * Follows a job that a request has just created until it ends, and returns its results; the caller reports them. Throws
 * `ApiError`, `RefusedError` when the server has forgotten the job.
 */
export async function followJob(job: Job, note: JobNote): Promise<JobDetails> {
  saveNote(job.id, note);
  const end = new Promise<Job | null>((resolve) => {
    addOwnJob(job.id);
    whenEnded(job.id, resolve);
  });
  addJob(job);
  if ((await end) === null) throw new RefusedError(filesText('failed.lost'));
  const details = await call(getJob, { params: { id: job.id } });
  // The caller has the results now, and reports the failures.
  void forgetJob(job.id);
  return details;
}
