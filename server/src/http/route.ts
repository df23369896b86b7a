import type { AnswerOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from '@filestead/contract/endpoint';
import type { RequestedPath } from '@filestead/contract/virtual-path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';

/** What a handler gets: everything parsed, authorised and typed. No handler reads a raw path, query or body. */
export interface Call<E extends EndpointSpec> {
  /** Whoever is signed in; for endpoints with `caller: 'anyone'` it throws. */
  readonly caller: Caller;
  /** The virtual path after the endpoint's prefix; the root when the endpoint has none. */
  readonly requested: RequestedPath;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Aborted when the client leaves before the answer is complete. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers with a JSON value or a text; `undefined` says `200 OK` for text endpoints, or that the reply was sent by hand. */
export type Handler<E extends EndpointSpec> = (call: Call<E>) => Promise<AnswerOf<E> | undefined>;

export type Route = <E extends EndpointSpec>(app: FastifyInstance, endpoint: E, handler: Handler<E>) => void;
