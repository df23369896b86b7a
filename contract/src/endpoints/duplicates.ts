import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { EntryType } from '../files.ts';
import { jobId } from '../jobs.ts';
import { defaultDuplicateGroups, maxDuplicateGroups } from '../values/limits.ts';
import { positiveUpTo } from '../values/query-numbers.ts';
import { idErrors } from '../values/error-groups.ts';

/** One of several files with equal contents. */
export const DuplicateFile = z.object({
  path: z.string(),
  /** RFC 3339, in the server's time zone. */
  modified: z.string(),
  /** As in listings. */
  type: EntryType,
});
export type DuplicateFile = z.output<typeof DuplicateFile>;

/** Files with equal contents, at least two. */
export const DuplicateGroup = z.object({
  /** Bytes of each file. */
  size: z.number(),
  /** SHA-256 of the contents, in hexadecimal. */
  checksum: z.string(),
  /** The oldest first. */
  files: z.array(DuplicateFile),
});
export type DuplicateGroup = z.output<typeof DuplicateGroup>;

export const DuplicatesResult = z.object({
  /** The searched folder. */
  folder: z.string(),
  /** The groups found so far; those that would free the most space first. */
  groups: z.array(DuplicateGroup),
  /** Whether there are further groups. */
  more: z.boolean(),
  /** The number of files that could not be read. */
  unreadable: z.int(),
});
export type DuplicatesResult = z.output<typeof DuplicatesResult>;

export const listDuplicates = endpoint({
  id: 'listDuplicates',
  feature: 'jobs',
  method: 'GET',
  path: '/api/jobs/duplicates/{id}',
  summary: 'List the files with equal contents that a job has found so far',
  description:
    'A group contains only files that the caller may list now and that have not changed since they were compared; a group of one is left out. Empty files, symbolic links and hard links are not reported.',
  access: 'signed_in',
  needs: ['download'],
  params: jobId,
  query: z.object({
    /** Default: {@link defaultDuplicateGroups}. */
    limit: positiveUpTo(maxDuplicateGroups),
  }),
  responses: {
    200: {
      description: `The groups, ${defaultDuplicateGroups} unless \`limit\` is given`,
      json: DuplicatesResult,
    },
  },
  errors: idErrors,
});
