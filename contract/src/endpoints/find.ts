import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { EntryType } from '../files.ts';
import { findSorts } from '../values/find-sorts.ts';
import {
  defaultFindRows,
  defaultMapDepth,
  maxFindDepth,
  maxFindOffset,
  maxFindQuery,
  maxFindRows,
} from '../values/limits.ts';
import { nonNegativeUpTo, positiveUpTo } from '../values/query-numbers.ts';
import { pathErrors } from '../values/error-groups.ts';

/** An entry that a ranked search found. */
export const FindRow = z.object({
  /** From the searched folder, without a leading slash. */
  path: z.string(),
  /** False for a link to a folder. */
  dir: z.boolean(),
  /** Bytes; null for a folder. */
  size: z.nullable(z.number()),
  /** RFC 3339, in the server's time zone. */
  modified: z.string(),
  /** As in listings. */
  type: EntryType,
  /** Present if the name differs from the query by a typing error. */
  similar: z.optional(z.literal(true)),
  /** Present if the entry is a favorite of the caller. */
  favorite: z.optional(z.literal(true)),
  /** The tags of the caller, if the entry has any. */
  tags: z.optional(z.array(z.string())),
});
export type FindRow = z.output<typeof FindRow>;

/**
 * The part of the searched folder that was in the catalogue: all of it; not yet all, because the catalogue is being built; or only
 * parts, because the tree is too large or on a network. The rest was searched on the disk.
 */
export const Coverage = z.enum(['all', 'building', 'parts']);

/** The last line of a complete NDJSON list. A list without it was truncated. */
export const FindEnd = z.object({
  end: z.literal(true),
  /** Whether more entries match. */
  more: z.boolean(),
  /** Whether some of the entries differ from the query by a typing error. */
  similar: z.boolean(),
  /** RFC 3339, in UTC: when the catalogue was last compared with the disk; null if never. */
  checkedAt: z.nullable(z.string()),
  coverage: Coverage,
});
export type FindEnd = z.output<typeof FindEnd>;

/** The entries that a ranked search found, the best first. */
export const FindResult = z.object({ ...FindEnd.shape, rows: z.array(FindRow) });
export type FindResult = z.output<typeof FindResult>;

const errors = [
  ...pathErrors,
  'bad_request',
  'catalogue_off',
  'too_many_requests',
  'storage_unavailable',
] as const;

