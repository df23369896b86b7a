import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Job } from '../jobs.ts';
import { defaultOperationPage, maxJsonBodyBytes, maxOperationPage } from '../values/limits.ts';
import { absolutePath, ErrorCodeText } from '../values/json-fields.ts';
import { positiveUpTo } from '../values/query-numbers.ts';
import { randomId } from '../values/random-id.ts';

/**
 * The kinds of operations. `rewind` undoes all changes of a folder since a time, `undo` those of one operation; `unshare` has deleted
 * a share, `reshare` has changed its expiry or password.
 */
export const operationKinds = [
  'upload',
  'save',
  'create',
  'copy',
  'extract',
  'compress',
  'move',
  'delete',
  'restore',
  'purge',
  'unshare',
  'reshare',
  'undo',
  'rewind',
] as const;
export const OperationKind = z.enum(operationKinds);
export type OperationKind = z.output<typeof OperationKind>;

/** The states of an operation. `undone` means that at least one of its steps was undone. */
export const operationStates = ['running', 'done', 'undone'] as const;

/** The change that an operation made. */
export const OperationChange = z.object({
  kind: OperationKind,
  /** The number of entries that it changed. */
  total: z.int(),
  /** The first entry in the caller’s scope, under the current names of its folders. */
  path: z.string(),
  /** The former path of the first entry, if it was moved. */
  from: z.nullable(z.string()),
  isDir: z.boolean(),
  /** RFC 3339, in UTC: when the version was written that was restored, copied or deleted; null for other operations. */
  versionAt: z.nullable(z.string()),
});
export type OperationChange = z.output<typeof OperationChange>;

/** A request or job that has changed files or a share. */
export const Operation = z.extend(OperationChange, {
  /** 128 random bits; the header `X-Operation` of the response to the request. */
  id: z.string(),
  state: z.enum(operationStates),
  /** RFC 3339, in UTC. */
  startedAt: z.string(),
  /** RFC 3339, in UTC; null while it is running. */
  endedAt: z.nullable(z.string()),
  /** The name of the user; null when the user no longer exists. */
  user: z.nullable(z.string()),
  /** Whether it is the caller’s. Users can undo only their own operations. */
  isOwn: z.boolean(),
  /** The kind of the operation that an `undo` has undone; null for other kinds. */
  undoes: z.nullable(OperationKind),
  /** The change that an `undo` has undone or, if it has undone another undo, repeated; null for other kinds, or if it is unknown. */
  original: z.nullable(OperationChange),
  /** Whether the caller may request an undo. A check finds entries that have changed since. */
  canUndo: z.boolean(),
});
export type Operation = z.output<typeof Operation>;

/** A page of operations, the latest first. */
export const OperationPage = z.object({
  items: z.array(Operation),
  /** The cursor of the next page; null on the last one. */
  next: z.nullable(z.string()),
});
export type OperationPage = z.output<typeof OperationPage>;

/** The last line of a complete NDJSON list of operations. A list without it was truncated. */
export interface OperationsEnd {
  end: true;
  next: string | null;
}

/** The maximum number of failures, and of paths, in a report. */
export const maxReportedEntries = 100;

/** The result of an undo, or of a check. */
export const UndoReport = z.object({
  /** The id of the operation that the undo is, which can be undone itself; null for a check. */
  operation: z.nullable(z.string()),
  kind: OperationKind,
  /** The number of changed entries. */
  total: z.int(),
  /** The number of entries that were undone; for a check, of those that can be. */
  undone: z.int(),
  /**
   * The first entries that cannot be undone, with the reason: `changed_since`, `not_found` when the former state was
   * removed, …
   */
  failures: z.array(z.object({ path: z.string(), code: ErrorCodeText })),
  /** The first entries that were restored or moved back; empty for a check. */
  paths: z.array(z.string()),
  /** The first entries that were moved to the trash; empty for a check. */
  removed: z.array(z.string()),
  /** The folders in which entries have changed; empty for a check. */
  folders: z.array(z.string()),
});
export type UndoReport = z.output<typeof UndoReport>;

export const RewindRequest = z.object({
  /** The folder. */
  below: absolutePath,
  /** RFC 3339: changes since this time are undone. */
  since: z.iso.datetime({ offset: true }),
  /** The name of the user whose changes are undone. Default: all users; for users who are not administrators, themselves. */
  by: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});
