import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { columnKeys } from './values/listing-columns.ts';
import { lenientChoice, lenientList } from './values/lenient.ts';
import { maxJsonBodyBytes } from './values/limits.ts';
import { knownLocale } from './values/locales.ts';
import { Permissions } from './values/permissions.ts';
import { Rules, RulesChange } from './rules.ts';

export { knownLocale } from './values/locales.ts';

export const viewModes = ['list', 'mosaic', 'mosaic gallery'] as const;
export const ViewMode = z.enum(viewModes);
export type ViewMode = z.output<typeof ViewMode>;

export const sortKeys = columnKeys;
/**
 * `asc` keeps its meaning on the wire (docs/reference/filebrowser-api.md §1.5): for names `false` is A to Z, for sizes and dates `false` is
 * largest or newest first. `listingColumns` has the usual direction of each key.
 */
export const Sorting = z.object({
  by: z._default(z.enum(sortKeys), 'name'),
  asc: z._default(z.boolean(), false),
});
export type Sorting = z.output<typeof Sorting>;
/** A sorting as sent by clients: an empty key means the name. */
export const SortingChange = z.object({
  by: z._default(lenientChoice(sortKeys, 'name'), 'name'),
  asc: z._default(z.boolean(), false),
});

export const Locale = z.pipe(
  z.string().check(
    z.maxLength(16),
    z.refine((code) => knownLocale(code) !== null, 'unknown locale'),
  ),
  z.transform((code) => knownLocale(code) ?? ''),
);

/**
 * The editor's colour theme, by the name that newer clients use; clients may choose their own theme for unknown names.
 * The offered themes, with their labels, are `editorThemes` in `editor-themes.ts`.
 */
export const EditorTheme = z.string().check(z.maxLength(64), z.regex(/^[\w-]*$/));

const name = z.string().check(z.minLength(1), z.maxLength(128));
const scope = z.string().check(z.maxLength(4096));
const commands = lenientList(z.string().check(z.maxLength(256)), 256);

/**
 * A user as sent to administrators and to the user. `password` is always empty in responses. `redirectAfterCopyMove`
 * and `aceEditorTheme` are where newer clients expect them (docs/reference/filebrowser-api.md §6.1).
 */
export const User = z.object({
  id: z.int(),
  username: z.string(),
  password: z.string(),
  scope: z.string(),
  locale: z.string(),
  lockPassword: z.boolean(),
  viewMode: ViewMode,
  singleClick: z.boolean(),
  redirectAfterCopyMove: z.boolean(),
  perm: Permissions,
  commands: z.array(z.string()),
  sorting: Sorting,
  rules: Rules,
  hideDotfiles: z.boolean(),
  dateFormat: z.boolean(),
  aceEditorTheme: z.string(),
});
export type User = z.output<typeof User>;

/**
 * A user as sent to administrators only. `lastSignIn` is in Unix milliseconds (UTC), null for never; it is ignored in
 * requests. `awaitsScope`: the account was not created by an administrator, has no home folder, and sees no files until
 * an administrator confirms the default scope, assigns another scope or sets this to `false`.
 */
export const ManagedUser = z.extend(User, { lastSignIn: z.nullable(z.int()), awaitsScope: z.boolean() });
export type ManagedUser = z.output<typeof ManagedUser>;

/** A user as sent by clients: every field is optional. Unknown keys are ignored. */
export const UserChange = z.object({
  id: z.optional(z.int().check(z.gte(0))),
  username: z.optional(name),
  password: z.optional(z.string().check(z.maxLength(1024))),
  scope: z.optional(scope),
  locale: z.optional(Locale),
  lockPassword: z.optional(z.boolean()),
  viewMode: z.optional(lenientChoice(viewModes, 'list')),
  singleClick: z.optional(z.boolean()),
  redirectAfterCopyMove: z.optional(z.boolean()),
  perm: z.optional(Permissions),
  commands: z.optional(commands),
  sorting: z.optional(SortingChange),
  rules: z.optional(RulesChange),
  hideDotfiles: z.optional(z.boolean()),
  dateFormat: z.optional(z.boolean()),
  aceEditorTheme: z.optional(EditorTheme),
  awaitsScope: z.optional(z.boolean()),
});
export type UserChange = z.output<typeof UserChange>;

