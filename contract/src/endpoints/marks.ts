import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { EntryType } from '../files.ts';
import {
  goneMarkDays,
  maxFavorites,
  maxJsonBodyBytes,
  maxMarkedAtOnce,
  maxRecents,
  maxTagLength,
  maxTags,
  maxTagsPerEntry,
} from '../values/limits.ts';
import { absolutePath, ErrorCodeText } from '../values/json-fields.ts';

/** Characters that tags must not contain: control and format characters, private use, surrogates, line and paragraph separators. */
const disallowedInTags = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The word of a tag. Spaces around it are dropped; upper and lower case are equal. */
export const Tag = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.normalize('NFC').trim()),
  ),
  z.string().check(
    z.minLength(1),
    z.maxLength(maxTagLength),
    z.refine((text) => !disallowedInTags.test(text), 'must not contain control characters'),
  ),
);

/** An entry with favorites and tags of the caller. */
export const MarkedRow = z.object({
  /** In the caller’s scope. */
  path: z.string(),
  dir: z.boolean(),
  /** Bytes; null for a folder and for an entry that is missing. */
  size: z.nullable(z.number()),
  /** RFC 3339, in the server’s time zone; null for an entry that is missing. */
  modified: z.nullable(z.string()),
  /** As in listings. */
  type: EntryType,
  favorite: z.boolean(),
  tags: z.array(z.string()),
  /** Present if the entry is in the trash or missing. It has its marks again once it is restored. */
  gone: z.optional(z.literal(true)),
});
export type MarkedRow = z.output<typeof MarkedRow>;

/** The actions that make an entry a recent one. */
export const recentActs = ['opened', 'saved', 'uploaded'] as const;

export const RecentRow = z.object({
  ...MarkedRow.shape,
  act: z.enum(recentActs),
  /** RFC 3339, in UTC. */
  at: z.string(),
});
export type RecentRow = z.output<typeof RecentRow>;

export const Marks = z.object({
  /** In their order. */
  favorites: z.array(MarkedRow),
  /** All tags of the caller, in alphabetical order. */
  tags: z.array(z.string()),
  /** Whether recent entries are recorded. */
  recents: z.boolean(),
});
export type Marks = z.output<typeof Marks>;

/** Changes of the marks of entries. */
export const MarksChange = z.object({
  paths: z.array(absolutePath).check(z.minLength(1), z.maxLength(maxMarkedAtOnce)),
  favorite: z.optional(z.boolean()),
  addTags: z.optional(z.array(Tag).check(z.maxLength(maxTagsPerEntry))),
  removeTags: z.optional(z.array(Tag).check(z.maxLength(maxTagsPerEntry))),
});
export type MarksChange = z.input<typeof MarksChange>;

export const MarksChanged = z.object({
  /** The entries that could not be marked. Marks of entries that do not exist can be removed. */
  failures: z.array(z.object({ path: z.string(), code: ErrorCodeText })),
});
export type MarksChanged = z.output<typeof MarksChanged>;

/** The marks of the entries of a folder, by name. Entries without marks are left out. */
export const FolderMarks = z.object({
  rows: z.array(z.object({ name: z.string(), favorite: z.boolean(), tags: z.array(z.string()) })),
});
export type FolderMarks = z.output<typeof FolderMarks>;

const errors = [
  'bad_request',
  'invalid_path',
  'not_signed_in',
  'forbidden',
  'not_found',
  'storage_unavailable',
] as const;
const bodyErrors = [...errors, 'payload_too_large'] as const;
const visibility =
  'Marks are visible only to the user who set them. They follow renames and moves, also those by other programs.';

export const listMarks = endpoint({
  id: 'listMarks',
  feature: 'marks',
  method: 'GET',
  path: '/api/marks',
  summary: 'Get the favorites and tags of the caller',
  description: `${visibility} Entries that the caller may not list now are left out. Missing entries are kept for ${goneMarkDays} days.`,
  access: 'signed_in',
  responses: { 200: { description: 'The favorites and tags', json: Marks } },
  errors,
});

export const changeMarks = endpoint({
  id: 'changeMarks',
  feature: 'marks',
  method: 'POST',
  path: '/api/marks',
  summary: 'Add or remove favorites and tags of entries',
  description: `Marking needs an entry that the caller may list; removing does not. A user can have ${maxFavorites} favorites and ${maxTags} tags, and an entry ${maxTagsPerEntry} tags.`,
  access: 'signed_in',
  body: MarksChange,
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'The entries that could not be marked', json: MarksChanged } },
  errors: [...bodyErrors, 'too_many_marks'],
});

export const orderFavorites = endpoint({
  id: 'orderFavorites',
  feature: 'marks',
  method: 'PUT',
  path: '/api/marks/favorites',
  summary: 'Set the order of the caller’s favorites',
  description: 'Favorites that are not in the list follow in their former order; other paths are ignored.',
  access: 'signed_in',
  body: z.object({ paths: z.array(absolutePath).check(z.maxLength(maxFavorites)) }),
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'Ordered', text: true } },
  errors: bodyErrors,
});

export const getFolderMarks = endpoint({
  id: 'getFolderMarks',
  feature: 'marks',
  method: 'GET',
  path: '/api/marks/folder/*',
  summary: 'Get favorites and tags of the entries of a folder',
  access: 'signed_in',
  responses: { 200: { description: 'The marked entries', json: FolderMarks } },
  errors: [...errors, 'external_link', 'not_a_folder'],
});

export const listTagged = endpoint({
  id: 'listTagged',
  feature: 'marks',
  method: 'GET',
  path: '/api/marks/tagged',
  summary: 'List the entries with a tag, the latest tagged first',
  access: 'signed_in',
  query: z.object({ tag: Tag }),
  responses: { 200: { description: 'The entries', json: z.object({ rows: z.array(MarkedRow) }) } },
  errors,
});

export const listRecents = endpoint({
  id: 'listRecents',
  feature: 'marks',
  method: 'GET',
  path: '/api/marks/recents',
  summary: `List the last ${maxRecents} entries that the caller opened, saved or uploaded`,
  description: 'Recent entries are not visible to others, administrators included, and are not logged.',
  access: 'signed_in',
  responses: {
    200: { description: 'The entries, the latest first', json: z.object({ rows: z.array(RecentRow) }) },
  },
  errors,
});

export const recordOpened = endpoint({
  id: 'recordOpened',
  feature: 'marks',
  method: 'POST',
  path: '/api/marks/recents',
  summary: 'Record that entries were opened',
  description:
    'Recorded after a few seconds. Does nothing while recent entries are switched off, and for entries that the caller may not list.',
  access: 'signed_in',
  body: z.object({ paths: z.array(absolutePath).check(z.minLength(1), z.maxLength(maxRecents)) }),
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'Accepted', text: true } },
  errors: bodyErrors,
});

export const switchRecents = endpoint({
  id: 'switchRecents',
  feature: 'marks',
  method: 'PUT',
  path: '/api/marks/recents',
  summary: 'Switch the recording of recent entries on or off',
  description: 'Switching it off removes all recent entries.',
  access: 'signed_in',
  body: z.object({ on: z.boolean() }),
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'Switched', text: true } },
  errors: ['bad_request', 'not_signed_in', 'payload_too_large'],
});

export const clearRecents = endpoint({
  id: 'clearRecents',
  feature: 'marks',
  method: 'DELETE',
  path: '/api/marks/recents',
  summary: 'Remove all recent entries of the caller',
  access: 'signed_in',
  responses: { 200: { description: 'Removed', text: true } },
  errors: ['not_signed_in'],
});
