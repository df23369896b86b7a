import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { maxFolderUploadFiles, maxJsonBodyBytes } from '../values/limits.ts';

/** An unfinished folder upload of the user. Sizes are in bytes, times in Unix milliseconds. */
export const FolderUpload = z.object({
  id: z.string(),
  /** The destination of the folder. */
  path: z.string(),
  /** The name of the folder on the user's machine. */
  name: z.string(),
  /** The number of files to upload, and the sum of their sizes. */
  files: z.number(),
  bytes: z.number(),
  arrivedFiles: z.number(),
  arrivedBytes: z.number(),
  began: z.number(),
  /** The time at which the last file was begun or stored. */
  lastUsed: z.number(),
  /** The time at which the folder upload expires unless it is continued. */
  expires: z.number(),
  /** Less than a day remains. */
  expiresSoon: z.boolean(),
});
export type FolderUpload = z.output<typeof FolderUpload>;

/** A file of a folder upload that has been stored. */
export const ArrivedFile = z.object({
  /** Its path in the folder on the user's machine. */
  file: z.string(),
  size: z.number(),
  /** The modification time on the user's machine. */
  modified: z.number(),
});
export type ArrivedFile = z.output<typeof ArrivedFile>;

const folderUploadId = z.object({ id: z.string().check(z.maxLength(64)) });

export const createFolderUpload = endpoint({
  id: 'createFolderUpload',
  feature: 'uploads',
  method: 'POST',
  path: '/api/upload-folders',
  summary: 'Announce the upload of a folder, so that it can be completed later',
  description:
    'The server records which files of the folder have been stored, if they are uploaded with its id. The record ends with the last of the `files`, when it is discarded, or when nothing has been uploaded for the time of `--uploadExpiration`.',
  access: 'signed_in',
  needs: ['create'],
  maxBodyBytes: maxJsonBodyBytes,
  body: z.object({
    /** The destination of the folder. */
    path: z.string().check(z.minLength(1), z.maxLength(8192)),
    /** The name of the folder on the user's machine. */
    name: z.string().check(z.minLength(1), z.maxLength(1024)),
    files: z.int().check(z.minimum(1), z.maximum(maxFolderUploadFiles)),
    /** The sum of their sizes. */
    bytes: z.int().check(z.nonnegative()),
  }),
  responses: { 200: { description: 'The folder upload', json: FolderUpload } },
  errors: ['bad_request', 'invalid_path', 'not_signed_in', 'forbidden', 'too_many_requests'],
});

export const listFolderUploads = endpoint({
  id: 'listFolderUploads',
  feature: 'uploads',
  method: 'GET',
  path: '/api/upload-folders',
  summary: 'List the caller’s own unfinished folder uploads, oldest first',
  access: 'signed_in',
  responses: { 200: { description: 'The folder uploads', json: z.array(FolderUpload) } },
  errors: ['not_signed_in'],
});

export const listArrivedFiles = endpoint({
  id: 'listArrivedFiles',
  feature: 'uploads',
  method: 'GET',
  path: '/api/upload-folders/{id}/files',
  summary: 'List the files of a folder upload that have been stored, in the order of their paths',
  description: 'At most 5,000 files, those after the path `after`.',
  access: 'signed_in',
  params: folderUploadId,
  query: z.object({ after: z.optional(z.string().check(z.maxLength(8192))) }),
  responses: { 200: { description: 'The next files', json: z.array(ArrivedFile) } },
  errors: ['bad_request', 'not_signed_in', 'not_found'],
});

export const discardFolderUpload = endpoint({
  id: 'discardFolderUpload',
  feature: 'uploads',
  method: 'DELETE',
  path: '/api/upload-folders/{id}',
  summary: 'Discard a folder upload and its unfinished files; stored files stay',
  access: 'signed_in',
  params: folderUploadId,
  responses: { 204: { description: 'Discarded' } },
  errors: ['not_signed_in', 'not_found'],
});
