import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { pathErrors } from './values/error-groups.ts';

/** `path` is relative to the searched folder, without a leading slash. */
export const SearchResult = z.object({ dir: z.boolean(), path: z.string() });
export type SearchResult = z.output<typeof SearchResult>;

export const searchFiles = endpoint({
  id: 'searchFiles',
  feature: 'search',
  method: 'GET',
  path: '/api/search/*',
  summary: 'Search for entries below a folder by name',
  description:
    'An entry matches if its name contains any of the words; a query in double quotes is one phrase. `type:image`, `type:video`, `type:audio` (or `type:music`) and `type:pdf` (any extension, case-sensitive) restrict the result to one of the types; `case:sensitive` makes the comparison case-sensitive. An empty query matches everything. The response is a JSON array; with `Accept: application/x-ndjson` it is one object per line, sent as soon as it is found, with an empty line from time to time as a keep-alive. A client whose `Accept` contains neither this nor `application/json` gets the array, or the format set by `--searchFormat`; sessions in which `X-Encoding` was sent, as the web client of File Browser 2.63 does, get lines.',
  access: 'signed_in',
  query: z.object({ query: z.optional(z.string().check(z.maxLength(1024))) }),
  responses: { 200: { description: 'The matching entries', json: z.array(SearchResult), ndjson: true } },
  errors: [...pathErrors, 'bad_request', 'too_many_requests'],
});
