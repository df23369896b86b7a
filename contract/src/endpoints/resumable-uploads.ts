import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { pathErrors } from '../values/error-groups.ts';

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
    'With `Tus-Resumable: 1.0.0` the server follows tus 1.0: `Location` identifies the upload by a random id. Without that header `Location` is the path itself, as existing clients expect. The file becomes visible once its last byte has been received; until then the upload is invisible, and a file that it overwrites is unchanged. If all bytes have been received but the file cannot be put in place (the name was taken meanwhile, a hook refused it, a permission was withdrawn), the response is that error and the upload is kept as blocked: see `GET /api/uploads`. With `Tus-Resumable` the path may be a folder (with a trailing slash, or empty); `Upload-Metadata` must then contain the file name: `filename` or `name`, below the folders of `relativePath`. `Upload-Checksum` is verified. Further metadata are optional: `modifiedMs` is the modification time of the file on the user’s machine (Unix milliseconds); `uploadKey` is a random text of the client, with which it can create the same upload again when it has lost the response: the response is then that of the existing upload with its current offset; `folderUpload` and `folderFile` are the id of a folder upload and the path of the file in it. A body is the first part of the file (creation-with-upload); its bytes are kept as far as they arrive. `Upload-Concat` and `Upload-Defer-Length` are refused.',
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
