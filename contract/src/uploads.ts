import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { errorStatus, type ErrorCode } from './errors.ts';
import { maxBatchFiles, maxJsonBodyBytes } from './values/limits.ts';
import { pathErrors } from './values/error-groups.ts';

/** An unfinished upload of the user. Sizes are in bytes, times in Unix milliseconds. */
export const UnfinishedUpload = z.object({
  id: z.string(),
  /** The destination of the file. */
  path: z.string(),
  size: z.number(),
  /** Number of bytes received. */
  stored: z.number(),
  began: z.number(),
  /** The time at which the last bytes were stored. */
  lastByte: z.number(),
  /** The time at which the upload is discarded unless it is resumed. */
  expires: z.number(),
  /** Less than a day remains. */
  expiresSoon: z.boolean(),
  /** The modification time of the file on the user's machine; null if the client did not send it. */
  modified: z.nullable(z.number()),
  /** The `uploadKey` of the client that created the upload; null for none. */
  key: z.nullable(z.string()),
  /** The folder upload that the file belongs to, and its path in that folder; null for none. */
  folder: z.nullable(z.object({ id: z.string(), file: z.string() })),
  /** `blocked`: all bytes have been received, but the file could not be put in place. */
  state: z.enum(['receiving', 'blocked']),
  /** The error code for which the upload is blocked. Null in other states. */
  reason: z.nullable(z.string()),
  /** The sentence of that error, if it has one; for developers. */
  detail: z.nullable(z.string()),
  /** A request is sending bytes at the moment, or has sent a whole part within the last ten seconds. */
  isSending: z.boolean(),
  /** Whether the upload overwrites an existing file. */
  overrides: z.boolean(),
});
export type UnfinishedUpload = z.output<typeof UnfinishedUpload>;

/** The actions for a blocked upload. */
export const blockedActions = ['retry', 'keep_both', 'replace', 'move'] as const;

/** A path relative to a folder on the user's machine, without a leading slash. */
const folderFile = z.string().check(z.minLength(1), z.maxLength(8192));
/** Unix milliseconds. */
const time = z.number().check(z.minimum(0), z.maximum(8.64e15));

const uploadId = z.object({ id: z.string().check(z.maxLength(64)) });

/** The first line of a batch: its files, whose bytes follow in the same order without separators. */
export const UploadBatch = z.object({
  /** The id of the folder upload that the files belong to. */
  folder: z.optional(z.string().check(z.maxLength(64))),
  files: z
    .array(
      z.object({
        path: z.string().check(z.minLength(1), z.maxLength(8192)),
        /** In bytes. */
        size: z.int().check(z.nonnegative()),
        override: z._default(z.boolean(), false),
        /** The same for each attempt to send this file, and different for all others, such as a random number. */
        key: z.optional(z.string().check(z.maxLength(64))),
        /** The path of the file in the folder on the user's machine. With `modified` and `folder` its arrival is recorded. */
        folderFile: z.optional(folderFile),
        /** The modification time on the user's machine, in Unix milliseconds. */
        modified: z.optional(time),
      }),
    )
    .check(z.minLength(1), z.maxLength(maxBatchFiles)),
});
export type UploadBatch = z.input<typeof UploadBatch>;

/** The result of one file of a batch. It has either an `etag` or a `code`. */
export const BatchFileResult = z.object({
  /** The index of the file in the batch. */
  file: z.int(),
  /** The version of the stored file. */
  etag: z.optional(z.string()),
  /** The code of the error for which the file was not stored, and its status. */
  code: z.optional(z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]])),
  status: z.optional(z.int()),
  /** The sentence of that error, if it has one; for developers. */
  detail: z.optional(z.string()),
});
export type BatchFileResult = z.output<typeof BatchFileResult>;

export const uploadFiles = endpoint({
  id: 'uploadFiles',
  feature: 'uploads',
  method: 'POST',
  path: '/api/uploads',
  summary: 'Upload several small files in one request',
  description:
    'The body is one line of JSON, `{"files":[{"path":"/a.txt","size":4}]}`, and then the bytes of the files in the same order. `override` replaces an existing file. Each file is checked, stored and recorded like an upload in a request of its own, and becomes visible under its name once it is complete. The response has one line of JSON per file, sent as soon as the file is stored (`etag`) or refused (`code`, `status`, `detail`), in any order. Nothing is stored before the whole body has arrived. A file without a line may have been stored: when it is sent again with the same `key`, it is not a conflict with itself. With `folder`, `folderFile` and `modified` the arrival of a file of a folder upload is recorded; an unknown folder upload is ignored. At most 256 files and 2 MiB.',
  access: 'signed_in',
  needs: ['create'],
  body: 'bytes',
  responses: { 200: { description: 'One result per file', json: BatchFileResult, ndjson: true } },
  errors: ['bad_request', 'not_signed_in', 'forbidden', 'payload_too_large'],
});

