import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { errorStatus, type ErrorCode } from './errors.ts';
import { checksumAlgorithms } from './files.ts';
import { maxJobBodyBytes, maxJobBodyElements, maxJobItems } from './values/limits.ts';

export const jobKinds = ['copy', 'move', 'delete', 'checksum'] as const;
export const JobKind = z.enum(jobKinds);
export type JobKind = z.output<typeof JobKind>;

/** A job waits, runs, and ends in one of the last three. `done` may hold items that failed; `failed` did none of them. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export const JobState = z.enum(jobStates);
export type JobState = z.output<typeof JobState>;

const path = z.string().check(z.minLength(1));

/** One entry of a selection. Paths are plain text, not percent-encoded. */
export const JobItem = z.object({
  from: path,
  /** Where a copy or a move leads; needed for those two. */
  to: z.optional(path),
  /** Replace a file at the destination; folders are merged. */
  overwrite: z.optional(z.boolean()),
  /** Take the next free name when the destination exists. Goes before `overwrite`. */
  rename: z.optional(z.boolean()),
});
export type JobItem = z.output<typeof JobItem>;

export const JobRequest = z.object({
  kind: JobKind,
  items: z.array(JobItem).check(z.minLength(1), z.maxLength(maxJobItems)),
  /** For checksums; sha256 when left out. */
  algorithm: z.optional(z.enum(checksumAlgorithms)),
});
export type JobRequest = z.input<typeof JobRequest>;

const ErrorCodeText = z.custom<ErrorCode>(
  (value) => typeof value === 'string' && Object.hasOwn(errorStatus, value),
);

/** Why one item was not done. */
export const JobFailure = z.object({
  /** The position in the request's `items`. */
  index: z.int(),
  path: z.string(),
  code: ErrorCodeText,
});
export type JobFailure = z.output<typeof JobFailure>;

/** A job without its items. Times in Unix milliseconds (UTC), sizes in bytes. */
export const Job = z.object({
  id: z.string(),
  kind: JobKind,
  state: JobState,
  createdAt: z.number(),
  startedAt: z.nullable(z.number()),
  endedAt: z.nullable(z.number()),
  /** The selection: how many items it has, and how many of them are done or have failed. */
  items: z.object({ total: z.int(), done: z.int(), failed: z.int() }),
  /** Null until all is counted; moves count their items only, for they rename. */
  entries: z.object({ done: z.int(), total: z.nullable(z.int()) }),
  /** `total` is null where it is not known: while counting, and for moves. */
  bytes: z.object({ done: z.number(), total: z.nullable(z.number()) }),
  /** What is being worked on; null before and after. */
  current: z.nullable(z.string()),
  /** The first failures, in the order of the items. All are among the results. */
  failures: z.array(JobFailure),
});
export type Job = z.output<typeof Job>;

/** What became of one item, or of one file of a checksum job. Items that were not reached have none. */
export const JobResult = z.object({
  index: z.int(),
  /** The source. */
  path: z.string(),
  /** Where a copy or a move really went. */
  to: z.optional(z.string()),
  /** In hexadecimal. */
  checksum: z.optional(z.string()),
  code: z.optional(ErrorCodeText),
});
export type JobResult = z.output<typeof JobResult>;

export const JobDetails = z.extend(Job, { results: z.array(JobResult) });
export type JobDetails = z.output<typeof JobDetails>;

/**
 * What `/api/jobs/events` sends, as the `data` of server-sent events: `snapshot` with all jobs right after connecting, then
 * `job` whenever one changes and `removed` when one is forgotten.
 */
export type JobEvent =
  | { event: 'snapshot'; data: { jobs: Job[] } }
  | { event: 'job'; data: Job }
  | { event: 'removed'; data: { id: string } };

const jobId = z.object({ id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)) });

export const createJob = endpoint({
  id: 'createJob',
  feature: 'jobs',
  method: 'POST',
  path: '/api/jobs',
  summary: 'Copy, move, delete or hash a selection as long work that goes on when the client leaves',
  description:
    'Copying needs “create”, moving “rename”, deleting “delete”, checksums “download”, overwriting also “modify”. Items are done in their order; one that fails does not keep the others from being done.',
  caller: 'signed_in',
  body: JobRequest,
  maxBodyBytes: maxJobBodyBytes,
  maxBodyElements: maxJobBodyElements,
  answers: { 202: { description: 'Accepted; the job as it is now', json: Job } },
  errors: [
    'bad_request',
    'invalid_path',
    'not_signed_in',
    'forbidden',
    'root_is_protected',
    'payload_too_large',
    'too_many_requests',
  ],
});

export const listJobs = endpoint({
  id: 'listJobs',
  feature: 'jobs',
  method: 'GET',
  path: '/api/jobs',
  summary: 'One’s own jobs, the newest first; finished ones are kept for a while',
  caller: 'signed_in',
  answers: { 200: { description: 'The jobs', json: z.array(Job) } },
  errors: ['not_signed_in'],
});

export const getJob = endpoint({
  id: 'getJob',
  feature: 'jobs',
  method: 'GET',
  path: '/api/jobs/{id}',
  summary: 'One job with what became of each item so far',
  caller: 'signed_in',
  params: jobId,
  answers: { 200: { description: 'The job', json: JobDetails } },
  errors: ['not_signed_in', 'not_found'],
});

export const cancelJob = endpoint({
  id: 'cancelJob',
  feature: 'jobs',
  method: 'DELETE',
  path: '/api/jobs/{id}',
  summary: 'Cancel a job; one that has ended is forgotten',
  description:
    'What is done stays done. The entry at work is given up without a trace; later ones are not touched.',
  caller: 'signed_in',
  params: jobId,
  answers: { 200: { description: 'Cancelled', text: true } },
  errors: ['not_signed_in', 'not_found'],
});

export const followJobs = endpoint({
  id: 'followJobs',
  feature: 'jobs',
  method: 'GET',
  path: '/api/jobs/events',
  summary: 'Server-sent events of all one’s own jobs',
  description:
    'A `snapshot` event comes first, also after a reconnect; then `job` and `removed`. The stream ends now and then so that the session is checked again: clients reconnect.',
  caller: 'signed_in',
  acceptsCookie: true,
  query: z.object({ auth: z.optional(z.string()) }),
  answers: { 200: { description: 'The events, as `text/event-stream`', bytes: true } },
  errors: ['not_signed_in', 'too_many_requests'],
});
