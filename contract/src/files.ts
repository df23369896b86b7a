import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Sorting } from './users.ts';
import { rawQuery, tokenQuery } from './values/download-queries.ts';
import { entryTypes } from './values/entry-types.ts';
import { downloadErrors, pathErrors } from './values/error-groups.ts';
import { versionId } from './values/random-id.ts';

export { entryTypes } from './values/entry-types.ts';

export const EntryType = z.enum(entryTypes);
export type EntryType = z.output<typeof EntryType>;

export const checksumAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const;

const entryFields = {
  /** For the requested entry the path as requested, including a trailing slash; for its items the path without one. */
  path: z.string(),
  /** Bytes that are not valid UTF-8 are escaped, in paths too: see `raw-names.ts`. */
  name: z.string(),
  /** In bytes. */
  size: z.number(),
  /** The part of the name from the last dot on, including the dot. */
  extension: z.string(),
  /** RFC 3339, in the server's time zone. */
  modified: z.string(),
  /**
   * Permission bits combined with the type bits of docs/reference/filebrowser-api.md §1.5: folder 2^31, symbolic link
   * 2^27.
   */
  mode: z.number(),
  isDir: z.boolean(),
  isSymlink: z.boolean(),
  type: EntryType,
  /** Virtual paths of the subtitle files of a video. */
  subtitles: z.optional(z.array(z.string())),
};
export const Item = z.object(entryFields);
export type Item = z.output<typeof Item>;

export const Resource = z.object({
  items: z.optional(z.array(Item)),
  numDirs: z.optional(z.int()),
  numFiles: z.optional(z.int()),
  sorting: z.optional(Sorting),
  ...entryFields,
  content: z.optional(z.string()),
  /** The encoding of the file in lower case, if it is not UTF-8; the text cannot be saved then. */
  encoding: z.optional(z.string()),
  checksums: z.optional(z.record(z.string(), z.string())),
  token: z.optional(z.string()),
  /** The expiry of the share through which the entry is visible, in Unix seconds (UTC); absent if it never does. */
  expire: z.optional(z.int()),
});
export type Resource = z.output<typeof Resource>;

/**
 * The first line of a listing that is streamed as NDJSON. The rows follow in natural order of names, folders first: the
 * first `numDirs` rows are folders. Each row is a {@link ListingRow}. Entries that are removed meanwhile are skipped,
 * so there may be fewer rows than announced.
 */
export interface ListingHeader {
  /** As in the JSON representation. */
  path: string;
  name: string;
  modified: string;
  numDirs: number;
  numFiles: number;
  sorting: z.output<typeof Sorting>;
  /**
   * The version of the folder from which `GET /api/live` continues: changes after the beginning of this listing. Absent in
   * listings of shares and deleted folders.
   */
  version?: string;
  /** The entry types; a row refers to its type by index. */
  types: readonly EntryType[];
  /** As in the JSON representation. */
  token?: string;
  expire?: number;
}

/** `[name, size in bytes, modification time in Unix milliseconds, index into the header's types, 1 for a link]`. */
export type ListingRow = [name: string, size: number, modifiedMs: number, type: number, isSymlink?: 1];

/** The last line of a complete stream. A stream without it was truncated. */
export interface ListingEnd {
  end: true;
  numDirs: number;
  numFiles: number;
}

const flag = z.optional(z.string());
const resourceErrors = [...pathErrors, 'storage_unavailable'] as const;

export const getResource = endpoint({
  id: 'getResource',
  feature: 'files',
  method: 'GET',
  path: '/api/resources/*',
  summary: 'Get a folder with its items, or the metadata of a file',
  description:
    'With `Accept: application/x-ndjson` a folder is streamed: a header line, one array per entry in natural order of names with folders first, and an end line. With `X-Encoding: true` the response for a text file is its content as `application/octet-stream`; this requires the permission “download”. For a path below `/recursive`, unless an entry of that name exists, the response is that of `/api/recursive` for the rest of the path.',
  access: 'signed_in',
  headers: z.object({ 'x-encoding': z.optional(z.string()) }),
  query: z.object({ checksum: z.optional(z.string()) }),
  responses: {
    200: {
      description: 'The folder or file; `ETag` identifies the version of a file',
      json: Resource,
      ndjson: true,
    },
  },
  errors: [
    ...resourceErrors,
    'bad_request',
    'not_a_folder',
    'unsupported_checksum',
    'special_file',
    'too_many_requests',
  ],
});

