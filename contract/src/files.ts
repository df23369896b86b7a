import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Sorting } from './users.ts';

/** What an entry is, for icons and for choosing the screen that opens it; empty for folders. */
export const entryTypes = [
  '',
  'text',
  'textImmutable',
  'image',
  'audio',
  'video',
  'pdf',
  'blob',
  'invalid_link',
] as const;
export const EntryType = z.enum(entryTypes);
export type EntryType = z.output<typeof EntryType>;

export const checksumAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const;

const entryFields = {
  /** For a requested entry the path as it was asked for, including a trailing slash; for items without one. */
  path: z.string(),
  /** Bytes that are not UTF-8 are escaped, in paths too: see `raw-names.ts`. */
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** From the last dot, with the dot. */
  extension: z.string(),
  /** RFC 3339, in the server's zone. */
  modified: z.string(),
  /** Permission bits with the type bits of the docs/reference/filebrowser-api.md §1.5: folder 2^31, link 2^27. */
  mode: z.number(),
  isDir: z.boolean(),
  isSymlink: z.boolean(),
  type: EntryType,
  /** Virtual paths of subtitle files beside a video. */
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
  /** How `content` is encoded in the file, in lower case, when that is not UTF-8; then the text cannot be saved. */
  encoding: z.optional(z.string()),
  checksums: z.optional(z.record(z.string(), z.string())),
  token: z.optional(z.string()),
  /** When the public link ends through which this is seen, in Unix seconds (UTC); left out where it never does. */
  expire: z.optional(z.int()),
});
export type Resource = z.output<typeof Resource>;

/**
 * The first line of a listing streamed as NDJSON. The rows follow in natural name order, folders first: the first
 * `numDirs` rows are folders. Each row is an {@link ListingRow}. Entries that vanish meanwhile are left out, so fewer
 * rows than announced may come.
 */
export interface ListingHeader {
  /** As in the JSON form. */
  path: string;
  name: string;
  modified: string;
  numDirs: number;
  numFiles: number;
  sorting: z.output<typeof Sorting>;
  /** The entry types; a row names its own by index. */
  types: readonly EntryType[];
  /** As in the JSON form. */
  token?: string;
  expire?: number;
}

/** `[name, size in bytes, modification time in Unix milliseconds, index into the header's types, 1 for a link]`. */
export type ListingRow = [name: string, size: number, modifiedMs: number, type: number, isSymlink?: 1];

/** The last line of a stream that ended well. A stream without it was cut short. */
export interface ListingEnd {
  end: true;
  numDirs: number;
  numFiles: number;
}

const flag = z.optional(z.string());
const pathErrors = [
  'invalid_path',
  'not_signed_in',
  'forbidden',
  'external_link',
  'not_found',
  'storage_unavailable',
] as const;

export const getResource = endpoint({
  id: 'getResource',
  feature: 'files',
  method: 'GET',
  path: '/api/resources/*',
  summary: 'A folder with its items, or a file with its details',
  description:
    'With `Accept: application/x-ndjson` a folder is streamed: a header line, one array per entry in natural name order with folders first, and an end line. With `X-Encoding: true` a text file is answered with its bytes as `application/octet-stream`, which needs the permission to download. Below `/recursive`, while there is nothing of that name, everything below the rest of the path is told as by `/api/recursive`.',
  caller: 'signed_in',
  headers: z.object({ 'x-encoding': z.optional(z.string()) }),
  query: z.object({ checksum: z.optional(z.string()) }),
  answers: {
    200: {
      description: 'The folder or file; `ETag` names the version of a file',
      json: Resource,
      ndjson: true,
    },
  },
  errors: [
    ...pathErrors,
    'bad_request',
    'not_a_folder',
    'unsupported_checksum',
    'special_file',
    'too_many_requests',
  ],
});

/** One of all entries below a folder. */
export const BelowEntry = z.object({
  /** The whole virtual path. */
  path: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** RFC 3339, in the server's zone. */
  modified: z.string(),
  isDir: z.boolean(),
});
export type BelowEntry = z.output<typeof BelowEntry>;

export const listBelow = endpoint({
  id: 'listBelow',
  feature: 'files',
  method: 'GET',
  path: '/api/recursive/*',
  summary: 'Everything below a folder, as one flat list',
  description:
    'Folders come before what they hold; links are not followed. With `Accept: application/x-ndjson` one object per line.',
  caller: 'signed_in',
  answers: { 200: { description: 'The entries', json: z.array(BelowEntry), ndjson: true } },
  errors: [...pathErrors, 'not_a_folder', 'too_many_requests'],
});

