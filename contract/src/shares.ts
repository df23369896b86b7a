import * as z from 'zod/mini';
import { ArchiveRequest, ArchiveTicket } from './archives.ts';
import { endpoint } from './endpoint.ts';
import { Resource } from './files.ts';
import { maxJsonBodyBytes, maxPublicArchiveBodyBytes, maxPublicArchivePaths } from './values/limits.ts';
import { previewErrors, previewSizes } from './previews.ts';

export const shareUnits = ['seconds', 'minutes', 'hours', 'days'] as const;
export type ShareUnit = (typeof shareUnits)[number];

/** A public link. Its secrets never leave the server. */
export const Share = z.object({
  hash: z.string(),
  /** As its owner sees it; a folder's ends with a slash. */
  path: z.string(),
  userID: z.int(),
  /** When the link ends, in Unix seconds (UTC); 0 means never. Source: docs/reference/behaviour.md §3. */
  expire: z.int(),
  hasPassword: z.boolean(),
  /** When the link was made, in Unix seconds (UTC). */
  created: z.int(),
  /** The owner's name, for administrators. */
  username: z.optional(z.string()),
});
export type Share = z.output<typeof Share>;

/**
 * An empty or zero `expires` makes a permanent link; it counts in `unit`, hours when there is none. Blanks around the
 * password are dropped; blanks only are no password. `null` counts as left out. Nothing else may be in it, so that a
 * misspelt password does not make an open link.
 */
export const ShareRequest = z.strictObject({
  password: z.nullish(z.string().check(z.maxLength(1024))),
  expires: z.nullish(z.union([z.string().check(z.maxLength(16)), z.number()])),
  unit: z.nullish(z.string().check(z.maxLength(16))),
});

export const listShares = endpoint({
  id: 'listShares',
  feature: 'shares',
  method: 'GET',
  path: '/api/shares',
  summary: 'One’s own links; all links for an administrator',
  caller: 'signed_in',
  needs: ['share'],
  answers: {
    200: { description: 'The links by owner, permanent ones first, then by their end', json: z.array(Share) },
  },
  errors: ['not_signed_in', 'forbidden'],
});

export const listSharesOfPath = endpoint({
  id: 'listSharesOfPath',
  feature: 'shares',
  method: 'GET',
  path: '/api/share/*',
  summary: 'The links of one file or folder',
  description:
    'A trailing slash makes no difference. Administrators see everybody’s links to the same file or folder.',
  caller: 'signed_in',
  needs: ['share'],
  answers: { 200: { description: 'The links', json: z.array(Share) } },
  errors: ['invalid_path', 'not_signed_in', 'forbidden'],
});

export const createShare = endpoint({
  id: 'createShare',
  feature: 'shares',
  method: 'POST',
  path: '/api/share/*',
  summary: 'Create a link to a file or folder',
  description:
    'All of the body may be left out. `expires` and `unit` may also stand in the query; the body goes first.',
  caller: 'signed_in',
  needs: ['share', 'download'],
  query: z.object({ expires: z.optional(z.string()), unit: z.optional(z.string()) }),
  body: z.optional(ShareRequest),
  maxBodyBytes: maxJsonBodyBytes,
  answers: { 200: { description: 'The new link', json: Share } },
  errors: [
    'bad_request',
    'invalid_path',
    'not_signed_in',
    'forbidden',
    'external_link',
    'special_file',
    'not_found',
    'not_a_folder',
    'too_many_shares',
  ],
});

export const deleteShare = endpoint({
  id: 'deleteShare',
  feature: 'shares',
  method: 'DELETE',
  path: '/api/share/{hash}',
  summary: 'End a link',
  description: 'One’s own; administrators may end any.',
  caller: 'signed_in',
  needs: ['share'],
  params: z.object({ hash: z.string().check(z.minLength(1, 'names no link')) }),
  answers: { 200: { description: 'Ended', text: true } },
  errors: ['bad_request', 'not_signed_in', 'forbidden', 'not_found'],
});

