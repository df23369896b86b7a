import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

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

/** The reasons for which a server should receive no requests; the log has the details. */
export const notReadyReasons = [
  'stopping',
  'database_unavailable',
  'root_unavailable',
  'data_not_writable',
  'disk_space_low',
] as const;
export type NotReadyReason = (typeof notReadyReasons)[number];

/** Limitations of a server that is ready. */
const readinessNotes = ['read_only', 'watches_exhausted'] as const;

const Readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  reasons: z.array(z.enum(notReadyReasons)),
  notes: z.array(z.enum(readinessNotes)),
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