export type RewindRequest = z.input<typeof RewindRequest>;

/** The result of a check of a rewind. */
export const RewindReport = z.object({
  /** The number of operations. */
  operations: z.int(),
  total: z.int(),
  undone: z.int(),
  failures: UndoReport.shape.failures,
});
export type RewindReport = z.output<typeof RewindReport>;

const operationId = randomId('an operation');
const flag = z.optional(z.enum(['true', 'false']));
const historyErrors = ['bad_request', 'invalid_path', 'not_signed_in', 'forbidden', 'not_found'] as const;

export const listOperations = endpoint({
  id: 'listOperations',
  feature: 'history',
  method: 'GET',
  path: '/api/operations',
  summary: 'List the operations that changed files or shares, the latest first',
  description:
    'Contains the caller’s own operations of the last 30 days; for administrators, those of all users in their scope, unless `mine=true`. Operations whose first entry is outside of the caller’s scope, denied by a rule, or older than the scope are omitted. `below` restricts the list to a folder, and `of` to one entry: `of` finds it also among the entries of a longer operation; `before` is the `next` of the previous page. With `Accept: application/x-ndjson` the response has one operation per line and an end line with `next`; without `limit` it contains all operations.',
  access: 'signed_in',
  query: z.object({
    mine: flag,
    below: z.optional(absolutePath),
    of: z.optional(absolutePath),
    before: z.optional(z.string().check(z.maxLength(256))),
    /** Default: {@link defaultOperationPage}. */
    limit: positiveUpTo(maxOperationPage),
  }),
  responses: {
    200: {
      description: `The operations, ${defaultOperationPage} unless \`limit\` is given`,
      json: OperationPage,
      ndjson: true,
    },
  },
  errors: [...historyErrors, 'storage_unavailable', 'too_many_requests'],
});

export const undoOperation = endpoint({
  id: 'undoOperation',
  feature: 'history',
  method: 'POST',
  path: '/api/operations/{id}/undo',
  summary: 'Undo one of the caller’s own operations',
  description:
    'Undoes the changes with the permissions that the user has now, as a new operation: undoing that one repeats the changes. Created entries are moved to the trash, replaced and deleted ones are restored, moved ones are moved back, under a free name if another entry has theirs. A deleted share gets its former address again, and a changed one its former expiry and password. Entries that have changed since stay as they are. With `check=true` nothing changes, and the response contains the number of entries that can be undone. An operation of more than 20 entries is undone by a job of the kind `undo`. The response is `changed_since` when the operation was undone already, is still running, or none of its entries can be undone, and `not_found` for operations of other users.',
  access: 'signed_in',
  params: z.object({ id: operationId }),
  query: z.object({ check: flag }),
  responses: {
    200: { description: 'The outcome, or that of a check', json: UndoReport },
    202: { description: 'Accepted; the job in its current state', json: Job },
  },
  errors: [
    ...historyErrors,
    'already_exists',
    'cannot_keep',
    'keep_needs_copy',
    'changed_since',
    'hook_failed',
    'not_a_folder',
    'special_file',
    'storage_full',
    'storage_unavailable',
    'too_many_requests',
    'too_many_shares',
  ],
});

export const rewindFolder = endpoint({
  id: 'rewindFolder',
  feature: 'history',
  method: 'POST',
  path: '/api/operations/rewind',
  summary: 'Undo all changes below a folder since a time',
  description:
    'Undoes the changes below the folder since that time, the latest first, with the permissions that the user has now. Administrators may undo the changes of all users, others their own. With `check=true` nothing changes, and the response contains the number of changes that can be undone. Otherwise a job of the kind `rewind` undoes them; it is one operation, which can be undone. The response is `not_found` when nothing has changed.',
  access: 'signed_in',
  query: z.object({ check: flag }),
  body: RewindRequest,
  maxBodyBytes: maxJsonBodyBytes,
  responses: {
    200: { description: 'The result of a check', json: RewindReport },
    202: { description: 'Accepted; the job in its current state', json: Job },
  },
  errors: [...historyErrors, 'payload_too_large', 'storage_unavailable', 'too_many_requests'],
});