const publicParams = { hash: z.string() };
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
  'A protected link asks for its password in `X-SHARE-PASSWORD`, percent-encoded, or for the `token` of an earlier answer. Signing in opens no protected link.';

export const getPublicShare = endpoint({
  id: 'getPublicShare',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/share/{hash}/*',
  summary: 'What a link shows',
  description: `${passwordNote} The answer to the right password carries a new \`token\`, which opens this link alone for some hours; \`expire\` is there when the link ends. With \`Accept: application/x-ndjson\` a folder is streamed as rows.`,
  caller: 'anyone',
  params: z.object(publicParams),
  query: z.object(publicQuery),
  headers: publicHeaders,
  answers: { 200: { description: 'The shared folder or file', json: Resource, ndjson: true } },
  errors: publicErrors,
});

export const getPublicDownload = endpoint({
  id: 'getPublicDownload',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/dl/{hash}/*',
  summary: 'The bytes behind a link',
  description: `${passwordNote} Folders and \`files\` come as an archive. After the link of a single file any name may follow.`,
  caller: 'anyone',
  params: z.object(publicParams),
  query: z.object({
    ...publicQuery,
    inline: z.optional(z.string()),
    files: z.optional(z.string()),
    algo: z.optional(z.string()),
  }),
  headers: publicHeaders,
  answers: {
    200: { description: 'The bytes', bytes: true },
    206: { description: 'A part of them', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [
    ...publicErrors,
    'precondition_failed',
    'range_not_satisfiable',
    'unsupported_archive_format',
    'archive_format_unavailable',
    'too_busy',
  ],
});

export const createPublicArchive = endpoint({
  id: 'createPublicArchive',
  feature: 'shares',
  method: 'POST',
  path: '/api/public/archives/{hash}',
  summary: 'Ask for an archive of a selection of any length behind a link',
  description: `${passwordNote} The \`paths\` begin at what is shared. The answer names a ticket for one \`GET /api/public/archives/{hash}/{ticket}\`.`,
  caller: 'anyone',
  params: z.object(publicParams),
  query: z.object(publicQuery),
  headers: publicHeaders,
  body: z.object({
    ...ArchiveRequest.shape,
    paths: z.array(z.string()).check(z.minLength(1), z.maxLength(maxPublicArchivePaths)),
  }),
  maxBodyBytes: maxPublicArchiveBodyBytes,
  answers: { 200: { description: 'The ticket', json: ArchiveTicket } },
  errors: [...publicErrors, 'unsupported_archive_format', 'payload_too_large'],
});

export const getPublicArchive = endpoint({
  id: 'getPublicArchive',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/archives/{hash}/{ticket}',
  summary: 'The archive behind a link that a ticket stands for, streamed',
  description: passwordNote,
  caller: 'anyone',
  params: z.object({ ...publicParams, ticket: z.string().check(z.maxLength(64)) }),
  query: z.object(publicQuery),
  headers: publicHeaders,
  answers: { 200: { description: 'The archive', bytes: true } },
  errors: [...publicErrors, 'archive_format_unavailable', 'too_busy'],
});

export const getPublicSubtitle = endpoint({
  id: 'getPublicSubtitle',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/subtitle/{hash}/*',
  summary: 'A subtitle file (vtt, srt, ass, ssa) of a shared folder as WebVTT',
  description: passwordNote,
  caller: 'anyone',
  params: z.object(publicParams),
  query: z.object(publicQuery),
  headers: publicHeaders,
  answers: { 200: { description: 'The subtitles as `text/vtt` in UTF-8', bytes: true } },
  errors: publicErrors,
});

export const getPublicPreview = endpoint({
  id: 'getPublicPreview',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/preview/{size}/{hash}/*',
  summary: 'A small picture of a file behind a link',
  description: passwordNote,
  caller: 'anyone',
  params: z.object({ size: z.enum(previewSizes), ...publicParams }),
  query: z.object({ ...publicQuery, inline: z.optional(z.string()), key: z.optional(z.string()) }),
  headers: publicHeaders,
  answers: {
    200: { description: 'The picture', bytes: true },
    206: { description: 'A part of it', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...publicErrors, ...previewErrors],
});
