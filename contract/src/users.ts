import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { lenientList } from './values/lenient.ts';
import { maxJsonBodyBytes } from './values/limits.ts';
import { addedPreferences, userChangeShape, userShape } from './user-fields.ts';

export * from './user-fields.ts';

/**
 * A user as sent to administrators and to the user. `password` is always empty in responses. `redirectAfterCopyMove`
 * and `aceEditorTheme` are where newer clients expect them (docs/reference/filebrowser-api.md §6.1).
 */
export const User = z.object({ id: z.int(), ...userShape });
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
  ...userChangeShape,
});
export type UserChange = z.output<typeof UserChange>;

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
  responses: { 200: { description: 'The users', json: z.array(ManagedUser) } },
  errors: ['not_signed_in', 'forbidden'],
});

/** The size of the folder of a user. */
export const UserSize = z.object({
  /** The id of the user. */
  id: z.int(),
  /** Bytes of all files in the scope, whatever the rules; null if unknown. */
  bytes: z.nullable(z.number()),
  /** RFC 3339, in UTC: when the folder itself was last compared with the disk. */
  checkedAt: z.nullable(z.string()),
});
export type UserSize = z.output<typeof UserSize>;

export const listUserSizes = endpoint({
  id: 'listUserSizes',
  feature: 'users',
  method: 'GET',
  path: '/api/user-sizes',
  summary: 'List the sizes of the folders of all users, by id',
  description:
    'Users with the same scope have the same size. It is unknown (null) while the catalogue is being built, for a scope that it does not contain, and for users who see no files.',
  access: 'administrator',
  responses: { 200: { description: 'The sizes', json: z.array(UserSize) } },
  errors: ['not_signed_in', 'forbidden', 'catalogue_off'],
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
  responses: {
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
  responses: {
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
  description: `A whole record resets missing fields, except for those that older clients do not know and which keep their values: ${addedPreferences.map((name) => `\`${name}\``).join(', ')}. For a new user these are taken from the defaults of the settings.`,
  access: 'self_or_administrator',
  params,
  body: UserEnvelope,
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'Changed', text: true } },
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
  responses: { 200: { description: 'Deleted', text: true } },
  errors: [
    'not_signed_in',
    'forbidden',
    'not_found',
    'last_administrator',
    'current_password_wrong',
    'too_many_requests',
  ],
});
