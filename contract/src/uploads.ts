import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { errorStatus, type ErrorCode } from './errors.ts';
import { maxBatchFiles, maxJsonBodyBytes } from './values/limits.ts';

/** The protocol version, as in the header `Tus-Resumable`. */
export const tusVersion = '1.0.0';
/** The supported extensions of the protocol. */
export const tusExtensions = [
  'creation',
  'creation-with-upload',
  'expiration',
  'termination',
  'checksum',
] as const;
/** The algorithms that `Upload-Checksum` may specify. */
export const tusChecksumAlgorithms = ['sha1', 'md5', 'sha256', 'sha512'] as const;
/** The media type of a PATCH request's body. */
export const tusContentType = 'application/offset+octet-stream';

const text = z.optional(z.string());
const resumable = { 'tus-resumable': text };
const uploadQuery = z.object({ upload: z.optional(z.string().check(z.maxLength(64))) });
const pathErrors = ['invalid_path', 'not_signed_in', 'forbidden', 'external_link', 'not_found'] as const;

export const getTusOptions = endpoint({
  id: 'getTusOptions',
  feature: 'uploads',
  method: 'OPTIONS',
  path: '/api/tus/*',
  summary: 'Get the protocol version, extensions and maximum size of resumable uploads',
  access: 'anyone',
  responses: {
    204: { description: '`Tus-Version`, `Tus-Extension`, `Tus-Checksum-Algorithm`, `Tus-Max-Size`' },
  },
  errors: ['invalid_path'],
});

export const createUpload = endpoint({
  id: 'createUpload',
  feature: 'uploads',
  method: 'POST',
  path: '/api/tus/*',
  summary: 'Begin a resumable upload to the path',
  description:
    'With `Tus-Resumable: 1.0.0` the server follows tus 1.0: `Location` identifies the upload by a random id. Without that header `Location` is the path itself, as existing clients expect. The file becomes visible once its last byte has been received; until then the upload is invisible, and a file that it overwrites is unchanged. If all bytes have been received but the file cannot be put in place (the name was taken meanwhile, a hook refused it, a permission was withdrawn), the response is that error and the upload is kept as blocked: see `GET /api/uploads`. With `Tus-Resumable` the path may be a folder (with a trailing slash, or empty); `Upload-Metadata` must then contain the file name: `filename` or `name`, below the folders of `relativePath`. `Upload-Checksum` is verified. `Upload-Concat` and `Upload-Defer-Length` are refused.',
  access: 'signed_in',
  needs: ['create'],
  query: z.object({ ...uploadQuery.shape, override: text }),
  headers: z.object({
    ...resumable,
    'upload-length': text,
    'upload-metadata': text,
    'upload-checksum': text,
    'x-http-method-override': text,
  }),
  body: 'bytes',
  responses: { 201: { description: 'Created; `Location` identifies the upload' } },
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
    'unsupported_media_type',
    'upload_in_use',
    'upload_offset_mismatch',
    'checksum_mismatch',
    'too_many_requests',
    'storage_full',
    'special_file',
  ],
});

export const getUpload = endpoint({
  id: 'getUpload',
  feature: 'uploads',
  method: 'GET',
  path: '/api/tus/*',
  summary: 'Get the offset of an upload; intended for HEAD',
  description:
    'The request aborts a PATCH request of the same upload that is still in progress, because the client is about to resume.',
  access: 'signed_in',
  needs: ['create'],
  query: uploadQuery,
  headers: z.object(resumable),
  responses: { 200: { description: '`Upload-Offset` and `Upload-Length`' } },
  errors: [...pathErrors, 'precondition_failed'],
});

export const appendUpload = endpoint({
  id: 'appendUpload',
  feature: 'uploads',
  method: 'PATCH',
  path: '/api/tus/*',
  summary: 'Send the next bytes of an upload',
  description:
    'With `Upload-Checksum` the bytes are stored only if the body is complete and has that checksum (460 otherwise).',
  access: 'signed_in',
  needs: ['create'],
  query: uploadQuery,
  headers: z.object({ ...resumable, 'upload-offset': text, 'upload-checksum': text, 'content-type': text }),
  body: 'bytes',
  responses: {
    204: {
      description:
        'Stored; `Upload-Offset` is the new offset; with the last byte `X-Operation` identifies the change',
    },
  },
  errors: [
    ...pathErrors,
    'bad_request',
    'is_folder',
    'not_a_folder',
    'already_exists',
    'cannot_keep',
    'precondition_failed',
    'payload_too_large',
    'unsupported_media_type',
    'upload_in_use',
    'upload_offset_mismatch',
    'checksum_mismatch',
    'storage_full',
    'special_file',
  ],
});

