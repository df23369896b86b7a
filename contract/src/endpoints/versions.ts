import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { EntryType } from '../files.ts';
import { previewErrors, previewSizes } from '../previews.ts';
import { pictureQuery, rawQuery, tokenQuery } from '../values/download-queries.ts';
import { maxJsonBodyBytes, maxVersionLabelLength, maxVersionPage } from '../values/limits.ts';
import { absolutePath } from '../values/json-fields.ts';
import { idErrors } from '../values/error-groups.ts';
import { positiveUpTo } from '../values/query-numbers.ts';
import { versionId } from '../values/random-id.ts';

/** The actions that make a state of a file. `create` stands for a new file that was neither uploaded nor saved. */
export const versionActs = ['upload', 'save', 'copy', 'move', 'restore', 'create'] as const;

/** The change that created a state of a file. */
export const VersionChange = z.object({
  act: z.enum(versionActs),
  /** The name of the user; null when the user no longer exists. */
  by: z.nullable(z.string()),
  /** RFC 3339, in UTC. */
  at: z.string(),
});
export type VersionChange = z.output<typeof VersionChange>;

/** A former state of a file. */
export const Version = z.object({
  /** 128 random bits. */
  id: z.string(),
  /** The name of the file when the state was replaced. */
  name: z.string(),
  /** The current path of the file in the caller's scope. The versions follow the file and its folders when they are renamed. */
  path: z.string(),
  /** Bytes. */
  size: z.number(),
  /** As in listings. */
  type: EntryType,
  /** RFC 3339, in the server's time zone. */
  modified: z.string(),
  /** The change that made this state; null when it is unknown, as for a file that another program has created. */
  written: z.nullable(VersionChange),
  /** The change that replaced this state. */
  replaced: VersionChange,
  /** The label that a user has given to the version, which is then kept without a time limit. */
  label: z.nullable(z.string()),
  /** Whether a user has chosen to keep it without a time limit. */
  keepForever: z.boolean(),
  /** Whether it had the same content as the file that replaced it. Its bytes are not kept, so that it has no content. */
  isUnchanged: z.boolean(),
  /** In lists: whether another program had changed the file in place since the change that `written` describes. */
  isChangedOutside: z.boolean(),
  /** Whether the caller has the permission to restore it. */
  canRestore: z.boolean(),
  /** Whether the caller may delete it forever. */
  canDelete: z.boolean(),
});
export type Version = z.output<typeof Version>;

/** The versions of a file, the latest first. */
export const VersionPage = z.object({
  /** The change that made the current state; null when it is unknown. */
  written: z.nullable(VersionChange),
  /** Whether another program has changed the file in place since. The state before that is not among the versions. */
  isChangedOutside: z.boolean(),
  versions: z.array(Version),
  /** The cursor of the next page; null on the last one. */
  next: z.nullable(z.string()),
  /** The number of all versions. */
  total: z.int(),
});
export type VersionPage = z.output<typeof VersionPage>;

const params = z.object({ id: versionId });

export const listVersions = endpoint({
  id: 'listVersions',
  feature: 'versions',
  method: 'GET',
  path: '/api/versions/list/*',
  summary: 'List the versions of a file, the latest first',
  description:
    'A version is the state of a file before an upload, a save, a copy, a move or a restoration replaced it. All users who may see the file see its versions that were replaced since they have their scope. `before` is the `next` of the previous page.',
  access: 'signed_in',
  query: z.object({
    before: z.optional(z.string().check(z.maxLength(256))),
    /** Default: {@link maxVersionPage}. */
    limit: positiveUpTo(maxVersionPage),
  }),
  responses: { 200: { description: `The versions, up to ${maxVersionPage}`, json: VersionPage } },
  errors: [...idErrors, 'invalid_path', 'external_link', 'is_folder'],
});

export const getVersion = endpoint({
  id: 'getVersion',
  feature: 'versions',
  method: 'GET',
  path: '/api/versions/{id}',
  summary: 'Get one version of a file',
  access: 'signed_in',
  params,
  responses: { 200: { description: 'The version', json: Version } },
  errors: idErrors,
});