/** One entry of a recursive listing. */
export const BelowEntry = z.object({
  /** The full virtual path. */
  path: z.string(),
  name: z.string(),
  /** In bytes. */
  size: z.number(),
  /** RFC 3339, in the server's time zone. */
  modified: z.string(),
  isDir: z.boolean(),
});
export type BelowEntry = z.output<typeof BelowEntry>;

export const listBelow = endpoint({
  id: 'listBelow',
  feature: 'files',
  method: 'GET',
  path: '/api/recursive/*',
  summary: 'List everything below a folder recursively',
  description:
    'A folder precedes its content; symbolic links are not followed. With `Accept: application/x-ndjson` the response has one object per line.',
  access: 'signed_in',
  responses: { 200: { description: 'The entries', json: z.array(BelowEntry), ndjson: true } },
  errors: [...resourceErrors, 'not_a_folder', 'too_many_requests'],
});

export const getSubtitle = endpoint({
  id: 'getSubtitle',
  feature: 'files',
  method: 'GET',
  path: '/api/subtitle/*',
  summary: 'Get a subtitle file (vtt, srt, ass, ssa) as WebVTT',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  query: z.object(tokenQuery),
  responses: { 200: { description: 'The subtitles as `text/vtt` in UTF-8', bytes: true } },
  errors: [...resourceErrors, 'bad_request', 'not_a_folder', 'special_file'],
});

export const createResource = endpoint({
  id: 'createResource',
  feature: 'files',
  method: 'POST',
  path: '/api/resources/*',
  summary: 'Upload a file as the raw body, or create a folder if the path ends with a slash',
  description:
    'The file becomes visible under its name only after it has been received completely. Missing parent folders are created. With `override=true` the former state of an existing file is kept as a version; `cannot_keep` if that is impossible.',
  access: 'signed_in',
  needs: ['create'],
  query: z.object({ override: flag }),
  body: 'bytes',
  responses: {
    200: {
      description: 'Created; `ETag` identifies the new version of a file, `X-Operation` the change',
      text: true,
    },
  },
  errors: [
    ...resourceErrors,
    'invalid_name',
    'already_exists',
    'is_folder',
    'not_a_folder',
    'cannot_keep',
    'payload_too_large',
    'storage_full',
  ],
});

export const saveResource = endpoint({
  id: 'saveResource',
  feature: 'files',
  method: 'PUT',
  path: '/api/resources/*',
  summary: 'Replace the content of an existing file',
  description:
    'With `If-Match` the file is saved only if it still has that version; otherwise the status is 412. The former state is kept as a version.',
  access: 'signed_in',
  needs: ['modify'],
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  body: 'bytes',
  responses: {
    200: { description: 'Saved; `ETag` identifies the new version, `X-Operation` the change', text: true },
  },
  errors: [
    ...resourceErrors,
    'is_folder',
    'cannot_keep',
    'precondition_failed',
    'payload_too_large',
    'storage_full',
    'special_file',
  ],
});