export const listUploads = endpoint({
  id: 'listUploads',
  feature: 'uploads',
  method: 'GET',
  path: '/api/uploads',
  summary: 'List the caller’s own unfinished uploads, oldest first',
  access: 'signed_in',
  responses: { 200: { description: 'The uploads', json: z.array(UnfinishedUpload) } },
  errors: ['not_signed_in'],
});

export const finishBlockedUpload = endpoint({
  id: 'finishBlockedUpload',
  feature: 'uploads',
  method: 'POST',
  path: '/api/uploads/{id}',
  summary: 'Finish a blocked upload',
  description:
    '`retry` repeats the last step, `keep_both` uses the next available name, `replace` overwrites the existing file, `move` uses another path (`path`, whose missing folders are created). Permissions, rules and limits are checked as for a new upload. If the action fails, the upload remains blocked.',
  access: 'signed_in',
  needs: ['create'],
  params: uploadId,
  maxBodyBytes: maxJsonBodyBytes,
  body: z.object({ action: z.enum(blockedActions), path: z.optional(z.string()) }),
  responses: {
    200: { description: 'Finished; the path of the file', json: z.object({ path: z.string() }) },
  },
  errors: [
    ...pathErrors,
    'bad_request',
    'invalid_name',
    'is_folder',
    'not_a_folder',
    'already_exists',
    'cannot_keep',
    'precondition_failed',
    'payload_too_large',
    'upload_in_use',
    'storage_full',
    'special_file',
    'hook_failed',
  ],
});

export const discardUpload = endpoint({
  id: 'discardUpload',
  feature: 'uploads',
  method: 'DELETE',
  path: '/api/uploads/{id}',
  summary: 'Cancel the caller’s own upload, blocked or not, and remove the bytes received so far',
  access: 'signed_in',
  params: uploadId,
  responses: { 204: { description: 'Removed' } },
  errors: ['not_signed_in', 'not_found'],
});

/** An unfinished upload of any user, for administrators. Sizes are in bytes, times in Unix milliseconds. */
export const UserUpload = z.object({
  id: z.string(),
  username: z.string(),
  /** The destination, as a path of the administrator; null outside the administrator’s scope. */
  path: z.nullable(z.string()),
  ...z.pick(UnfinishedUpload, {
    size: true,
    stored: true,
    began: true,
    lastByte: true,
    expires: true,
    state: true,
    reason: true,
    detail: true,
    isSending: true,
  }).shape,
});
export type UserUpload = z.output<typeof UserUpload>;

export const listUserUploads = endpoint({
  id: 'listUserUploads',
  feature: 'uploads',
  method: 'GET',
  path: '/api/user-uploads',
  summary: 'List the unfinished uploads of all users, oldest first',
  access: 'administrator',
  responses: { 200: { description: 'The uploads', json: z.array(UserUpload) } },
  errors: ['not_signed_in', 'forbidden'],
});

export const discardUserUpload = endpoint({
  id: 'discardUserUpload',
  feature: 'uploads',
  method: 'DELETE',
  path: '/api/user-uploads/{id}',
  summary: 'Cancel an unfinished upload of any user, and remove the bytes received so far',
  access: 'administrator',
  params: uploadId,
  responses: { 204: { description: 'Removed' } },
  errors: ['not_signed_in', 'forbidden', 'not_found'],
});

export const compareUpload = endpoint({
  id: 'compareUpload',
  feature: 'uploads',
  method: 'POST',
  path: '/api/upload-comparisons/{id}',
  summary: 'Compare the last stored bytes of an upload with the file that is to continue it',
  description:
    'The body is the part of the file that ends at `offset`, which must be the offset of the upload: at most 64 KiB. Before a client continues an upload of an earlier page or of another device, it compares size, modification time and these bytes, so that a changed file does not continue an old upload.',
  access: 'signed_in',
  needs: ['create'],
  params: uploadId,
  query: z.object({ offset: z.string().check(z.regex(/^\d{1,16}$/)) }),
  body: 'bytes',
  responses: {
    200: { description: 'Whether the bytes are the same', json: z.object({ isSame: z.boolean() }) },
  },
  errors: [
    'bad_request',
    'not_signed_in',
    'forbidden',
    'not_found',
    'payload_too_large',
    'upload_offset_mismatch',
  ],
});