export const getVersionRaw = endpoint({
  id: 'getVersionRaw',
  feature: 'versions',
  method: 'GET',
  path: '/api/versions/raw/{id}',
  summary: 'Download a version of a file',
  description: 'As `/api/raw` for a file.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params,
  query: z.object({ inline: rawQuery.inline, ...tokenQuery }),
  responses: {
    200: { description: 'The whole file', bytes: true },
    206: { description: 'The requested range of the file', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...idErrors, 'special_file', 'precondition_failed', 'range_not_satisfiable'],
});

export const getVersionPreview = endpoint({
  id: 'getVersionPreview',
  feature: 'versions',
  method: 'GET',
  path: '/api/versions/preview/{size}/{id}',
  summary: 'Get a thumbnail or a preview image of a version',
  description: 'As `/api/preview`.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params: z.object({ id: versionId, size: z.enum(previewSizes) }),
  query: z.object({ ...pictureQuery, ...tokenQuery }),
  responses: {
    200: { description: 'The image', bytes: true },
    206: { description: 'The requested range of the image', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...idErrors, 'special_file', ...previewErrors],
});

export const RestoreVersion = z.object({
  id: versionId,
  /**
   * `replace`: the version becomes the current state, which becomes a version. `copy`: it is copied to a new file under the
   * next free name, and stays a version.
   */
  as: z._default(z.enum(['replace', 'copy']), 'replace'),
  /** The path of the copy. Default: beside the file. */
  to: z.optional(absolutePath),
});
export type RestoreVersion = z.input<typeof RestoreVersion>;

export const RestoredVersion = z.object({
  /** The path of the file that now has this content. */
  path: z.string(),
  /** The version that the replaced state has become; null when nothing was replaced, or it was not kept. */
  replaced: z.nullable(z.string()),
});
export type RestoredVersion = z.output<typeof RestoredVersion>;

export const restoreVersion = endpoint({
  id: 'restoreVersion',
  feature: 'versions',
  method: 'POST',
  path: '/api/versions/restore',
  summary: 'Replace a file with one of its versions, or copy the version to a new file',
  description:
    'Replacing requires the permission “modify”, a copy “create” and “download”. A restored version leaves the list, unless it has a label or is kept forever. `X-Operation` identifies the change.',
  access: 'signed_in',
  body: RestoreVersion,
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'Restored', json: RestoredVersion } },
  errors: [
    ...idErrors,
    'invalid_path',
    'invalid_name',
    'external_link',
    'special_file',
    'root_is_protected',
    'already_exists',
    'is_folder',
    'not_a_folder',
    'cannot_keep',
    'payload_too_large',
    'storage_full',
  ],
});

export const VersionProperties = z.object({
  /** Null or an empty text removes the label. */
  label: z.optional(z.nullable(z.string().check(z.maxLength(maxVersionLabelLength)))),
  keepForever: z.optional(z.boolean()),
});
export type VersionProperties = z.input<typeof VersionProperties>;

export const updateVersion = endpoint({
  id: 'updateVersion',
  feature: 'versions',
  method: 'PATCH',
  path: '/api/versions/{id}',
  summary: 'Label a version, or keep it forever',
  description: 'A version with a label, or one that is kept forever, is not thinned out and does not expire.',
  access: 'signed_in',
  needs: ['modify'],
  params,
  body: VersionProperties,
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'The changed version', json: Version } },
  errors: [...idErrors, 'payload_too_large'],
});

export const DeletedVersion = z.object({
  /** RFC 3339, in UTC: until then `POST /api/trash/purge/cancel` with the id cancels the deletion. */
  undoUntil: z.string(),
});
export type DeletedVersion = z.output<typeof DeletedVersion>;

export const deleteVersion = endpoint({
  id: 'deleteVersion',
  feature: 'versions',
  method: 'DELETE',
  path: '/api/versions/{id}',
  summary: 'Delete a version forever',
  description:
    'Requires the permission “purge”; only administrators may delete versions that other users replaced. A version that is kept forever cannot be deleted (`forbidden`). It disappears at once and is removed from the disk after the time for cancelling. `X-Operation` identifies the change.',
  access: 'signed_in',
  needs: ['purge'],
  params,
  responses: { 200: { description: 'Deleted, unless it is cancelled', json: DeletedVersion } },
  errors: idErrors,
});
