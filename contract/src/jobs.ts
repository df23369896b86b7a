import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { checksumAlgorithms } from './files.ts';
import { maxJobBodyBytes, maxJobBodyElements, maxJobItems } from './values/limits.ts';
import { tokenQuery } from './values/download-queries.ts';
import { ErrorCodeText } from './values/json-fields.ts';

/** The kinds of jobs that clients create with `POST /api/jobs`. */
export const requestedJobKinds = [
  'copy',
  'move',
  'delete',
  'checksum',
  'extract',
  'compress',
  'duplicates',
] as const;
export type RequestedJobKind = (typeof requestedJobKinds)[number];
/** All kinds; `restore` is created by restoring many deleted items, `undo` and `rewind` by the endpoints of operations. */
export const jobKinds = [...requestedJobKinds, 'restore', 'undo', 'rewind'] as const;
export const JobKind = z.enum(jobKinds);
export type JobKind = z.output<typeof JobKind>;

/**
 * The states of a job: it is queued, runs, and ends in one of the last three. `done` may include items that failed;
 * `failed` means that no item succeeded.
 */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export const JobState = z.enum(jobStates);
export type JobState = z.output<typeof JobState>;

const path = z.string().check(z.minLength(1));

/** One entry of the selection. Paths are plain text, not percent-encoded. */
export const JobItem = z.object({
  from: path,
  /** The destination; required for copies, moves and extractions. An archive is extracted into this folder, which is created. */
  to: z.optional(path),
  /** Overwrite a file at the destination; folders are merged. */
  overwrite: z.optional(z.boolean()),
  /** Use the next available name if the destination exists. Takes precedence over `overwrite`. */
  rename: z.optional(z.boolean()),
});
export type JobItem = z.output<typeof JobItem>;

export const JobRequest = z.object({
  kind: z.enum(requestedJobKinds),
  items: z.array(JobItem).check(z.minLength(1), z.maxLength(maxJobItems)),
  /** For checksums. Default: sha256. */
  algorithm: z.optional(z.enum(checksumAlgorithms)),
  /** For `compress`: the archive that is created. Its name has to end with the extension of the format. */
  to: z.optional(path),
  /** For `compress`: a name that `archiveFormatNamed` accepts. Default: zip. */
  format: z.optional(z.string().check(z.maxLength(16))),
  /** For `compress`: use the next available name if the archive exists. */
  rename: z.optional(z.boolean()),
  /**
   * For deletions: `true` deletes forever instead of moving to the trash, which requires the permission “purge”; `false` deletes nothing
   * that the trash does not keep.
   */
  permanent: z.optional(z.boolean()),
  /**
   * For deletions: copy entries to the trash that their file system cannot move there, such as folders of a lower layer of overlayfs.
   * Without it they fail with `keep_needs_copy`.
   */
  copyToTrash: z.optional(z.boolean()),
});
export type JobRequest = z.input<typeof JobRequest>;

/** The error of one item. */
export const JobFailure = z.object({
  /** The index of the item in the request's `items`. */
  index: z.int(),
  path: z.string(),
  code: ErrorCodeText,
  /** One English sentence for developers, where the code does not say everything. */
  detail: z.optional(z.string()),
});
export type JobFailure = z.output<typeof JobFailure>;

/** A job without its items. Times are in Unix milliseconds (UTC), sizes in bytes. */
export const Job = z.object({
  id: z.string(),
  kind: JobKind,
  state: JobState,
  /** The folder that is searched for duplicates; absent in other jobs. */
  folder: z.optional(z.string()),
  createdAt: z.number(),
  startedAt: z.nullable(z.number()),
  /** The time at which a run of the server last continued the job; null if it was not interrupted. */
  resumedAt: z.nullable(z.number()),
  endedAt: z.nullable(z.number()),
  /** The number of the run of the server in which the job runs or ended, beginning with 1. */
  attempt: z.int(),
  /** The number of items in the selection, and how many of them are done or have failed. */
  items: z.object({ total: z.int(), done: z.int(), failed: z.int() }),
  /** `total` is null until all entries have been counted. Moves, and deletions that the trash keeps, count items only, because they rename. */
  entries: z.object({ done: z.int(), total: z.nullable(z.int()) }),
  /** `total` is null if it is not known: while counting, and for moves. */
  bytes: z.object({ done: z.number(), total: z.nullable(z.number()) }),
  /** The entry that is being processed; null before the job starts and after it ends. */
  current: z.nullable(z.string()),
  /** The first failures, in the order of the items. The results contain all of them. */
  failures: z.array(JobFailure),
});
export type Job = z.output<typeof Job>;