export const endUpload = endpoint({
  id: 'endUpload',
  feature: 'uploads',
  method: 'DELETE',
  path: '/api/tus/*',
  summary: 'Cancel an upload and remove the bytes received so far',
  description: 'Without an upload id (existing clients) the permission “delete” is required.',
  access: 'signed_in',
  query: uploadQuery,
  headers: z.object(resumable),
  responses: { 204: { description: 'Removed' } },
  errors: [...pathErrors, 'root_is_protected', 'precondition_failed'],
});

/** An unfinished upload of the user. Sizes are in bytes, times in Unix milliseconds. */
export const UnfinishedUpload = z.object({
  id: z.string(),
  /** The destination of the file. */
  path: z.string(),
  size: z.number(),
  /** Number of bytes received. */
  stored: z.number(),
  began: z.number(),
  /** When the upload is discarded unless it is resumed. */
  expires: z.number(),
  /** `blocked`: all bytes have been received, but the file could not be put in place. */
  state: z.enum(['receiving', 'blocked']),
  /** Why the upload is blocked: an error code. Null in other states. */
  reason: z.nullable(z.string()),
  /** A request is sending bytes at the moment. */
  isSending: z.boolean(),
  /** Whether the upload overwrites an existing file. */
  overrides: z.boolean(),
});
export type UnfinishedUpload = z.output<typeof UnfinishedUpload>;

/** The actions for a blocked upload. */
export const blockedActions = ['retry', 'keep_both', 'replace', 'move'] as const;

const uploadId = z.object({ id: z.string().check(z.maxLength(64)) });

/** The first line of a batch: its files, whose bytes follow in the same order without separators. */
export const UploadBatch = z.object({
  files: z
    .array(
      z.object({
        path: z.string().check(z.minLength(1), z.maxLength(8192)),
        /** In bytes. */
        size: z.int().check(z.nonnegative()),
        override: z._default(z.boolean(), false),
        /** The same for each attempt to send this file, and different for all others, such as a random number. */
        key: z.optional(z.string().check(z.maxLength(64))),
      }),
    )
    .check(z.minLength(1), z.maxLength(maxBatchFiles)),
});
export type UploadBatch = z.input<typeof UploadBatch>;

/** The result of one file of a batch. It has either an `etag` or a `code`. */
export const UploadAnswer = z.object({
  /** The index of the file in the batch. */
  file: z.int(),
  /** The version of the stored file. */
  etag: z.optional(z.string()),
  /** The code of the error for which the file was not stored, and its status. */
  code: z.optional(z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]])),
  status: z.optional(z.int()),
});
export type UploadAnswer = z.output<typeof UploadAnswer>;

export const uploadFiles = endpoint({
  id: 'uploadFiles',
  feature: 'uploads',
  method: 'POST',
  path: '/api/uploads',
  summary: 'Upload several small files in one request',
  description:
    'The body is one line of JSON, `{"files":[{"path":"/a.txt","size":4}]}`, and then the bytes of the files in the same order. `override` replaces an existing file. Each file is checked, stored and recorded like an upload in a request of its own, and becomes visible under its name once it is complete. The response has one line of JSON per file, sent as soon as the file is stored (`etag`) or refused (`code`, `status`), in any order. Nothing is stored before the whole body has arrived. A file without a line may have been stored: when it is sent again with the same `key`, it is not a conflict with itself. At most 256 files and 2 MiB.',
  access: 'signed_in',
  needs: ['create'],
  body: 'bytes',
  responses: { 200: { description: 'One answer per file', json: UploadAnswer, ndjson: true } },
  errors: ['bad_request', 'not_signed_in', 'forbidden', 'payload_too_large'],
});

export const listUploads = endpoint({
  id: 'listUploads',
  feature: 'uploads',
  method: 'GET',
  path: '/api/uploads',
  summary: 'List one’s own unfinished uploads, oldest first',
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
  summary: 'Cancel one’s own upload, blocked or not, and remove the bytes received so far',
  access: 'signed_in',
  params: uploadId,
  responses: { 204: { description: 'Removed' } },
  errors: ['not_signed_in', 'not_found'],
});
