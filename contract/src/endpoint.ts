import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { PermissionName } from './values/permissions.ts';

/** The users that may call an endpoint. `self_or_administrator` compares the path parameter `id` with the signed-in user. */
export type EndpointAccess = 'anyone' | 'signed_in' | 'self_or_administrator' | 'administrator';

/** A permission that is required only if the query parameter has this value. */
export interface ConditionalNeed {
  query: string;
  equals: string;
  permission: PermissionName;
}

/** One response of an endpoint. It has exactly one of the three body forms, or none for an empty body. */
export interface ResponseSpec {
  description: string;
  json?: z.ZodMiniType;
  /** An alternative NDJSON representation, negotiated by `Accept`. */
  ndjson?: true;
  /** `text`: one line of plain text; endpoints that write return `200 OK`. */
  text?: true;
  bytes?: true;
}

/** An endpoint as data. The server's routes, the web client, the OpenAPI document and the tests are derived from it. */
export interface EndpointSpec {
  /** Unique. The `operationId` of the OpenAPI document. */
  id: string;
  /** The feature that the endpoint belongs to; groups endpoints in the API documentation. */
  feature: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Accept every other method as well, as existing clients expect (docs/reference/filebrowser-api.md §1.3). */
  anyMethod?: true;
  /** The path pattern: `{name}` matches one segment, a trailing `/*` a virtual path that may be empty. */
  path: `/${string}`;
  summary: string;
  description?: string;
  access: EndpointAccess;
  /** Requested by an open page without an action of its user: does not count as use of the session, which may expire meanwhile. */
  isAutomatic?: true;
  /** Permissions that the user must have; checked before the body is read. */
  needs?: readonly PermissionName[];
  needsWhen?: readonly ConditionalNeed[];
  /** GET and HEAD only: the token may also be sent as the cookie or as the `auth` query parameter. */
  acceptsCookie?: true;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  headers?: z.ZodMiniType;
  /** A schema for a JSON body; `bytes` for a streamed raw body; absent if a body is ignored. */
  body?: z.ZodMiniType | 'bytes';
  /** Maximum size of the JSON body, in bytes. */
  maxBodyBytes?: number;
  /** Maximum number of elements of all arrays and objects of the JSON body together. */
  maxBodyElements?: number;
  responses: Readonly<Record<number, ResponseSpec>>;
  errors: readonly ErrorCode[];
}

/** Declares an endpoint and keeps its exact type. */
export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

type OutputOf<T> = T extends z.ZodMiniType ? z.output<T> : unknown;
type InputOf<T> = T extends z.ZodMiniType ? z.input<T> : unknown;

/** The parsed query parameters of `E`. */
export type QueryOf<E extends EndpointSpec> = E extends { query: infer Q }
  ? OutputOf<Q>
  : Record<never, never>;
/** The query parameters that a client may send to `E`. */
export type QueryInputOf<E extends EndpointSpec> = E extends { query: infer Q }
  ? InputOf<Q>
  : Record<never, never>;
/** The parsed path parameters of `E`. */
export type ParamsOf<E extends EndpointSpec> = E extends { params: infer P }
  ? OutputOf<P>
  : Record<never, never>;
/** The parsed JSON body of `E`; `undefined` when it takes none. */
export type BodyOf<E extends EndpointSpec> = E extends { body: infer B }
  ? B extends 'bytes'
    ? undefined
    : OutputOf<B>
  : undefined;
/** The JSON body that a client may send to `E`. */
export type BodyInputOf<E extends EndpointSpec> = E extends { body: infer B }
  ? B extends 'bytes'
    ? undefined
    : InputOf<B>
  : undefined;
type JsonResponse<A> = A extends { json: infer J }
  ? OutputOf<J>
  : A extends { text: true }
    ? string
    : undefined;
/** The successful response of `E`: the JSON value, or the text. */
export type ResponseOf<E extends EndpointSpec> = {
  [Status in keyof E['responses']]: JsonResponse<E['responses'][Status]>;
}[keyof E['responses']];
