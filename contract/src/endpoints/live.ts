import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { ListingRow } from '../files.ts';
import type { Job } from '../jobs.ts';
import { tokenQuery } from '../values/download-queries.ts';
import { maxLiveBodyBytes, maxLiveFolders } from '../values/limits.ts';
import { ErrorCodeText } from '../values/json-fields.ts';

/** A folder that a client shows, and the version of it that the client has. */
const ShownFolder = z.object({
  /** Plain text, not percent-encoded. */
  path: z.string().check(z.minLength(1)),
  /** From a listing, an event or an earlier response; omitted when the client has none. */
  version: z.optional(z.string().check(z.maxLength(100))),
});

export const LiveFolders = z.object({
  folders: z.array(ShownFolder).check(z.maxLength(maxLiveFolders)),
});
export type LiveFolders = z.output<typeof LiveFolders>;

/**
 * The way in which the server notices changes that other programs make in a folder. `events`: the disk reports them at
 * once. `polling`: the disk reports no changes, so the folder is read at intervals and changes appear later.
 */
export const liveSources = ['events', 'polling'] as const;
export type LiveSource = (typeof liveSources)[number];

/** A folder that is followed, or the code of the error that prevents it. */
const FollowedFolder = z.object({
  path: z.string(),
  source: z.optional(z.enum(liveSources)),
  code: z.optional(ErrorCodeText),
});
export type FollowedFolder = z.output<typeof FollowedFolder>;

const Row = z.custom<ListingRow>((value) => Array.isArray(value));

/** The changes of a folder between two versions. Names and rows are those that the user may list. */
const FolderChanges = z.object({
  path: z.string(),
  /** The version of the folder after the changes. */
  version: z.string(),
  /** Entries that were added or changed, as in the rows of a listing. */
  changed: z.optional(z.array(Row)),
  /** Names that no longer exist. */
  removed: z.optional(z.array(z.string())),
  /**
   * Pairs of names from `removed` and `changed` that are probably one renamed entry. This is certain if the new entry has the size,
   * the modification time and the type of the old one, which the client knows.
   */
  moved: z.optional(z.array(z.tuple([z.string(), z.string()]))),
  /** The folder has to be listed again, because too many entries have changed or the version is unknown. */
  again: z.optional(z.literal(true)),
  /** The code of the error for which there are no changes; with `again` only `not_found`, if the folder does not exist for the user. */
  code: z.optional(ErrorCodeText),
  source: z.optional(z.enum(liveSources)),
});
export type FolderChanges = z.output<typeof FolderChanges>;

/** The reasons for which a stream ends early: the session has ended, or rules, scope or hidden names have changed. */
export const byeReasons = ['session', 'access'] as const;

/** The server-sent events of `GET /api/live`. */
export type LiveEvent =
  | { event: 'hello'; data: { feed: string } }
  | { event: 'folder'; data: FolderChanges }
  | { event: 'source'; data: { path: string; source: LiveSource } }
  | { event: 'jobs'; data: { jobs: Job[] } }
  | { event: 'job'; data: Job }
  | { event: 'job_removed'; data: { id: string } }
  | { event: 'bye'; data: { why: (typeof byeReasons)[number] } };

export const followLive = endpoint({
  id: 'followLive',
  feature: 'live',
  method: 'GET',
  path: '/api/live',
  summary: 'Receive server-sent events of changes in open folders and of the caller’s own jobs',
  description:
    'The first event is `hello` with the id of the feed, whose folders are set by `PUT /api/live/{feed}`. `folder` follows for each change, `source` when a folder begins or ceases to be polled; `jobs` (all, once), `job` and `job_removed` report the caller’s own jobs. `bye` contains the reason why the server ends the stream early. It ends each stream from time to time so that the session is checked again: clients reconnect and send the versions that they have, so that nothing is missed.',
  access: 'signed_in',
  isAutomatic: true,
  acceptsCookie: true,
  query: z.object(tokenQuery),
  responses: { 200: { description: 'The event stream, as `text/event-stream`', bytes: true } },
  errors: ['not_signed_in', 'too_many_requests'],
});

export const setLiveFolders = endpoint({
  id: 'setLiveFolders',
  feature: 'live',
  method: 'PUT',
  path: '/api/live/{feed}',
  summary: 'Set the folders whose changes a feed reports',
  description:
    'The list replaces the previous one. Changes since the given versions are sent as events. A folder that cannot be listed has an error code in the response; the others are followed. A feed belongs to the session that opened it.',
  access: 'signed_in',
  isAutomatic: true,
  params: z.object({ feed: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)) }),
  body: LiveFolders,
  maxBodyBytes: maxLiveBodyBytes,
  responses: {
    200: { description: 'The folders, in the order of the request', json: z.array(FollowedFolder) },
  },
  errors: ['bad_request', 'invalid_path', 'not_signed_in', 'not_found', 'payload_too_large'],
});

export const getLiveVersions = endpoint({
  id: 'getLiveVersions',
  feature: 'live',
  method: 'POST',
  path: '/api/live/versions',
  summary: 'Get the changes of folders since given versions',
  description:
    'For clients that receive no events, for instance because a proxy buffers them: they repeat the request every few seconds with the versions of the last response.',
  access: 'signed_in',
  isAutomatic: true,
  body: LiveFolders,
  maxBodyBytes: maxLiveBodyBytes,
  responses: {
    200: { description: 'The changes, in the order of the request', json: z.array(FolderChanges) },
  },
  errors: ['bad_request', 'invalid_path', 'not_signed_in', 'payload_too_large'],
});
