import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { EntryType, Resource } from '../files.ts';
import { Job } from '../jobs.ts';
import { previewErrors, previewSizes } from '../previews.ts';
import { pictureQuery, rawQuery, tokenQuery } from '../values/download-queries.ts';
import {
  defaultTrashPage,
  maxTrashBodyBytes,
  maxTrashBodyElements,
  maxTrashItems,
  maxTrashPage,
} from '../values/limits.ts';
import { absolutePath, ErrorCodeText } from '../values/json-fields.ts';
import { downloadErrors, idErrors } from '../values/error-groups.ts';
import { positiveUpTo } from '../values/query-numbers.ts';
import { randomId } from '../values/random-id.ts';

/** A deleted file, link or folder with everything that was in it. */
export const TrashItem = z.object({
  /** 128 random bits. */
  id: z.string(),
  /** The name that it had. */
  name: z.string(),
  /**
   * The original place in the caller's scope, under the current names of its folders: a deleted file follows a folder
   * that is renamed. The folders may no longer exist.
   */
  path: z.string(),
  isDir: z.boolean(),
  /** Bytes; null for a folder that has not been measured. */
  size: z.nullable(z.number()),
  /** As in listings. */
  type: EntryType,
  /** RFC 3339, in the server's time zone. */
  modified: z.string(),
  /** RFC 3339, in UTC. */
  deletedAt: z.string(),
  /** The name of the user who deleted it; null when the user no longer exists. */
  deletedBy: z.nullable(z.string()),
  /** RFC 3339, in UTC: when it is deleted forever; null if deleted items are kept without a time limit. */
  expiresAt: z.nullable(z.string()),
  /** Whether the caller has the permissions to restore it. */
  canRestore: z.boolean(),
  /** Whether the caller may delete it forever. */
  canPurge: z.boolean(),
  /** The id of the deleted folder that contained it, if that folder is in the trash and was deleted later. */
  parentInTrash: z.nullable(z.string()),
});
export type TrashItem = z.output<typeof TrashItem>;

/** A page of the trash, the latest deletion first. */
export const TrashPage = z.object({
  items: z.array(TrashItem),
  /** The cursor of the next page; null on the last one. */
  next: z.nullable(z.string()),
  /** The number of all items that match. */
  total: z.int(),
});
export type TrashPage = z.output<typeof TrashPage>;

/** The last line of a complete NDJSON list of the trash. A list without it was truncated. */
export interface TrashEnd {
  end: true;
  next: string | null;
  total: number;
}

const trashId = randomId('a deleted item');
const trashIds = z.array(trashId).check(z.minLength(1), z.maxLength(maxTrashItems));
const params = z.object({ id: trashId });

export const trashConflicts = ['rename', 'replace', 'skip'] as const;

export const RestoreRequest = z.object({
  ids: trashIds,
  /** The folder into which the items are restored. Default: the current place of each item’s own folder. */
  to: z.optional(absolutePath),
  /** `rename` uses the next available name if the name is taken, `replace` overwrites, `skip` leaves the item in the trash. */
  conflict: z._default(z.enum(trashConflicts), 'rename'),
  /** Whether shares of the items work again; otherwise they end. */
  links: z._default(z.boolean(), true),
});
export type RestoreRequest = z.input<typeof RestoreRequest>;

/**
 * The result of restoring one item: the path at which it is now, with the hashes of the caller’s shares that work again, or an error
 * code.
 */
export const RestoreResult = z.union([
  z.object({ id: z.string(), path: z.string(), links: z.optional(z.array(z.string())) }),
  z.object({ id: z.string(), error: ErrorCodeText }),
]);
export type RestoreResult = z.output<typeof RestoreResult>;
export const RestoreResults = z.object({ results: z.array(RestoreResult) });
export type RestoreResults = z.output<typeof RestoreResults>;

export const PurgeRequest = z.union([
  z.strictObject({ ids: trashIds }),
  /** Everything that the caller may delete forever. */
  z.strictObject({ all: z.literal(true) }),
  z.strictObject({
    /** The folder below which the items were. */
    below: z.optional(absolutePath),
    /** RFC 3339: only items that were deleted before. */
    olderThan: z.iso.datetime({ offset: true }),
  }),
  z.strictObject({ below: absolutePath }),
]);
export type PurgeRequest = z.input<typeof PurgeRequest>;

export const PurgeResult = z.object({
  /** The number of items that are deleted forever. */
  count: z.int(),
  /** The ids of these items, of at most {@link maxTrashItems}. */
  ids: z.array(z.string()),
  /** RFC 3339, in UTC: until then the deletion can be cancelled. */
  undoUntil: z.string(),
});
export type PurgeResult = z.output<typeof PurgeResult>;

export const CancelPurgeRequest = z.object({ ids: trashIds });
export const CancelPurgeResult = z.object({
  /** The number of items that are back in the trash. */
  count: z.int(),
});
export type CancelPurgeResult = z.output<typeof CancelPurgeResult>;

const contentErrors = [...idErrors, 'invalid_path', 'external_link', 'special_file', 'not_a_folder'] as const;

