import type { ResponseSpec, EndpointSpec } from '@filestead/contract/endpoint';
import { type ErrorCode, errorStatus } from '@filestead/contract/errors';
import { permissionNames } from '@filestead/contract/values/permissions';
import * as z from 'zod/mini';

type Json = { [key: string]: unknown };

/** Bodies by media type. */
type Content = Record<string, { schema?: Json }>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
}

interface Response {
  readonly description: string;
  readonly content?: Content;
}

/** Description of one endpoint in the document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security: readonly Json[];
}

/** An OpenAPI document. */
export interface OpenApiDocument {
  readonly openapi: string;
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly [key: string]: unknown;
}

/** Parameter name of the wildcard in path templates. */
const wildcardName = 'path';

/** Returns the path of an endpoint as the document names it, with its parameters in braces. */
export const documentedPath = ({ path }: EndpointSpec): string => path.replace(/\*$/, `{${wildcardName}}`);

/** The JSON Schema (2020-12, as in OpenAPI 3.1) of a request (`input`) or a response (`output`). */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

function propertiesOf(
  schema: z.ZodMiniType | undefined,
): { name: string; schema: Json; isRequired: boolean }[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: required.includes(name),
  }));
}

function parametersOf(endpoint: EndpointSpec): Parameter[] {
  const inPath = propertiesOf(endpoint.params).map(({ name, schema }): Parameter => ({
    name,
    in: 'path',
    required: true,
    schema,
  }));
  if (endpoint.path.endsWith('/*')) {
    inPath.push({ name: wildcardName, in: 'path', required: true, schema: { type: 'string' } });
  }
  const listed = (location: 'query' | 'header', schema: z.ZodMiniType | undefined): Parameter[] =>
    propertiesOf(schema).map(({ name, schema: property, isRequired }) => ({
      name,
      in: location,
      required: isRequired,
      schema: property,
    }));
  return [...inPath, ...listed('query', endpoint.query), ...listed('header', endpoint.headers)];
}

function contentOf(response: ResponseSpec): Content | undefined {
  const content: Content = {};
  if (response.json !== undefined)
    content['application/json'] = { schema: schemaOf(response.json, 'output') };
  if (response.ndjson === true) content['application/x-ndjson'] = { schema: { type: 'string' } };
  if (response.text === true) content['text/plain'] = { schema: { type: 'string' } };
  if (response.bytes === true) content['application/octet-stream'] = {};
  return Object.keys(content).length === 0 ? undefined : content;
}

function responsesOf(endpoint: EndpointSpec): Record<string, Response> {
  const responses: Record<string, Response> = {};
  for (const [status, response] of Object.entries(endpoint.responses)) {
    const content = contentOf(response);
    responses[status] = { description: response.description, ...(content === undefined ? {} : { content }) };
  }
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of endpoint.errors) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  }
  for (const [status, codes] of byStatus) {
    responses[status] = {
      description: codes.join(', '),
      content: {
        'text/plain': { schema: { type: 'string' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    };
  }
  return responses;
}

function requestBodyOf({ body }: EndpointSpec): Pick<Operation, 'requestBody'> {
  if (body === undefined) return {};
  if (body === 'bytes') {
    return { requestBody: { required: false, content: { 'application/octet-stream': {} } } };
  }
  return { requestBody: { content: { 'application/json': { schema: schemaOf(body, 'input') } } } };
}

/** One sentence that says who may call an endpoint. */
export function accessText(endpoint: EndpointSpec): string {
  const who = {
    anyone: 'Anyone.',
    signed_in: 'Signed-in users.',
    self_or_administrator: 'The user itself, and administrators.',
    administrator: 'Administrators.',
  }[endpoint.access];
  const needs = (endpoint.needs ?? []).map((permission) => `“${permission}”`);
  const conditional = (endpoint.needsWhen ?? []).map(
    ({ query, equals, permission }) => `“${permission}” with ${query}=${equals}`,
  );
  const all = [...needs, ...conditional];
  return all.length === 0 ? who : `${who} Permissions: ${all.join(', ')}.`;
}

function operationOf(endpoint: EndpointSpec): Operation {
  const security = [
    { token: [] },
    ...(endpoint.acceptsCookie === true ? [{ cookie: [] }, { query: [] }] : []),
  ];
  return {
    operationId: endpoint.id,
    tags: [endpoint.feature],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      endpoint.anyMethod === true ? 'Any other method means the same.' : undefined,
      accessText(endpoint),
    ]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    parameters: parametersOf(endpoint),
    ...requestBodyOf(endpoint),
    responses: responsesOf(endpoint),
    security: endpoint.access === 'anyone' ? [] : security,
  };
}

const problemSchema: Json = {
  type: 'object',
  required: ['type', 'status', 'title', 'code'],
  properties: {
    type: { const: 'about:blank' },
    status: { type: 'integer' },
    title: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    detail: { type: 'string' },
    requestId: { type: 'string' },
  },
};

/** Builds the OpenAPI 3.1 document of `endpoints`; `baseUrl` is `''` or `/prefix`. */
export function openApiDocument(
  endpoints: readonly EndpointSpec[],
  { version, baseUrl }: { version: string; baseUrl: string },
): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const path = documentedPath(endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Filestead',
      version,
      summary: 'A self-hosted web file manager.',
      description: `Permissions: ${permissionNames.join(', ')}. Errors are a line of text, or problem details (RFC 9457) when \`Accept\` names JSON.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
    tags: [...new Set(endpoints.map(({ feature }) => feature))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth', description: 'The text that a login returns' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'filestead_session', description: 'Reads only' },
        query: { type: 'apiKey', in: 'query', name: 'auth', description: 'Reads only; can be switched off' },
      },
    },
  };
}