export const moveResource = endpoint({
  id: 'moveResource',
  feature: 'files',
  method: 'PATCH',
  path: '/api/resources/*',
  summary: 'Copy, move or rename an entry',
  description:
    '`destination` is percent-decoded a second time after the query has been decoded, with `+` as a space, as existing clients expect. A folder that contains a mount point can be renamed within its file system, but not moved to another one or merged (`holds_mount`). A move to another file system copies the entries and removes only those that were copied; entries that changed meanwhile remain at the source (`changed_while_moving`). The former states of files that are replaced are kept as versions.',
  access: 'signed_in',
  needsWhen: [
    { query: 'action', equals: 'copy', permission: 'create' },
    { query: 'action', equals: 'rename', permission: 'rename' },
    { query: 'override', equals: 'true', permission: 'modify' },
  ],
  query: z.object({
    action: z.enum(['copy', 'rename']),
    destination: z.string(),
    override: flag,
    rename: flag,
  }),
  responses: {
    200: {
      description:
        'Done; `X-Final-Path` is the resulting destination, percent-encoded, `X-Operation` identifies the change',
      text: true,
    },
  },
  errors: [
    ...resourceErrors,
    'bad_request',
    'invalid_name',
    'moves_into_itself',
    'root_is_protected',
    'already_exists',
    'not_a_folder',
    'holds_mount',
    'cannot_keep',
    'changed_while_moving',
    'storage_full',
  ],
});

export const deleteResource = endpoint({
  id: 'deleteResource',
  feature: 'files',
  method: 'DELETE',
  path: '/api/resources/*',
  summary: 'Delete a file, or a folder with its content',
  description:
    'The entry is moved to the trash, unless the server is started with `--trash off`; `X-Trash-Item` is then its id there. With `permanent=true` it is removed forever after ten seconds, or the time of `--purgeDelay`, in which the operation can be undone; at once if it cannot be kept that long, unless `--purgeDelay` is set. An entry that cannot be moved to the trash is refused with `cannot_keep`, or with `keep_needs_copy` if a job with `copyToTrash` can copy it there. With `permanent=false` it is also refused where the server would remove it at once (`--noTrashBelow`, `--trashFallback delete`, `--trash off`). A folder in which another file system is mounted is refused with `holds_mount` before anything is removed.',
  access: 'signed_in',
  needs: ['delete'],
  needsWhen: [{ query: 'permanent', equals: 'true', permission: 'purge' }],
  query: z.object({
    /** `true` deletes forever instead of moving to the trash; `false` deletes nothing that the trash does not keep. */
    permanent: flag,
  }),
  responses: {
    200: {
      description: 'Deleted; `X-Trash-Item` is the id of the item in the trash, if it was kept',
      text: true,
    },
  },
  errors: [
    ...resourceErrors,
    'not_a_folder',
    'root_is_protected',
    'holds_mount',
    'cannot_keep',
    'keep_needs_copy',
  ],
});

export const getRaw = endpoint({
  id: 'getRaw',
  feature: 'files',
  method: 'GET',
  path: '/api/raw/*',
  summary:
    'Download a file, with ranges and conditional requests, or an archive of a folder or of several entries',
  description:
    '`files` is a comma-separated list of entries below the path, each percent-encoded a second time; `algo` is the archive format: zip (the default), tar, targz, tarbz2, tarxz, tarlz4, tarsz, tarzst or tarbr. With `version`, the id of a version of the file, that version is sent, as by `/api/versions/raw`; the status is 404 if the file has no such version.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  query: z.object({ ...rawQuery, ...tokenQuery, version: z.optional(versionId) }),
  responses: {
    200: { description: 'The whole file, or the archive', bytes: true },
    206: { description: 'The requested range of the file', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...resourceErrors, 'not_a_folder', 'special_file', ...downloadErrors],
});

export const Usage = z.object({
  total: z.number(),
  used: z.number(),
  /** The part of `used` that deleted entries occupy, as far as they are measured. */
  kept: z.number(),
  /** The part of `kept` that the server may remove when the disk is full: without the most recent versions and those to be kept forever. */
  reclaimable: z.number(),
});
export type Usage = z.output<typeof Usage>;

export const getUsage = endpoint({
  id: 'getUsage',
  feature: 'files',
  method: 'GET',
  path: '/api/usage/*',
  summary: 'Get the used and total bytes of the file system that contains the path',
  description:
    'Space that the file system reserves for root counts as used: `total - used` is the number of bytes that can still be written.',
  access: 'signed_in',
  responses: { 200: { description: 'The usage', json: Usage } },
  errors: resourceErrors,
});