export const getSubtitle = endpoint({
  id: 'getSubtitle',
  feature: 'files',
  method: 'GET',
  path: '/api/subtitle/*',
  summary: 'A subtitle file (vtt, srt, ass, ssa) as WebVTT',
  caller: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  query: z.object({ auth: z.optional(z.string()) }),
  answers: { 200: { description: 'The subtitles as `text/vtt` in UTF-8', bytes: true } },
  errors: [...pathErrors, 'bad_request', 'not_a_folder', 'special_file'],
});

export const createResource = endpoint({
  id: 'createResource',
  feature: 'files',
  method: 'POST',
  path: '/api/resources/*',
  summary: 'Upload a file from the raw body, or create a folder when the path ends with a slash',
  description:
    'The file appears under its name only when it has arrived whole. Missing parent folders are created.',
  caller: 'signed_in',
  needs: ['create'],
  query: z.object({ override: flag }),
  body: 'bytes',
  answers: { 200: { description: 'Created; `ETag` names the new version of a file', text: true } },
  errors: [
    ...pathErrors,
    'invalid_name',
    'already_exists',
    'is_folder',
    'not_a_folder',
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
  description: 'With `If-Match` the file is saved only while it still has that version; otherwise 412.',
  caller: 'signed_in',
  needs: ['modify'],
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  body: 'bytes',
  answers: { 200: { description: 'Saved; `ETag` names the new version', text: true } },
  errors: [
    ...pathErrors,
    'is_folder',
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
  summary: 'Copy, move or rename',
  description:
    '`destination` is percent-decoded once more after the query is decoded, `+` meaning a space, as existing clients expect. A folder that contains a mount point can be renamed within its file system, but not moved to another one or merged (`holds_mount`). To another file system things are copied, and only what was copied is removed; what changed meanwhile stays at the source (`changed_while_moving`).',
  caller: 'signed_in',
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
  answers: {
    200: {
      description: 'Done; `X-Final-Path` names the destination that was used, percent-encoded',
      text: true,
    },
  },
  errors: [
    ...pathErrors,
    'bad_request',
    'invalid_name',
    'moves_into_itself',
    'root_is_protected',
    'already_exists',
    'not_a_folder',
    'holds_mount',
    'changed_while_moving',
    'storage_full',
  ],
});

export const deleteResource = endpoint({
  id: 'deleteResource',
  feature: 'files',
  method: 'DELETE',
  path: '/api/resources/*',
  summary: 'Delete a file, or a folder with all it holds',
  description:
    'A folder in which another disk is mounted is refused with `holds_mount` before anything is removed.',
  caller: 'signed_in',
  needs: ['delete'],
  answers: { 200: { description: 'Deleted', text: true } },
  errors: [...pathErrors, 'not_a_folder', 'root_is_protected', 'holds_mount'],
});

export const getRaw = endpoint({
  id: 'getRaw',
  feature: 'files',
  method: 'GET',
  path: '/api/raw/*',
  summary:
    'The bytes of a file, with ranges and conditional requests, or an archive of a folder or of several files',
  description:
    '`files` names entries below the path, separated by commas, each percent-encoded once more; `algo` is the format: zip (the default), tar, targz, tarbz2, tarxz, tarlz4, tarsz, tarzst or tarbr.',
  caller: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  query: z.object({
    inline: flag,
    auth: z.optional(z.string()),
    files: z.optional(z.string()),
    algo: z.optional(z.string()),
  }),
  answers: {
    200: { description: 'The whole file, or the archive', bytes: true },
    206: { description: 'The part that `Range` asked for', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [
    ...pathErrors,
    'not_a_folder',
    'precondition_failed',
    'range_not_satisfiable',
    'special_file',
    'unsupported_archive_format',
    'archive_format_unavailable',
    'too_busy',
  ],
});

export const Usage = z.object({ total: z.number(), used: z.number() });
export type Usage = z.output<typeof Usage>;

export const getUsage = endpoint({
  id: 'getUsage',
  feature: 'files',
  method: 'GET',
  path: '/api/usage/*',
  summary: 'Used and total bytes of the file system that contains the path',
  description:
    'What the file system reserves for root counts as used: `total - used` is what can still be written.',
  caller: 'signed_in',
  answers: { 200: { description: 'Usage', json: Usage } },
  errors: pathErrors,
});
