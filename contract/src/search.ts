import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** `path` is relative to the folder that was searched, without a leading slash. */
export const SearchResult = z.object({ dir: z.boolean(), path: z.string() });
export type SearchResult = z.output<typeof SearchResult>;

export const searchFiles = endpoint({
  id: 'searchFiles',
  feature: 'search',
  method: 'GET',
  path: '/api/search/*',
  summary: 'Find entries below a folder by their names',
  description:
    'Words are looked for in names, any of them; a query in double quotes is one phrase. `type:image`, `type:video`, `type:audio` (or `type:music`) and `type:pdf` (any extension, with case) narrow the result to one of the types, `case:sensitive` compares with case. An empty query finds everything. A JSON array; with `Accept: application/x-ndjson` one object per line, sent as it is found, with an empty line now and then while nothing is. A client whose `Accept` names neither this nor `application/json` gets the array, or what `--searchFormat` says; sessions in which `X-Encoding` was sent, as the web client of File Browser 2.63 does, get lines.',
  caller: 'signed_in',
  query: z.object({ query: z.optional(z.string().check(z.maxLength(1024))) }),
  answers: { 200: { description: 'What was found', json: z.array(SearchResult), ndjson: true } },
  errors: [
    'bad_request',
    'invalid_path',
    'not_signed_in',
    'forbidden',
    'external_link',
    'not_found',
    'too_many_requests',
  ],
});
