import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { notReadyReasons } from './values/not-ready-reasons.ts';

export const getHealth = endpoint({
  id: 'getHealth',
  feature: 'operations',
  method: 'GET',
  anyMethod: true,
  path: '/health',
  summary: 'Check whether the server is operational',
  access: 'anyone',
  responses: { 200: { description: 'Operational', json: z.object({ status: z.literal('OK') }) } },
  errors: ['database_unavailable'],
});

export const getLive = endpoint({
  id: 'getLive',
  feature: 'operations',
  method: 'GET',
  path: '/health/live',
  summary: 'Check whether the process answers',
  description:
    'Reads neither the database nor the disk. A service manager restarts a server that does not answer.',
  access: 'anyone',
  responses: { 200: { description: 'The process answers', json: z.object({ status: z.literal('OK') }) } },
  errors: [],
});

/** Limitations of a server that is ready. */
const readinessNotes = ['read_only', 'watches_exhausted'] as const;

const Readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  reasons: z.array(z.enum(notReadyReasons)),
  notes: z.array(z.enum(readinessNotes)),
  /** The version of the server; only for `filestead doctor`, which proves that it runs on the same machine. */
  version: z.optional(z.string()),
});
/** The response of `/health/ready`: `not_ready` if there are reasons. Contains no paths. */
export type Readiness = z.output<typeof Readiness>;

export const getReady = endpoint({
  id: 'getReady',
  feature: 'operations',
  method: 'GET',
  path: '/health/ready',
  summary: 'Check whether the server can serve requests',
  description:
    'Checks the database, the served folder, the data folder and free disk space (`--minFreeSpace`). A load balancer sends requests only to servers that are ready.',
  access: 'anyone',
  responses: {
    200: {
      description:
        'Ready; `read_only` among the notes means that the served folder cannot be written, `watches_exhausted` that the operating system refuses to watch further folders, so that open folders are polled',
      json: Readiness,
    },
    503: { description: 'Not ready, with the reasons', json: Readiness },
  },
  errors: [],
});

/** The form in which a request has reached the server. */
const Arrival = z.object({
  /** The size of the body, and the time between its first and its last part in milliseconds. */
  bodyBytes: z.int(),
  bodyMs: z.number(),
  /** The address that the request counts for, and the address that sent it. */
  client: z.string(),
  peer: z.string(),
  /** Whether forwarding headers of `peer` are trusted, and the one with the addresses; null without it. */
  isPeerTrusted: z.boolean(),
  forwardedFor: z.nullable(z.string()),
  /** Scheme and host of the address that the client used, as far as the server can determine. */
  protocol: z.string(),
  host: z.string(),
});
export type Arrival = z.output<typeof Arrival>;

export const checkProxy = endpoint({
  id: 'checkProxy',
  feature: 'operations',
  method: 'POST',
  path: '/health/proxy',
  summary: 'Report how this request has arrived',
  description:
    'For `filestead doctor --url`, which proves with a file in the data folder that it runs on the machine of the server. Without that proof the response is 404. The response pauses before its end, so that buffering by a proxy is noticed.',
  access: 'anyone',
  body: 'bytes',
  responses: { 200: { description: 'The form in which the request has arrived', json: Arrival } },
  errors: ['not_found', 'payload_too_large'],
});

export const getOpenApi = endpoint({
  id: 'getOpenApi',
  feature: 'operations',
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Get this description as an OpenAPI 3.1 document',
  access: 'anyone',
  responses: { 200: { description: 'The document', json: z.looseObject({ openapi: z.string() }) } },
  errors: [],
});

export const getApiManual = endpoint({
  id: 'getApiManual',
  feature: 'operations',
  method: 'GET',
  path: '/api/docs',
  summary: 'Get this description as an HTML page',
  access: 'anyone',
  responses: { 200: { description: 'An HTML page', bytes: true } },
  errors: [],
});
