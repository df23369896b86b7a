import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { PermissionName } from './values/permissions.ts';

/** Who may call an endpoint. `self_or_administrator` compares the path parameter `id` with the caller. */
export type CallerKind = 'anyone' | 'signed_in' | 'self_or_administrator' | 'administrator';

/** A permission that is needed only when the query parameter has this value. */
export interface ConditionalNeed {
  query: string;
  equals: string;
  permission: PermissionName;
}

/** One way an endpoint answers. Exactly one of the three body forms, or none for an empty body. */
export interface AnswerSpec {
  description: string;
  json?: z.ZodMiniType;
  /** Another representation, chosen by `Accept`. */
  ndjson?: true;
  /** `text`: a line of plain text; the writing endpoints say `200 OK`. */
  text?: true;
  bytes?: true;
}

/** An endpoint as data: server routes, the web client, the OpenAPI document and the tests derive from it. */
export interface EndpointSpec {
  /** Unique; the `operationId` of the OpenAPI document. */
  id: string;
  /** Groups endpoints in the manual: the feature's name. */
  feature: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Every other method means the same, as existing clients may expect (docs/reference/filebrowser-api.md §1.3). */
  anyMethod?: true;
  /** `{name}` is one segment, a closing `/*` a virtual path that may be empty. */
  path: `/${string}`;
  summary: string;
  description?: string;
  caller: CallerKind;
  /** Permissions the caller must hold, checked before the body is read. */
  needs?: readonly PermissionName[];
  needsWhen?: readonly ConditionalNeed[];
  /** GET and HEAD only: the session may also come from the cookie or the `auth` query parameter. */
  acceptsCookie?: true;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  headers?: z.ZodMiniType;
  /** A schema for JSON; `bytes` for a streamed raw body; absent when a body is ignored. */
  body?: z.ZodMiniType | 'bytes';
  /** Largest JSON body that is read, in bytes. */
  maxBodyBytes?: number;
  /** Most members of all lists and objects of a JSON body together. */
  maxBodyElements?: number;
  answers: Readonly<Record<number, AnswerSpec>>;
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
type JsonAnswer<A> = A extends { json: infer J }
  ? OutputOf<J>
  : A extends { text: true }
    ? string
    : undefined;
/** What `E` answers when it succeeds: the JSON value, or the text. */
export type AnswerOf<E extends EndpointSpec> = {
  [Status in keyof E['answers']]: JsonAnswer<E['answers'][Status]>;
}[keyof E['answers']];
