import * as z from 'zod/mini';

/** The events of the audit log, with the fields that each records. The meaning of an event never changes. */
export const auditEvents = {
  'session.sign_in': 'A sign-in, by any authentication method',
  'session.renew': 'A token is replaced by a new one',
  'session.sign_out': 'A user signs out',
  'session.end': 'A user ends one of their sessions',
  'session.end_all': 'All sessions of a user are ended, by the user or an administrator',
  'user.sign_up': 'A visitor creates an account',
  'user.provision': 'The server creates or changes an account for a proxy or a sign-in program',
  'user.create': 'An administrator creates a user',
  'user.update': 'A user is changed: profile, password, permissions, scope, rules',
  'user.delete': 'A user is deleted',
  'settings.update': 'The global settings are changed: sign-up, defaults, rules, hooks, branding',
  'share.create': 'A share is created',
  'share.change': 'The expiry or the password of a share is changed',
  'share.delete': 'A share is deleted',
  'share.archive': 'A visitor requests an archive of a selection from a share',
  'archive.create': 'A user requests an archive of a selection',
  'file.create': 'A file or folder is created or uploaded in one request, alone or as part of a batch',
  'file.save': 'A file is saved',
  'file.move': 'A file or folder is renamed, moved or copied',
  'file.delete': 'A file or folder is deleted',
  'file.restore': 'Deleted entries, or versions of files, are restored',
  'file.purge': 'Deleted entries, or versions of files, are deleted forever',
  'file.purge_cancel': 'A deletion forever is cancelled',
  'file.mark': 'A version of a file is labeled, or marked to be kept forever',
  'operation.undo': 'An operation is undone',
  'operation.rewind': 'A folder is rewound to an earlier time',
  'upload.batch': 'Several small files are uploaded in one request; each has a record `file.create`',
  'upload.create': 'A resumable upload is created',
  'upload.create_folder': 'The upload of a folder is announced',
  'upload.append': 'A part of a resumable upload arrives',
  'upload.end': 'A resumable upload is cancelled',
  'upload.finish': 'A blocked upload is finished: beside the other file, in its place, or elsewhere',
  'upload.discard': 'An unfinished or blocked upload, or the upload of a folder, is discarded',
  'job.create':
    'A job is created: a copy, move, deletion or checksum of a selection, or a search for duplicates',
  'job.cancel': 'A job is cancelled',
  'job.end': 'A job ends: `aborted` when it was cancelled, otherwise by its first item that failed',
  'command.run': 'A user runs a command',
  'hook.run': 'The server runs a hook',
  'keys.rotate': 'The keys of the server are replaced; all sessions end',
  'rule.add': 'A rule is added on the command line',
  'rule.remove': 'Rules are removed on the command line',
  'hook.add': 'A hook is added on the command line',
  'hook.remove': 'Hooks are removed on the command line',
  'data.import':
    'Users, settings or shares are imported, a backup is restored, or the index of the trash is rebuilt, on the command line',
  'access.refused': 'Any other request is refused with 401, 403 or 429',
} as const;
export type AuditEvent = keyof typeof auditEvents;

/** The audit event of every endpoint that changes something, by the endpoint's id. */
export const auditedEndpoints: Readonly<Record<string, AuditEvent>> = {
  login: 'session.sign_in',
  renew: 'session.renew',
  logout: 'session.sign_out',
  endSession: 'session.end',
  endSessions: 'session.end_all',
  signup: 'user.sign_up',
  createUser: 'user.create',
  updateUser: 'user.update',
  deleteUser: 'user.delete',
  updateSettings: 'settings.update',
  createShare: 'share.create',
  updateShare: 'share.change',
  deleteShare: 'share.delete',
  createPublicArchive: 'share.archive',
  createArchive: 'archive.create',
  createResource: 'file.create',
  saveResource: 'file.save',
  rotatePicture: 'file.save',
  moveResource: 'file.move',
  deleteResource: 'file.delete',
  restoreTrash: 'file.restore',
  purgeTrash: 'file.purge',
  cancelPurge: 'file.purge_cancel',
  restoreVersion: 'file.restore',
  deleteVersion: 'file.purge',
  updateVersion: 'file.mark',
  undoOperation: 'operation.undo',
  rewindFolder: 'operation.rewind',
  uploadFiles: 'upload.batch',
  createUpload: 'upload.create',
  appendUpload: 'upload.append',
  endUpload: 'upload.end',
  finishBlockedUpload: 'upload.finish',
  discardUpload: 'upload.discard',
  discardUserUpload: 'upload.discard',
  createFolderUpload: 'upload.create_folder',
  discardFolderUpload: 'upload.discard',
  createJob: 'job.create',
  cancelJob: 'job.cancel',
};

/** The interfaces through which an audited action can be requested. */
export const auditChannels = {
  password: 'sign-in with name and password',
  proxy: 'sign-in by the header of a trusted proxy',
  program: 'sign-in by the sign-in program',
  noauth: 'sign-in without a password, where none is required',
  token: 'the token in the header `X-Auth`, as the page and API clients send it',
  query: 'the token in the query parameter `auth`',
  cookie: 'the session cookie of the page',
  share: 'a share',
  event: 'a hook',
  'command line': 'the command line on the server',
  none: 'no credentials',
} as const;
export type AuditChannel = keyof typeof auditChannels;

export const auditOutcomes = ['success', 'refused', 'failed', 'aborted'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

const text = z.nullable(z.string());

/** One entry of the audit log. All keys are always present; those that do not apply are null. */
export const AuditRecord = z.strictObject({
  event: z.enum(Object.keys(auditEvents) as [AuditEvent, ...AuditEvent[]]),
  /** `refused`: the request or the user was at fault; `failed`: the server was; `aborted`: the client disconnected. */
  outcome: z.enum(auditOutcomes),
  /** The error code of a refusal or failure, or the reason why a command ended. */
  reason: text,
  /** `id` is null for an unknown user; `name` is then the username that was tried. */
  actor: z.strictObject({ id: z.nullable(z.int()), name: text }),
  channel: z.enum(Object.keys(auditChannels) as [AuditChannel, ...AuditChannel[]]),
  address: text,
  /** A short form of the user agent. */
  agent: text,
  /** The id of the request, as in `X-Request-Id`. */
  request: text,
  target: z.nullable(
    z.strictObject({
      /** The user who is changed, or who owns the share or the session. */
      user: z.optional(z.strictObject({ id: z.nullable(z.int()), name: text })),
      /** The path within the actor's scope. */
      path: z.optional(z.string()),
      destination: z.optional(z.string()),
      /** The first paths of a selection. */
      paths: z.optional(z.array(z.string())),
      /** The number of paths in the selection. */
      count: z.optional(z.int()),
      /** The first characters of a share's hash. */
      share: z.optional(z.string()),
      job: z.optional(z.string()),
      /** The id of a resumable upload. */
      upload: z.optional(z.string()),
      kind: z.optional(z.string()),
      session: z.optional(z.string()),
      /** The method and the path pattern of the refused endpoint. */
      endpoint: z.optional(z.string()),
      /** The words of a command; words that look like secrets are redacted. */
      command: z.optional(z.array(z.string())),
      /** The exit code; null if the command was stopped or did not start. */
      exit: z.optional(z.nullable(z.int())),
      trigger: z.optional(z.string()),
    }),
  ),
  /** The fields that changed, some with their new value: `perm.admin=true`. */
  changed: z.nullable(z.array(z.string())),
});
export type AuditRecord = z.output<typeof AuditRecord>;
export type AuditTarget = NonNullable<AuditRecord['target']>;
