import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const SearchResult = z.object({ dir: z.boolean(), path: z.string() });
export type SearchResult = z.output<typeof SearchResult>;

export const searchFiles = endpoint({
  id: 'searchFiles',
  feature: 'search',
  method: 'GET',
  path: '/api/search/*',
  summary: 'Find entries below a folder; a JSON array, or NDJSON as it finds when `Accept` asks for it',
  caller: 'signed_in',
  query: z.object({ query: z.string().check(z.maxLength(1024)) }),
  answers: { 200: { description: 'What was found', json: z.array(SearchResult), ndjson: true } },
  errors: ['invalid_path', 'not_signed_in', 'forbidden', 'not_found'],
});
