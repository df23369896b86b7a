import * as z from 'zod/mini';
import { ArchiveRequest, ArchiveTicket } from './archives.ts';
import { endpoint } from './endpoint.ts';
import { EntryType, Resource } from './files.ts';
import {
  expiredShareDays,
  maxJsonBodyBytes,
  maxMediaNames,
  maxPublicArchiveBodyBytes,
  maxPublicArchivePaths,
} from './values/limits.ts';
import { MediaNames, mediaBodyLimits, previewErrors, previewSizes } from './previews.ts';
import { pictureQuery, rawQuery } from './values/download-queries.ts';
import { downloadErrors, pathErrors } from './values/error-groups.ts';

export const shareUnits = ['seconds', 'minutes', 'hours', 'days'] as const;
export type ShareUnit = (typeof shareUnits)[number];

/** A share: a public address for a file or folder. Its secrets never leave the server. */
export const Share = z.object({
  hash: z.string(),
  /** The path within the owner's scope; that of a folder ends with a slash. */
  path: z.string(),
  userID: z.int(),
  /** The expiry, in Unix seconds (UTC); 0 means never. Source: docs/reference/behaviour.md §3. */
  expire: z.int(),
  hasPassword: z.boolean(),
  /** The time of its creation, in Unix seconds (UTC). */
  created: z.int(),
  /** The number of visits. Requests of one address within half an hour are one visit. */
  visits: z.int(),
  /** The owner's username; for administrators only. */
  username: z.optional(z.string()),
  /** With `entries`: the size of a shared file in bytes. */
  size: z.optional(z.number()),
  /** With `entries`: the modification time of the shared entry; RFC 3339, in the server's time zone. */
  modified: z.optional(z.string()),
  /** With `entries`: the type of the shared entry, as in listings. */
  type: z.optional(EntryType),
  /** With `entries`: present if the shared entry is missing, or another kind of entry has its name. */
  gone: z.optional(z.literal(true)),
});
export type Share = z.output<typeof Share>;

/**
 * The options of a new share. An empty or zero `expires` makes it permanent; it is a number of `unit`, which defaults
 * to hours. The password is trimmed; a blank password means none. `null` is treated as absent. Unknown properties are
 * refused, so that a misspelt `password` does not create an unprotected share.
 */
export const ShareRequest = z.strictObject({
  password: z.nullish(z.string().check(z.maxLength(1024))),
  expires: z.nullish(z.union([z.string().check(z.maxLength(16)), z.number()])),
  unit: z.nullish(z.string().check(z.maxLength(16))),
});

/**
 * The changed options of a share; absent and `null` ones keep their values. A blank password removes the password. The
 * duration begins with the change; an empty or zero `expires` makes the share permanent.
 */
export type ShareUpdate = z.output<typeof ShareRequest>;

/** Endpoints that also exist in File Browser 2.23 treat an expired share as missing, as it does, unless this parameter is `true`. */
const expiredQuery = {
  /** `true` includes shares that have expired within the last {@link expiredShareDays}. */
  expired: z.optional(z.string()),
};

export const listShares = endpoint({
  id: 'listShares',
  feature: 'shares',
  method: 'GET',
  path: '/api/shares',
  summary: 'List the caller’s own shares; for administrators all shares',
  description: `With \`expired=true\` the list includes shares that have expired within the last ${expiredShareDays} days; after that they are removed. With \`entries=true\` the caller’s own shares have the \`size\`, \`modified\` and \`type\` of the shared entry, or \`gone\` if it is missing; none of these if the caller may not list it at the moment.`,
  access: 'signed_in',
  needs: ['share'],
  query: z.object({
    /** `true` restricts the list to the caller’s own shares, also for administrators. */
    own: z.optional(z.string()),
    /** `true` adds the shared entries to the caller’s own shares. */
    entries: z.optional(z.string()),
    ...expiredQuery,
  }),
  responses: {
    200: { description: 'The shares by owner, permanent ones first, then by expiry', json: z.array(Share) },
  },
  errors: ['not_signed_in', 'forbidden'],
});

