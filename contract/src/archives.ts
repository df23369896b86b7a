import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maxArchiveBodyBytes, maxArchiveBodyElements, maxArchivePaths } from './values/limits.ts';

/** The archive formats, under the names of the API (docs/reference/filebrowser-api.md §1.7, §6.5). */
export const archiveFormats = [
  'zip',
  'tar',
  'targz',
  'tarbz2',
  'tarxz',
  'tarlz4',
  'tarsz',
  'tarzst',
  'tarbr',
] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/** The file name extension and the media type of each archive format (docs/reference/filebrowser-api.md §1.7). */
export const archiveFormatNames: Readonly<Record<ArchiveFormat, { extension: string; mediaType: string }>> = {
  zip: { extension: '.zip', mediaType: 'application/zip' },
  tar: { extension: '.tar', mediaType: 'application/octet-stream' },
  targz: { extension: '.tar.gz', mediaType: 'application/x-gzip' },
  tarbz2: { extension: '.tar.bz2', mediaType: 'application/octet-stream' },
  tarxz: { extension: '.tar.xz', mediaType: 'application/octet-stream' },
  tarlz4: { extension: '.tar.lz4', mediaType: 'application/octet-stream' },
  tarsz: { extension: '.tar.sz', mediaType: 'application/octet-stream' },
  tarzst: { extension: '.tar.zst', mediaType: 'application/octet-stream' },
  tarbr: { extension: '.tar.br', mediaType: 'application/octet-stream' },
};

/** Alternative names of formats, without dots and in lower case. */
const otherNames: Readonly<Record<string, ArchiveFormat>> = {
  '': 'zip',
  true: 'zip',
  tgz: 'targz',
  tbz2: 'tarbz2',
  txz: 'tarxz',
  tzst: 'tarzst',
  tarzstd: 'tarzst',
};

/**
 * Returns the format with the name `name`, where `tar.gz` is the same as `targz`; `undefined` and `true` mean zip. Null
 * for an unknown name.
 */
export function archiveFormatNamed(name: string | undefined): ArchiveFormat | null {
  const folded = (name ?? '').toLowerCase().replaceAll('.', '');
  const match = archiveFormats.find((format) => format === folded);
  return match ?? (Object.hasOwn(otherNames, folded) ? (otherNames[folded] ?? null) : null);
}

/** A request to download a selection as one file. */
export const ArchiveRequest = z.object({
  /** Virtual paths in plain text, not percent-encoded. */
  paths: z.array(z.string()).check(z.minLength(1), z.maxLength(maxArchivePaths)),
  /** A name that {@link archiveFormatNamed} accepts. Default: zip. */
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
  query: z.object({ auth: z.optional(z.string()) }),
  responses: { 200: { description: 'The archive', bytes: true } },
  errors: [...archiveErrors, 'external_link', 'special_file'],
});