/** The result of one item, or of one file of a checksum job. Items that were not processed have none. */
export const JobResult = z.object({
  index: z.int(),
  /** The source path. */
  path: z.string(),
  /** The resulting destination of a copy or move, the folder of an extraction, or the new archive. */
  to: z.optional(z.string()),
  /** The id of the deleted item: of a deletion into the trash, and of a restoration. */
  trashItem: z.optional(z.string()),
  /** The hashes of the caller’s shares that work again after a restoration. */
  links: z.optional(z.array(z.string())),
  /** In hexadecimal. */
  checksum: z.optional(z.string()),
  code: z.optional(ErrorCodeText),
  /** One English sentence for developers, where the code does not say everything. */
  detail: z.optional(z.string()),
});
export type JobResult = z.output<typeof JobResult>;

export const JobDetails = z.extend(Job, { results: z.array(JobResult) });
export type JobDetails = z.output<typeof JobDetails>;

/**
 * The `data` of the server-sent events of `/api/jobs/events`: `snapshot` with all jobs right after connecting, then
 * `job` whenever one changes and `removed` when one is removed from the list.
 */
export type JobEvent =
  | { event: 'snapshot'; data: { jobs: Job[] } }
  | { event: 'job'; data: Job }
  | { event: 'removed'; data: { id: string } };

/** The path parameter of endpoints of one job. */
export const jobId = z.object({ id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)) });

export const createJob = endpoint({
  id: 'createJob',
  feature: 'jobs',
  method: 'POST',
  path: '/api/jobs',
  summary:
    'Copy, move, delete, checksum, compress or extract a selection, or find duplicates, in a job that continues when the client disconnects or the server restarts',
  description:
    'Copies require the permission “create”, moves “rename”, deletions “delete” (with `permanent` also “purge”), checksums and duplicates “download”; overwriting also requires “modify”; `extract` and `compress` require “create” and “download”. A search for duplicates has one item, the folder, and its result is at `/api/jobs/duplicates/{id}`. Items are processed in order; the failure of one does not stop the others. `extract` creates a folder for each archive; if everything in the archive is in one folder, the contents of that folder are extracted. Links, special files and names that lead out of the folder are left out and reported as failures. An archive with more than 200,000 entries, or one that has been made to fill disks, is refused. `compress` creates one archive of all items.',
  access: 'signed_in',
  body: JobRequest,
  maxBodyBytes: maxJobBodyBytes,
  maxBodyElements: maxJobBodyElements,
  responses: { 202: { description: 'Accepted; the job in its current state', json: Job } },
  errors: [
    'bad_request',
    'invalid_path',
    'not_signed_in',
    'forbidden',
    'root_is_protected',
    'unsupported_archive_format',
    'payload_too_large',
    'too_many_requests',
  ],
});

export const listJobs = endpoint({
  id: 'listJobs',
  feature: 'jobs',
  method: 'GET',
  path: '/api/jobs',
  summary: 'List the caller’s own jobs, newest first; finished ones are kept for a while',
  access: 'signed_in',
  responses: { 200: { description: 'The jobs', json: z.array(Job) } },
  errors: ['not_signed_in'],
});

export const getJob = endpoint({
  id: 'getJob',
  feature: 'jobs',
  method: 'GET',
  path: '/api/jobs/{id}',
  summary: 'Get one job with the results of its items so far',
  description: 'The results of a search for duplicates are at `/api/jobs/duplicates/{id}` instead.',
  access: 'signed_in',
  params: jobId,
  responses: { 200: { description: 'The job', json: JobDetails } },
  errors: ['not_signed_in', 'not_found'],
});

export const cancelJob = endpoint({
  id: 'cancelJob',
  feature: 'jobs',
  method: 'DELETE',
  path: '/api/jobs/{id}',
  summary: 'Cancel a job, or remove one that has ended from the list',
  description:
    'Completed items are not undone. The entry that is being processed is abandoned without leaving partial files; later ones are not touched.',
  access: 'signed_in',
  params: jobId,
  responses: { 200: { description: 'Cancelled', text: true } },
  errors: ['not_signed_in', 'not_found'],
});

export const followJobs = endpoint({
  id: 'followJobs',
  feature: 'jobs',
  method: 'GET',
  path: '/api/jobs/events',
  summary: 'Receive server-sent events of all jobs of the caller',
  description:
    'The first event is a `snapshot`, also after a reconnect; `job` and `removed` follow. The server ends the stream from time to time so that the session is checked again: clients have to reconnect.',
  access: 'signed_in',
  isAutomatic: true,
  acceptsCookie: true,
  query: z.object(tokenQuery),
  responses: { 200: { description: 'The event stream, as `text/event-stream`', bytes: true } },
  errors: ['not_signed_in', 'too_many_requests'],
});
