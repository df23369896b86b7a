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