export const listTrash = endpoint({
  id: 'listTrash',
  feature: 'trash',
  method: 'GET',
  path: '/api/trash',
  summary: 'List deleted items, the latest deletion first',
  description:
    'The trash belongs to places, not to users: the caller sees entries that any user deleted from places in the caller’s scope that the rules allow now, since the caller has had this scope. `below` restricts the list to a folder, `by=me` to the caller’s own deletions, `q` to names that contain the text, in any letter case. `before` is the `next` of the previous page. With `Accept: application/x-ndjson` the response has one item per line and an end line with `next` and `total`; without `limit` it contains all items.',
  access: 'signed_in',
  query: z.object({
    below: z.optional(absolutePath),
    by: z.optional(z.enum(['me'])),
    q: z.optional(z.string().check(z.maxLength(1024))),
    before: z.optional(z.string().check(z.maxLength(256))),
    /** Default: {@link defaultTrashPage}. */
    limit: positiveUpTo(maxTrashPage),
  }),
  responses: {
    200: {
      description: `The items, ${defaultTrashPage} unless \`limit\` is given`,
      json: TrashPage,
      ndjson: true,
    },
  },
  errors: [...idErrors, 'invalid_path', 'too_many_requests'],
});

export const getTrashItem = endpoint({
  id: 'getTrashItem',
  feature: 'trash',
  method: 'GET',
  path: '/api/trash/{id}',
  summary: 'Get one deleted item',
  access: 'signed_in',
  params,
  responses: { 200: { description: 'The item', json: TrashItem } },
  errors: idErrors,
});

export const listTrashFolder = endpoint({
  id: 'listTrashFolder',
  feature: 'trash',
  method: 'GET',
  path: '/api/trash/list/{id}/*',
  summary: 'Get a folder inside a deleted item with its entries, or the metadata of a file',
  description: 'The response is that of `/api/resources` as JSON; paths are relative to the item.',
  access: 'signed_in',
  params,
  responses: { 200: { description: 'The folder or file', json: Resource } },
  errors: contentErrors,
});

export const getTrashRaw = endpoint({
  id: 'getTrashRaw',
  feature: 'trash',
  method: 'GET',
  path: '/api/trash/raw/{id}/*',
  summary: 'Download a deleted file, or a file in a deleted folder',
  description: 'As `/api/raw`. For a deleted file the path is empty.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params,
  query: z.object({ ...rawQuery, ...tokenQuery }),
  responses: {
    200: { description: 'The whole file, or the archive of a folder', bytes: true },
    206: { description: 'The requested range of the file', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...contentErrors, ...downloadErrors],
});

export const getTrashPreview = endpoint({
  id: 'getTrashPreview',
  feature: 'trash',
  method: 'GET',
  path: '/api/trash/preview/{size}/{id}/*',
  summary: 'Get a thumbnail or a preview image of a deleted file',
  description: 'As `/api/preview`.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params: z.object({ id: trashId, size: z.enum(previewSizes) }),
  query: z.object({ ...pictureQuery, ...tokenQuery }),
  responses: {
    200: { description: 'The image', bytes: true },
    206: { description: 'The requested range of the image', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...contentErrors, ...previewErrors],
});

export const restoreTrash = endpoint({
  id: 'restoreTrash',
  feature: 'trash',
  method: 'POST',
  path: '/api/trash/restore',
  summary: 'Restore deleted items to their place, or into a folder',
  description:
    'Missing parent folders are created. Needs the permission “create”, and “modify” where a file is replaced. The shares of an item work again if the caller owns them or has deleted the item, unless `links` is false. Up to five items are restored at once; more are restored by a job of the kind `restore`.',
  access: 'signed_in',
  needs: ['create'],
  body: RestoreRequest,
  maxBodyBytes: maxTrashBodyBytes,
  maxBodyElements: maxTrashBodyElements,
  responses: {
    200: { description: 'The result of each item', json: RestoreResults },
    202: { description: 'Accepted; the job in its current state', json: Job },
  },
  errors: [...idErrors, 'invalid_path', 'payload_too_large', 'too_many_requests'],
});

export const purgeTrash = endpoint({
  id: 'purgeTrash',
  feature: 'trash',
  method: 'POST',
  path: '/api/trash/purge',
  summary: 'Delete items of the trash forever',
  description:
    'Needs the permission “purge”; items that others have deleted can be purged by administrators only. With `ids`, items that are not visible to the caller are `not_found` and nothing is purged. With `all` or `below` and `olderThan` items that the caller may not purge are left alone. The items disappear from the trash at once and are removed from the disk after the time for cancelling.',
  access: 'signed_in',
  needs: ['purge'],
  body: PurgeRequest,
  maxBodyBytes: maxTrashBodyBytes,
  maxBodyElements: maxTrashBodyElements,
  responses: {
    200: { description: 'The number of items, and until when this can be cancelled', json: PurgeResult },
  },
  errors: [...idErrors, 'invalid_path', 'payload_too_large', 'too_many_requests'],
});

export const cancelPurge = endpoint({
  id: 'cancelPurge',
  feature: 'trash',
  method: 'POST',
  path: '/api/trash/purge/cancel',
  summary: 'Put items back into the trash that were to be deleted forever',
  description:
    'Only the user who requested the deletion can cancel it. Items that are already removed are `not_found`; the others are put back.',
  access: 'signed_in',
  needs: ['purge'],
  body: CancelPurgeRequest,
  maxBodyBytes: maxTrashBodyBytes,
  maxBodyElements: maxTrashBodyElements,
  responses: { 200: { description: 'Put back', json: CancelPurgeResult } },
  errors: ['bad_request', 'not_signed_in', 'forbidden', 'not_found', 'payload_too_large'],
});
