import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Resource } from './files.ts';
import { previewErrors, previewSizes } from './previews.ts';
import { pictureQuery, rawQuery, tokenQuery } from './values/download-queries.ts';
import { absolutePath } from './values/json-fields.ts';
import { maxArchiveBodyBytes, maxArchiveBodyElements, maxArchivePaths } from './values/limits.ts';
import { pathErrors } from './values/error-groups.ts';

/** A request to download a selection as one file. */
export const ArchiveRequest = z.object({
  /** Virtual paths in plain text, not percent-encoded. */
  paths: z.array(z.string()).check(z.minLength(1), z.maxLength(maxArchivePaths)),
  /** A name that `archiveFormatNamed` accepts. Default: zip. */
  format: z.optional(z.string().check(z.maxLength(16))),
  /** The name of the download without extension. Default: derived from the paths. */
  name: z.optional(z.string().check(z.maxLength(255))),
});
export type ArchiveRequest = z.output<typeof ArchiveRequest>;

export const ArchiveTicket = z.object({
  /** The part of the download address that is valid for one download. */
  ticket: z.string(),
  /** The name of the download, with its extension. */
  name: z.string(),
  /** Seconds within which the download has to start. */
  validForSeconds: z.int(),
});
export type ArchiveTicket = z.output<typeof ArchiveTicket>;

const archiveErrors = [
  'not_signed_in',
  'forbidden',
  'not_found',
  'archive_format_unavailable',
  'too_busy',
] as const;

export const createArchive = endpoint({
  id: 'createArchive',
  feature: 'archives',
  method: 'POST',
  path: '/api/archives',
  summary: 'Request an archive of a selection of any length',
  description:
    'Returns a ticket for one `GET /api/archives/{ticket}` in the same session, which a browser can follow as a download.',
  access: 'signed_in',
  needs: ['download'],
  body: ArchiveRequest,
  maxBodyBytes: maxArchiveBodyBytes,
  maxBodyElements: maxArchiveBodyElements,
  responses: { 200: { description: 'The ticket', json: ArchiveTicket } },
  errors: [
    ...archiveErrors,
    'bad_request',
    'invalid_path',
    'unsupported_archive_format',
    'external_link',
    'special_file',
    'payload_too_large',
    'too_many_requests',
  ],
});

export const getArchive = endpoint({
  id: 'getArchive',
  feature: 'archives',
  method: 'GET',
  path: '/api/archives/{ticket}',
  summary: 'Stream the archive of a ticket',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params: z.object({ ticket: z.string().check(z.maxLength(64)) }),
  query: z.object(tokenQuery),
  responses: { 200: { description: 'The archive', bytes: true } },
  errors: [...archiveErrors, 'external_link', 'special_file'],
});

/** The path of the archive in the user's files. */
const archive = absolutePath;

const contentErrors = [
  ...pathErrors,
  'bad_request',
  'is_folder',
  'not_a_folder',
  'special_file',
  'unsupported_archive_format',
  'archive_format_unavailable',
  'archive_damaged',
  'archive_encrypted',
  'archive_too_large',
  'too_busy',
] as const;

export const listArchiveFolder = endpoint({
  id: 'listArchiveFolder',
  feature: 'archives',
  method: 'GET',
  path: '/api/archive/list/*',
  summary: 'Get a folder inside an archive with its entries, or the metadata of a file',
  description:
    'The response is that of `/api/resources` as JSON; paths are relative to the archive. Reads zip, 7z, and tar without compression or with gzip, bzip2, xz, lz4, snappy, zstd or brotli. Links, special files and names that would lead out of a folder are left out. An archive has at most 200,000 entries.',
  access: 'signed_in',
  needs: ['download'],
  query: z.object({ archive }),
  responses: { 200: { description: 'The folder or file', json: Resource } },
  errors: contentErrors,
});

export const getArchiveRaw = endpoint({
  id: 'getArchiveRaw',
  feature: 'archives',
  method: 'GET',
  path: '/api/archive/raw/*',
  summary: 'Download a file inside an archive',
  description: 'As `/api/raw`. A folder is sent as an archive.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  query: z.object({ archive, ...rawQuery, ...tokenQuery }),
  responses: {
    200: { description: 'The whole file, or the archive of a folder', bytes: true },
    206: { description: 'The requested range of the file', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...contentErrors, 'precondition_failed', 'range_not_satisfiable'],
});

export const getArchivePreview = endpoint({
  id: 'getArchivePreview',
  feature: 'archives',
  method: 'GET',
  path: '/api/archive/preview/{size}/*',
  summary: 'Get a thumbnail or a preview image of a file inside an archive',
  description: 'As `/api/preview`.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params: z.object({ size: z.enum(previewSizes) }),
  query: z.object({ archive, ...pictureQuery, ...tokenQuery }),
  responses: {
    200: { description: 'The image', bytes: true },
    206: { description: 'The requested range of the image', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...contentErrors, ...previewErrors],
});
