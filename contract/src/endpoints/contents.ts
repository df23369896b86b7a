import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { defaultContentRows, maxContentRows, maxFindQuery } from '../values/limits.ts';
import { positiveUpTo } from '../values/query-numbers.ts';
import { FindRow } from './find.ts';
import { pathErrors } from '../values/error-groups.ts';

/** A part of a document around the words that were searched for. */
export const Snippet = z.object({
  /** White space is collapsed. */
  text: z.string(),
  /** The parts of the text that match, as [start, end) in UTF-16 code units, in ascending order and without overlaps. */
  matches: z.readonly(z.array(z.readonly(z.tuple([z.int(), z.int()])))),
});
export type Snippet = z.output<typeof Snippet>;

/** A file whose content matches. */
export const ContentRow = z.object({
  path: FindRow.shape.path,
  /** Bytes. */
  size: z.number(),
  modified: FindRow.shape.modified,
  type: FindRow.shape.type,
  favorite: FindRow.shape.favorite,
  tags: FindRow.shape.tags,
  /** Absent if it could not be made in time. */
  snippet: z.optional(Snippet),
});
export type ContentRow = z.output<typeof ContentRow>;

/** The last line of a complete NDJSON list. A list without it was truncated. */
export const ContentEnd = z.object({
  end: z.literal(true),
  /** Whether more files match. */
  more: z.boolean(),
  /**
   * The percentage of all documents of the server that have been read and are searched; 100 only if all have, including every change
   * that the server knew of when the search began. Null while the documents are being listed.
   */
  percent: z.nullable(z.int()),
});
export type ContentEnd = z.output<typeof ContentEnd>;

/** The files whose content matches, the best first. */
export const ContentResult = z.object({ ...ContentEnd.shape, rows: z.array(ContentRow) });
export type ContentResult = z.output<typeof ContentResult>;

export const findContents = endpoint({
  id: 'findContents',
  feature: 'search',
  method: 'GET',
  path: '/api/contents/*',
  summary: 'Search for files below a folder by their text, the best matches first',
  description: `Searches texts, PDF files, and documents of Word, Excel, PowerPoint and OpenDocument. All words have to occur in the text, in any order; case and diacritics do not matter. A word of three letters or more also matches the beginning of a longer one, unless it is quoted; \`"a phrase"\` matches words that follow each other, \`-word\` excludes files. The operators of \`/api/find\` restrict the files: \`ext:\`, \`type:\`, \`size:\`, \`changed:\`, \`in:\`, \`tag:\`. A query without words finds nothing. Each file is opened with the caller’s permissions before it is returned. Its row contains the part of the text that matches, unless the parts of all files take longer than 2.5 seconds. The texts themselves are not stored. With \`Accept: application/x-ndjson\` the response has one file per line and an end line, and lines are sent as soon as their file was read.`,
  access: 'signed_in',
  needs: ['download'],
  query: z.object({
    query: z.string().check(z.maxLength(maxFindQuery)),
    /** Default: {@link defaultContentRows}. */
    limit: positiveUpTo(maxContentRows),
    /** The path of the open folder, to which `in:here` refers. */
    near: z.optional(z.string().check(z.regex(/^\//, 'must begin with a slash'))),
  }),
  responses: {
    200: {
      description: `The matching files, ${defaultContentRows} unless \`limit\` is given`,
      json: ContentResult,
      ndjson: true,
    },
  },
  errors: [...pathErrors, 'bad_request', 'contents_off', 'too_many_requests', 'storage_unavailable'],
});
