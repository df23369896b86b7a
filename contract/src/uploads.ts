import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maxJsonBodyBytes } from './values/limits.ts';

/** The protocol's version, as in the header `Tus-Resumable`. */
export const tusVersion = '1.0.0';
/** What is offered of the protocol's extensions. */
export const tusExtensions = [
  'creation',
  'creation-with-upload',
  'expiration',
  'termination',
  'checksum',
] as const;
/** The algorithms that `Upload-Checksum` may name. */
export const tusChecksumAlgorithms = ['sha1', 'md5', 'sha256', 'sha512'] as const;
/** The media type of a part. */
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
  summary: 'What resumable uploads can do here: version, extensions and largest size',
  caller: 'anyone',
  answers: {
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
    'With `Tus-Resumable: 1.0.0` the protocol tus 1.0 is spoken: `Location` names the upload by a random id. Without it `Location` is the path itself, as existing clients expect. The file appears when its last byte has arrived; until then nothing is seen of it, and what it replaces stays. When the last byte has arrived and the file cannot get its name (the name was taken meanwhile, a command of the administrator refused it, a right is gone), the answer is that error and the upload is kept as blocked: see `GET /api/uploads`. With `Tus-Resumable` the path may be a folder (with a trailing slash, or none at all); then `Upload-Metadata` names the file: `filename` or `name`, below the folders of `relativePath`. `Upload-Checksum` is verified. `Upload-Concat` and `Upload-Defer-Length` are refused.',
  caller: 'signed_in',
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
  answers: { 201: { description: 'Begun; `Location` names the upload' } },
  errors: [
    ...pathErrors,
    'bad_request',
    'invalid_name',
    'is_folder',
    'not_a_folder',
    'already_exists',
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
  summary: 'How much of an upload has arrived; meant for HEAD',
  description: 'Asking ends a part that is still being sent, for whoever asks is about to go on from there.',
  caller: 'signed_in',
  needs: ['create'],
  query: uploadQuery,
  headers: z.object(resumable),
  answers: { 200: { description: '`Upload-Offset` and `Upload-Length`' } },
  errors: [...pathErrors, 'precondition_failed'],
});

export const appendUpload = endpoint({
  id: 'appendUpload',
  feature: 'uploads',
  method: 'PATCH',
  path: '/api/tus/*',
  summary: 'Send the next bytes of an upload',
  description:
    'With `Upload-Checksum` the part is stored only when it arrives whole and has that checksum (460 otherwise).',
  caller: 'signed_in',
  needs: ['create'],
  query: uploadQuery,
  headers: z.object({ ...resumable, 'upload-offset': text, 'upload-checksum': text, 'content-type': text }),
  body: 'bytes',
  answers: { 204: { description: 'Stored; `Upload-Offset` is the new one' } },
  errors: [
    ...pathErrors,
    'bad_request',
    'is_folder',
    'not_a_folder',
    'already_exists',
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
  summary: 'Give an upload up; what has arrived of it is removed',
  description: 'Without an upload id (existing clients) the permission “delete” is needed.',
  caller: 'signed_in',
  query: uploadQuery,
  headers: z.object(resumable),
  answers: { 204: { description: 'Removed' } },
  errors: [...pathErrors, 'root_is_protected', 'precondition_failed'],
});

/** An upload of the caller that has not been finished. Sizes in bytes, times in Unix milliseconds. */
export const UnfinishedUpload = z.object({
  id: z.string(),
  /** Where the file goes. */
  path: z.string(),
  size: z.number(),
  /** Bytes that have arrived. */
  stored: z.number(),
  began: z.number(),
  /** It is given up then unless somebody goes on with it. */
  expires: z.number(),
  /** `blocked`: all bytes have arrived, and the file could not get its name. */
  state: z.enum(['receiving', 'blocked']),
  /** Why it is blocked: a code of the table of errors. Null for other states. */
  reason: z.nullable(z.string()),
  /** Somebody is sending bytes of it now. */
  isSending: z.boolean(),
  /** It replaces a file that is there. */
  overrides: z.boolean(),
});
export type UnfinishedUpload = z.output<typeof UnfinishedUpload>;

/** The choices for a blocked upload. */
export const blockedActions = ['retry', 'keep_both', 'replace', 'move'] as const;

const uploadId = z.object({ id: z.string().check(z.maxLength(64)) });

export const listUploads = endpoint({
  id: 'listUploads',
  feature: 'uploads',
  method: 'GET',
  path: '/api/uploads',
  summary: 'The caller’s own uploads that are not finished, the oldest first',
  caller: 'signed_in',
  answers: { 200: { description: 'The uploads', json: z.array(UnfinishedUpload) } },
  errors: ['not_signed_in'],
});

export const finishBlockedUpload = endpoint({
  id: 'finishBlockedUpload',
  feature: 'uploads',
  method: 'POST',
  path: '/api/uploads/{id}',
  summary: 'Finish an upload that is blocked',
  description:
    '`retry` tries the same again, `keep_both` takes the next free name, `replace` puts the file in the place of the one that is there, `move` takes another path (with `path`, whose missing folders are made). Rights, rules and limits are checked as for a new upload. What fails leaves the upload blocked.',
  caller: 'signed_in',
  needs: ['create'],
  params: uploadId,
  maxBodyBytes: maxJsonBodyBytes,
  body: z.object({ action: z.enum(blockedActions), path: z.optional(z.string()) }),
  answers: {
    200: { description: 'Finished; where the file is', json: z.object({ path: z.string() }) },
  },
  errors: [
    ...pathErrors,
    'bad_request',
    'invalid_name',
    'is_folder',
    'not_a_folder',
    'already_exists',
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
  summary: 'Give up one’s own upload, blocked or not; what has arrived of it is removed',
  caller: 'signed_in',
  params: uploadId,
  answers: { 204: { description: 'Removed' } },
  errors: ['not_signed_in', 'not_found'],
});