/** The fields that `which` may contain (docs/reference/filebrowser-api.md §1.13). */
export const userFields = [
  'username',
  'password',
  'scope',
  'locale',
  'lockPassword',
  'viewMode',
  'singleClick',
  'redirectAfterCopyMove',
  'perm',
  'commands',
  'sorting',
  'rules',
  'hideDotfiles',
  'dateFormat',
  'aceEditorTheme',
  'awaitsScope',
] as const;
export type UserField = (typeof userFields)[number];
/** The fields that only an administrator may change. */
export const administratorFields: readonly UserField[] = [
  'username',
  'scope',
  'lockPassword',
  'perm',
  'commands',
  'rules',
  'awaitsScope',
];
/**
 * The fields whose change must be confirmed with the signed-in user's password if the settings require it
 * (docs/reference/filebrowser-api.md §6.2).
 */
export const confirmedFields: readonly UserField[] = [
  'username',
  'password',
  'scope',
  'lockPassword',
  'perm',
  'commands',
  'awaitsScope',
];

/**
 * The envelope of requests that write users. `which` lists the fields to change; empty or `all` means the whole record.
 */
export const UserEnvelope = z.object({
  what: z.literal('user'),
  which: lenientList(z.string().check(z.maxLength(64)), 32),
  data: UserChange,
  current_password: z.optional(z.string().check(z.maxLength(1024))),
});

const params = z.object({ id: z.string().check(z.regex(/^(?:0|[1-9]\d{0,14})$/)) });

export const listUsers = endpoint({
  id: 'listUsers',
  feature: 'users',
  method: 'GET',
  path: '/api/users',
  summary: 'List all users, by id',
  access: 'administrator',
  answers: { 200: { description: 'The users', json: z.array(ManagedUser) } },
  errors: ['not_signed_in', 'forbidden'],
});

export const createUser = endpoint({
  id: 'createUser',
  feature: 'users',
  method: 'POST',
  path: '/api/users',
  summary: 'Create a user',
  access: 'administrator',
  body: UserEnvelope,
  maxBodyBytes: maxJsonBodyBytes,
  answers: {
    201: {
      description: 'Created; `Location` is the address of the settings page of the new user',
      text: true,
    },
  },
  errors: [
    'bad_request',
    'invalid_path',
    'invalid_rule',
    'weak_password',
    'not_signed_in',
    'forbidden',
    'username_taken',
    'current_password_wrong',
    'too_many_requests',
  ],
});

export const getUser = endpoint({
  id: 'getUser',
  feature: 'users',
  method: 'GET',
  path: '/api/users/{id}',
  summary:
    'Get one user; for users who are not administrators the scope is empty, and `lastSignIn` and `awaitsScope` are omitted',
  access: 'self_or_administrator',
  params,
  answers: {
    200: { description: 'The user', json: z.partial(ManagedUser, { lastSignIn: true, awaitsScope: true }) },
  },
  errors: ['not_signed_in', 'forbidden', 'not_found'],
});

export const updateUser = endpoint({
  id: 'updateUser',
  feature: 'users',
  method: 'PUT',
  path: '/api/users/{id}',
  summary: 'Change a user: the fields in `which`, or all',
  description:
    'A whole record resets missing fields, except for `redirectAfterCopyMove` and `aceEditorTheme`, which older clients do not know and which keep their values. For a new user these two are taken from the defaults of the settings.',
  access: 'self_or_administrator',
  params,
  body: UserEnvelope,
  maxBodyBytes: maxJsonBodyBytes,
  answers: { 200: { description: 'Changed', text: true } },
  errors: [
    'bad_request',
    'invalid_path',
    'invalid_rule',
    'weak_password',
    'not_signed_in',
    'forbidden',
    'password_locked',
    'current_password_wrong',
    'last_administrator',
    'not_found',
    'username_taken',
    'too_many_requests',
  ],
});

export const deleteUser = endpoint({
  id: 'deleteUser',
  feature: 'users',
  method: 'DELETE',
  path: '/api/users/{id}',
  summary: 'Delete a user and end their sessions',
  access: 'self_or_administrator',
  params,
  body: z.optional(z.object({ current_password: z.optional(z.string().check(z.maxLength(1024))) })),
  maxBodyBytes: maxJsonBodyBytes,
  answers: { 200: { description: 'Deleted', text: true } },
  errors: [
    'not_signed_in',
    'forbidden',
    'not_found',
    'last_administrator',
    'current_password_wrong',
    'too_many_requests',
  ],
});
