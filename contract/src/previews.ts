import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const previewSizes = ['thumb', 'big'] as const;

export const getPreview = endpoint({
  id: 'getPreview',
  feature: 'previews',
  method: 'GET',
  path: '/api/preview/{size}/*',
  summary: 'A small picture of a file',
  caller: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params: z.object({ size: z.enum(previewSizes) }),
  query: z.object({
    inline: z.optional(z.string()),
    key: z.optional(z.string()),
    auth: z.optional(z.string()),
  }),
  answers: { 200: { description: 'The picture', bytes: true }, 304: { description: 'Not modified' } },
  errors: ['bad_request', 'invalid_path', 'not_signed_in', 'forbidden', 'not_found', 'not_built'],
});
