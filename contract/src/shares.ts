import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Resource } from './files.ts';
import { maxJsonBodyBytes } from './limits.ts';

export const shareUnits = ['seconds', 'minutes', 'hours', 'days'] as const;

/** A public link. Its secrets never leave the server. */
export const Share = z.object({
  hash: z.string(),
  path: z.string(),
  userID: z.int(),
  /** When the link ends, in Unix seconds (UTC); 0 means never. Source: product specification §3. */
  expire: z.int(),
  hasPassword: z.boolean(),
});
export type Share = z.output<typeof Share>;

/** An empty or zero `expires` makes a permanent link; blanks are no password (rulings 14). */
export const ShareRequest = z.object({
  password: z.optional(z.string().check(z.maxLength(1024))),
  expires: z.optional(z.union([z.string().check(z.maxLength(16)), z.number()])),
  unit: z.optional(z.string().check(z.maxLength(16))),
});

export const listShares = endpoint({
  id: 'listShares',
  feature: 'shares',
  method: 'GET',
  path: '/api/shares',
  summary: 'One’s own links; all links for an administrator',
  caller: 'signed_in',
  needs: ['share'],
  answers: { 200: { description: 'The links', json: z.array(Share) } },
  errors: ['not_signed_in', 'forbidden'],
});

export const listSharesOfPath = endpoint({
  id: 'listSharesOfPath',
  feature: 'shares',
  method: 'GET',
  path: '/api/share/*',
  summary: 'The links of one file or folder',
  caller: 'signed_in',
  needs: ['share'],
  answers: { 200: { description: 'The links', json: z.array(Share) } },
  errors: ['invalid_path', 'not_signed_in', 'forbidden'],
});

export const createShare = endpoint({
  id: 'createShare',
  feature: 'shares',
  method: 'POST',
  path: '/api/share/*',
  summary: 'Create a link to a file or folder',
  caller: 'signed_in',
  needs: ['share', 'download'],
  body: z.optional(ShareRequest),
  maxBodyBytes: maxJsonBodyBytes,
  answers: { 200: { description: 'The new link', json: Share } },
  errors: ['bad_request', 'invalid_path', 'not_signed_in', 'forbidden', 'not_found'],
});

export const deleteShare = endpoint({
  id: 'deleteShare',
  feature: 'shares',
  method: 'DELETE',
  path: '/api/share/{hash}',
  summary: 'End a link',
  caller: 'signed_in',
  needs: ['share'],
  params: z.object({ hash: z.string().check(z.maxLength(128)) }),
  answers: { 200: { description: 'Ended', text: true } },
  errors: ['bad_request', 'not_signed_in', 'forbidden', 'not_found'],
});

const publicParams = z.object({ hash: z.string().check(z.maxLength(128)) });
const publicErrors = [
  'invalid_path',
  'not_signed_in',
  'forbidden',
  'not_found',
  'too_many_requests',
] as const;

export const getPublicShare = endpoint({
  id: 'getPublicShare',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/share/{hash}/*',
  summary: 'What a link shows',
  caller: 'anyone',
  params: publicParams,
  query: z.object({ token: z.optional(z.string()) }),
  headers: z.object({ 'x-share-password': z.optional(z.string()) }),
  answers: { 200: { description: 'The shared folder or file', json: Resource } },
  errors: publicErrors,
});

export const getPublicDownload = endpoint({
  id: 'getPublicDownload',
  feature: 'shares',
  method: 'GET',
  path: '/api/public/dl/{hash}/*',
  summary: 'The bytes behind a link',
  caller: 'anyone',
  params: publicParams,
  query: z.object({
    token: z.optional(z.string()),
    inline: z.optional(z.string()),
    files: z.optional(z.string()),
    algo: z.optional(z.string()),
  }),
  headers: z.object({ 'x-share-password': z.optional(z.string()) }),
  answers: {
    200: { description: 'The bytes', bytes: true },
    206: { description: 'A part of them', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...publicErrors, 'range_not_satisfiable'],
});