export const listSharesOfPath = endpoint({
  id: 'listSharesOfPath',
  feature: 'shares',
  method: 'GET',
  path: '/api/share/*',
  summary: 'List the shares of one file or folder',
  description:
    'A trailing slash makes no difference. Administrators see all users’ shares of the same file or folder.',
  access: 'signed_in',
  needs: ['share'],
  responses: { 200: { description: 'The shares', json: z.array(Share) } },
  errors: ['invalid_path', 'not_signed_in', 'forbidden'],
});

export const createShare = endpoint({
  id: 'createShare',
  feature: 'shares',
  method: 'POST',
  path: '/api/share/*',
  summary: 'Create a share of a file or folder',
  description:
    'The body is optional. `expires` and `unit` may also be query parameters; the body takes precedence.',
  access: 'signed_in',
  needs: ['share', 'download'],
  query: z.object({ expires: z.optional(z.string()), unit: z.optional(z.string()) }),
  body: z.optional(ShareRequest),
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'The new share', json: Share } },
  errors: [...pathErrors, 'bad_request', 'special_file', 'not_a_folder', 'too_many_shares'],
});

export const updateShare = endpoint({
  id: 'updateShare',
  feature: 'shares',
  method: 'PATCH',
  path: '/api/share/{hash}',
  summary: 'Change the expiry or the password of a share',
  description:
    'Users may change their own shares, administrators any. Absent properties keep their values. Changing the password invalidates the tokens of visitors. A later expiry opens an expired share again. The header `X-Operation` names the operation, which can be undone.',
  access: 'signed_in',
  needs: ['share'],
  params: z.object({ hash: z.string().check(z.minLength(1, 'is empty')) }),
  body: ShareRequest,
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'The changed share', json: Share } },
  errors: ['bad_request', 'not_signed_in', 'forbidden', 'not_found'],
});

export const deleteShare = endpoint({
  id: 'deleteShare',
  feature: 'shares',
  method: 'DELETE',
  path: '/api/share/{hash}',
  summary: 'Delete a share',
  description:
    'Users may delete their own shares, administrators any; an expired share only with `expired=true`. The header `X-Operation` names the operation: undoing it restores the share under its address.',
  access: 'signed_in',
  needs: ['share'],
  params: z.object({ hash: z.string().check(z.minLength(1, 'is empty')) }),
  query: z.object(expiredQuery),
  responses: { 200: { description: 'Deleted', text: true } },
  errors: ['bad_request', 'not_signed_in', 'forbidden', 'not_found'],
});

const publicParams = { hash: z.string() };
/** Versions of files are for users only. */
const noVersionNote = 'With `version` the status is 404: visitors get no versions of files.';

const publicQuery = { token: z.optional(z.string()) };
const publicHeaders = z.object({ 'x-share-password': z.optional(z.string()) });
const publicErrors = [
  'bad_request',
  'invalid_path',
  'password_required',
  'forbidden',
  'external_link',
  'special_file',
  'not_found',
  'not_a_folder',
  'too_many_requests',
] as const;
const passwordNote =
  'A protected share requires its password in `X-SHARE-PASSWORD`, percent-encoded, or the `token` of an earlier response. A session does not grant access to a protected share.';