export const findFiles = endpoint({
  id: 'findFiles',
  feature: 'search',
  method: 'GET',
  path: '/api/find/*',
  summary: 'Search for entries below a folder by name, the best matches first',
  description:
    'Every word has to be in the name of an entry or of a folder above it, and at least one in the name itself; case and diacritics do not matter, and with few results a typing error in one word of four letters or more is forgiven. `"a phrase"` is one word, `-word` excludes names, `*` and `?` match a whole name. Operators: `ext:pdf,docx`, `type:image` (`video`, `audio`, or an extension), `kind:folder` (`file`, `link`, `image`, `video`, `audio`), `size:>10M` (`<`, `>=`, `1M..5M`), `larger:10M`, `smaller:5M`, `changed:<7d` (`>1y`, `today`, `2026-05`, `2026-05-31T14:21`), `before:2026-05`, `after:7d` (a date or an age), `in:here` (below `near`), `tag:tax` or `tag:"to do"` (with each tag of the caller’s own), `in:favorites`, `case:sensitive`. Anything else is a word, so that no query is invalid; the first eight words count. Whole names come before beginnings of names and of words; then entries below `near`, recently changed ones, folders, and short paths. An empty query with `sort=size` or `sort=modified` returns the largest or latest entries. `offset` returns the next page; with it, also with 0, equally good matches are in a fixed order instead of that of their names, and only entries of the catalogue are found. With `Accept: application/x-ndjson` the response has one entry per line and an end line.',
  access: 'signed_in',
  query: z.object({
    query: z.optional(z.string().check(z.maxLength(maxFindQuery))),
    /** Default: {@link defaultFindRows}. */
    limit: positiveUpTo(maxFindRows),
    /** The number of best matches that are left out. */
    offset: nonNegativeUpTo(maxFindOffset),
    /** Default: `rank`. */
    sort: z.optional(z.enum(findSorts)),
    /** Default: ascending by name, descending by size and time. */
    order: z.optional(z.enum(['asc', 'desc'])),
    /** The path of the open folder. */
    near: z.optional(z.string().check(z.regex(/^\//, 'must begin with a slash'))),
  }),
  responses: {
    200: {
      description: `The matching entries, ${defaultFindRows} unless \`limit\` is given`,
      json: FindResult,
      ndjson: true,
    },
  },
  errors,
});

/** The totals of the entries of a folder that the caller may list. */
export const FolderTotal = z.object({
  /** The name of the folder; empty for the requested one. */
  name: z.string(),
  /** Bytes of all files; null if unknown. A hard link counts under each of its names, a symbolic link as nothing. */
  bytes: z.nullable(z.number()),
  /** Bytes that the files occupy on the disk. */
  allocated: z.nullable(z.number()),
  /** Number of entries that are neither folders nor symbolic links. */
  files: z.nullable(z.int()),
  folders: z.nullable(z.int()),
  /** RFC 3339, in UTC: when the folder itself was last compared with the disk. */
  checkedAt: z.nullable(z.string()),
});
export type FolderTotal = z.output<typeof FolderTotal>;

export const TotalsResult = z.object({
  self: z.nullable(FolderTotal),
  /** The folders in the requested one. */
  rows: z.array(FolderTotal),
  checkedAt: z.nullable(z.string()),
  coverage: Coverage,
});
export type TotalsResult = z.output<typeof TotalsResult>;

export const getTotals = endpoint({
  id: 'getTotals',
  feature: 'space',
  method: 'GET',
  path: '/api/totals/*',
  summary: 'Get the sizes of a folder and of the folders in it',
  description:
    'The sums contain only entries that the caller may list. They are unknown (null) while the catalogue is being built, for folders that are not in it, and where rules with patterns take too long to apply.',
  access: 'signed_in',
  responses: { 200: { description: 'The sums', json: TotalsResult } },
  errors: [...errors, 'not_a_folder'],
});

/** An entry of the map of a folder. */
export const MapRow = z.object({
  /** From the requested folder, without a leading slash. */
  path: z.string(),
  dir: z.boolean(),
  bytes: z.number(),
  allocated: z.number(),
  files: z.int(),
  /** The sum of the entries in the folder that the map leaves out. Absent if it leaves out none, or contains none of them. */
  rest: z.optional(z.object({ bytes: z.number(), allocated: z.number(), files: z.int() })),
});
export type MapRow = z.output<typeof MapRow>;

export const MapResult = z.object({
  /** The requested folder with an empty path; null if unknown. */
  self: z.nullable(MapRow),
  /** Each folder comes before the entries in it, which are in descending order of their size. */
  rows: z.array(MapRow),
  checkedAt: z.nullable(z.string()),
  coverage: Coverage,
});
export type MapResult = z.output<typeof MapResult>;

export const getMap = endpoint({
  id: 'getMap',
  feature: 'space',
  method: 'GET',
  path: '/api/map/*',
  summary: 'Get the entries that use the space of a folder, the largest first',
  description: `The largest folders are opened first, up to \`depth\` levels (1 to ${maxFindDepth}, ${defaultMapDepth} unless given) and \`limit\` entries in total (${maxFindRows} unless given). The map contains only entries that the caller may list.`,
  access: 'signed_in',
  query: z.object({
    /** Default: {@link defaultMapDepth}. */
    depth: positiveUpTo(maxFindDepth),
    /** Default: {@link maxFindRows}. */
    limit: positiveUpTo(maxFindRows),
  }),
  responses: { 200: { description: 'The entries', json: MapResult } },
  errors: [...errors, 'not_a_folder'],
});