export const getPublicShare = endpoint({
  id: 'getPublicShare',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/share/{hash}/*',
  summary: 'Get the shared folder or file',
  description: `${passwordNote} The response to the correct password contains a new \`token\`, which grants access to this share only, for some hours; \`expire\` is present if the share expires. With \`Accept: application/x-ndjson\` a folder is streamed as rows.`,
  access: 'anyone',
  params: z.object(publicParams),
  query: z.object(publicQuery),
  headers: publicHeaders,
  responses: { 200: { description: 'The shared folder or file', json: Resource, ndjson: true } },
  errors: publicErrors,
});

export const getPublicDownload = endpoint({
  id: 'getPublicDownload',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/dl/{hash}/*',
  summary: 'Download a shared file, or an archive of a shared folder',
  description: `${passwordNote} Folders and selections (\`files\`) are sent as an archive. The path of a share of a single file may be followed by any name. ${noVersionNote}`,
  access: 'anyone',
  params: z.object(publicParams),
  query: z.object({ ...publicQuery, ...rawQuery, version: z.optional(z.string()) }),
  headers: publicHeaders,
  responses: {
    200: { description: 'The file or the archive', bytes: true },
    206: { description: 'The requested range', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...publicErrors, ...downloadErrors],
});

export const createPublicArchive = endpoint({
  id: 'createPublicArchive',
  feature: 'shares',
  method: 'POST',
  path: '/api/public/archives/{hash}',
  summary: 'Request an archive of a selection of any length from a share',
  description: `${passwordNote} The \`paths\` are relative to the shared folder. Returns a ticket for one \`GET /api/public/archives/{hash}/{ticket}\`.`,
  access: 'anyone',
  params: z.object(publicParams),
  query: z.object(publicQuery),
  headers: publicHeaders,
  body: z.object({
    ...ArchiveRequest.shape,
    paths: z.array(z.string()).check(z.minLength(1), z.maxLength(maxPublicArchivePaths)),
  }),
  maxBodyBytes: maxPublicArchiveBodyBytes,
  responses: { 200: { description: 'The ticket', json: ArchiveTicket } },
  errors: [...publicErrors, 'unsupported_archive_format', 'payload_too_large'],
});

export const getPublicArchive = endpoint({
  id: 'getPublicArchive',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/archives/{hash}/{ticket}',
  summary: 'Stream the archive of a ticket for a share',
  description: passwordNote,
  access: 'anyone',
  params: z.object({ ...publicParams, ticket: z.string().check(z.maxLength(64)) }),
  query: z.object(publicQuery),
  headers: publicHeaders,
  responses: { 200: { description: 'The archive', bytes: true } },
  errors: [...publicErrors, 'archive_format_unavailable', 'too_busy'],
});

export const getPublicSubtitle = endpoint({
  id: 'getPublicSubtitle',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/subtitle/{hash}/*',
  summary: 'Get a subtitle file (vtt, srt, ass, ssa) of a shared folder as WebVTT',
  description: passwordNote,
  access: 'anyone',
  params: z.object(publicParams),
  query: z.object(publicQuery),
  headers: publicHeaders,
  responses: { 200: { description: 'The subtitles as `text/vtt` in UTF-8', bytes: true } },
  errors: publicErrors,
});

export const getPublicPreview = endpoint({
  id: 'getPublicPreview',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/preview/{size}/{hash}/*',
  summary: 'Get a thumbnail or a preview image of a shared file',
  description: `${passwordNote} ${noVersionNote}`,
  access: 'anyone',
  params: z.object({ size: z.enum(previewSizes), ...publicParams }),
  query: z.object({ ...publicQuery, ...pictureQuery, version: z.optional(z.string()) }),
  headers: publicHeaders,
  responses: {
    200: { description: 'The image', bytes: true },
    206: { description: 'The requested range of the image', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...publicErrors, ...previewErrors],
});

/** The dimensions of a picture or video in pixels, as shown. Visitors get no other property of the header. */
export const PictureSize = z.object({ width: z.int(), height: z.int() });
export type PictureSize = z.output<typeof PictureSize>;

export const listPublicMedia = endpoint({
  id: 'listPublicMedia',
  feature: 'shares',
  method: 'POST',
  path: '/api/public/media/{hash}/*',
  summary: 'Get the dimensions of pictures and videos below a shared folder',
  description: `${passwordNote} The rows are in the order of the names (at most ${maxMediaNames}); a row is null for a file whose dimensions are unknown or that is not shared. The response may have fewer rows than names when reading takes long; request the others again.`,
  access: 'anyone',
  params: z.object(publicParams),
  query: z.object(publicQuery),
  headers: publicHeaders,
  body: MediaNames,
  ...mediaBodyLimits,
  responses: {
    200: { description: 'The rows', json: z.object({ rows: z.array(z.nullable(PictureSize)) }) },
  },
  errors: [...publicErrors, 'storage_unavailable', 'busy', 'payload_too_large'],
});
