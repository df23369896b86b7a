import type { ResponseOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from '@filestead/contract/endpoint';
import { maxJsonBodyBytes, maxJsonBodyElements } from '@filestead/contract/values/limits';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import * as z from 'zod/mini';
import { sendJson, sendText, setApiHeaders, statusLine } from '../response/send-response.ts';
import { closeBegunResponse } from '../response/error-handler.ts';
import { AppError, isAppError } from '../../errors.ts';
import { authenticateRequest, authorize } from '../request/authorize.ts';
import type { UserContext } from '../../access/user-context.ts';
import type { AuthContext, Authenticator, HttpOptions } from '../request/authenticator.ts';
import { isFromProgram, readJson, streamBody } from '../request/request-body.ts';
import type { RunningRequest, RunningRequests } from './running-requests.ts';
import { literalPrefix, matchTarget, parseQuery, rawPathOf } from '../request/target.ts';

/**
 * Arguments of a handler, parsed, authorized and typed. Handlers do not read raw paths, queries or bodies.
 */
export interface Call<E extends EndpointSpec> {
  /** Context of the signed-in user. Throws for endpoints with `access: 'anyone'`. */
  readonly userContext: UserContext;
  /** The virtual path after the endpoint's prefix; the root if the endpoint has none. */
  readonly requested: RequestedPath;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /**
   * Reads the JSON body of a route with `readsBody`, once, after the handler's own checks. Throws the errors
   * of the body.
   */
  readonly readBody: () => Promise<BodyOf<E>>;
  /**
   * The streamed body of a `bytes` endpoint, to be read once. Throws `payload_too_large`. Ending the
   * iteration early keeps the connection usable for the response, unlike iterating over `request.raw`.
   */
  readonly content: AsyncIterable<Uint8Array>;
  /**
   * Aborted when the client disconnects before the response is complete, or when the permission for the
   * request is lost; the reason is then the error for the response.
   */
  readonly signal: AbortSignal;
  /** Returns `signal`, for work that seldom needs it: creating one takes as long as a whole step of a short request. */
  readonly getSignal: () => AbortSignal;
  /**
   * Adds a condition for continuing the request, checked again whenever permissions change; see {@link
   * RunningRequest}.
   */
  readonly keepChecking: (check: () => Promise<void>) => void;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Returns a JSON value or a string. `undefined` means `200 OK` for text endpoints, or that the response was
 * sent directly.
 */
export type Handler<E extends EndpointSpec> = (call: Call<E>) => Promise<ResponseOf<E> | undefined>;

/** Registers an endpoint with its handler. */
export type Route = <E extends EndpointSpec>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  options?: {
    /** Runs after authentication and before the body is read. An error becomes the response. */
    before?: () => void;
    /** The handler calls {@link Call.readBody} after further checks; `body` is undefined. */
    readsBody?: boolean;
  },
) => void;

/**
 * The uses of the user context of a request: by its response, and by its handler, which goes on when the client disconnects. An
 * interrupted upload, for example, measures then what has arrived.
 */
class ContextUse {
  readonly #release: () => void;
  #uses = 1;

  /** The response uses the context from the beginning. */
  constructor(release: () => void) {
    this.#release = release;
  }

  /** Must be called when the handler begins. */
  begin(): void {
    this.#uses++;
  }

  /** Must be called at the end of each use. Releases the context after the last one. */
  end(): void {
    if (--this.#uses === 0) this.#release();
  }
}

/** The parsed parts of a request before its handler runs. */
interface Opened {
  readonly requested: RequestedPath;
  readonly params: unknown;
  readonly query: unknown;
  readonly authContext: AuthContext | null;
  /** Null without a user context. */
  readonly contextUse: ContextUse | null;
  readonly running: RunningRequest;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly authenticator: Authenticator;
    readonly httpOptions: HttpOptions;
    readonly runningRequests: RunningRequests;
    /** Endpoints with a route, by the framework's URL pattern. */
    readonly routed: Map<string, EndpointSpec[]>;
  }
  interface FastifyRequest {
    opened: Opened | null;
  }
}

/** A media type with or without parameters (RFC 9110 §8.3.1). */
const wellFormedType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Prepares `app` for {@link route}. */
export function prepareRoutes(
  app: FastifyInstance,
  authenticator: Authenticator,
  runningRequests: RunningRequests,
  options: HttpOptions,
): void {
  app.decorate('authenticator', authenticator);
  app.decorate('runningRequests', runningRequests);
  app.addHook('onClose', async () => runningRequests.close());
  app.decorate('httpOptions', options);
  app.decorate('routed', new Map());
  app.decorateRequest('opened', null);
  // A malformed type counts as none: the framework would refuse it even where no type is required.
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    if (!wellFormedType.test(headers['content-type'] ?? '')) delete headers['content-type'];
  });
  // Bodies are read by our own code, after authorization and up to the endpoint's limit.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

type Issue = z.core.$ZodIssue;

/** Returns the issue that a response names. For a union it is that of the only member that has all properties of the value. */
function namedIssue([issue]: readonly Issue[]): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const members = issue.errors.filter((issues) => issues.every(({ code }) => code !== 'unrecognized_keys'));
  const inner = members.length === 1 ? namedIssue(members[0] ?? []) : undefined;
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] };
}

/** Parses `value` with `schema`, or throws `code` with the path and the message of the first issue. */
function parseBy(
  schema: z.ZodMiniType | undefined,
  value: unknown,
  part: string,
  code: 'bad_request' | 'not_found' = 'bad_request',
): unknown {
  if (schema === undefined) return {};
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const issue = namedIssue(result.error.issues);
  const path = [part, ...(issue?.path ?? []).map(String)].join('.').slice(0, 128);
  throw new AppError(code, `${path}: ${(issue?.message ?? 'invalid').slice(0, 256)}`);
}

/** Authenticates, authorizes and parses everything but the body. */
async function open(
  app: FastifyInstance,
  endpoint: EndpointSpec,
  request: FastifyRequest,
): Promise<Omit<Opened, 'running'>> {
  const target = request.raw.url ?? '/';
  const query = parseQuery(target);
  const authContext =
    endpoint.access === 'anyone'
      ? null
      : await authenticateRequest(app.authenticator, app.httpOptions, endpoint, request, query);
  if (authContext !== null) {
    const { id, username } = authContext.userContext.user;
    request.audit.actor = { id, name: username };
  }
  const { params, requested } = matchTarget(endpoint.path, rawPathOf(target));
  if (authContext !== null) authorize(endpoint, authContext.userContext.user, { params, query });
  const missing = endpoint.errors.includes('bad_request') ? 'bad_request' : 'not_found';
  return {
    authContext,
    contextUse: authContext === null ? null : new ContextUse(authContext.release),
    requested,
    params: parseBy(endpoint.params, params, 'path', missing),
    query: parseBy(endpoint.query, query, 'query'),
  };
}

/**
 * Opens a request: authenticates, authorizes and parses it, and checks its permission again until it ends.
 */
export async function openRequest(
  app: FastifyInstance,
  endpoint: EndpointSpec,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const opened = await open(app, endpoint, request);
  const running = app.runningRequests.begin(reply.raw);
  request.opened = { running, ...opened };
  const { authContext, contextUse } = opened;
  if (authContext === null || contextUse === null) return;
  reply.raw.once('close', () => contextUse.end());
  running.keepChecking(() => checkAgain(endpoint, authContext.userContext, opened, request));
  if (authContext.shouldRenew) reply.header('x-renew-token', 'true');
}

/**
 * Checks the permissions of a running request against the stored state. Throws `not_signed_in`, `forbidden`.
 */
async function checkAgain(
  endpoint: EndpointSpec,
  userContext: UserContext,
  { params, requested }: Pick<Opened, 'params' | 'requested'>,
  { raw }: FastifyRequest,
): Promise<void> {
  const user = await userContext.refresh();
  const query = parseQuery(raw.url ?? '/');
  authorize(endpoint, user, { params: params as Readonly<Record<string, string>>, query });
  // The rules may meanwhile deny the path that is being sent.
  if (endpoint.path.endsWith('/*') && !raw.destroyed)
    await (await userContext.storage()).assertAllowed(requested.path);
}

/** Reads the JSON body of an endpoint that has one. */
async function readBody(
  endpoint: EndpointSpec,
  request: FastifyRequest,
  running: RunningRequest,
): Promise<unknown> {
  const { body, maxBodyBytes = maxJsonBodyBytes, maxBodyElements = maxJsonBodyElements } = endpoint;
  if (body === undefined || body === 'bytes') return undefined;
  // A signed-in user sent the token in a header here, because no body is read for requests authenticated by
  // cookie.
  const anyType = endpoint.access !== 'anyone' || isFromProgram(request.headers);
  try {
    const limits = { maxBytes: maxBodyBytes, maxElements: maxBodyElements };
    return parseBy(body, await readJson(request, { anyType, signal: running.signal, ...limits }), 'body');
  } catch (error) {
    // At sign-in an invalid body is answered like a wrong password (docs/reference/filebrowser-api.md §1.4).
    const isWrong = isAppError(error, 'bad_request') && endpoint.errors.includes('wrong_credentials');
    throw isWrong ? new AppError('wrong_credentials', error.message, { cause: error }) : error;
  }
}

/**
 * The call of a handler. A class, because each object literal with a getter gets a hidden class of its own, which V8 keeps in the old
 * generation with all that the getter refers to: the whole request. See docs/decisions/0045-objects-of-a-request.md.
 */
class RouteCall<E extends EndpointSpec> implements Call<E> {
  readonly #app: FastifyInstance;
  readonly #opened: Opened;
  readonly requested: RequestedPath;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly readBody: () => Promise<BodyOf<E>>;
  readonly getSignal: () => AbortSignal;
  readonly keepChecking: (check: () => Promise<void>) => void;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;

  constructor(
    app: FastifyInstance,
    opened: Opened,
    { body, read }: { body: unknown; read: () => Promise<unknown> },
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.#app = app;
    this.#opened = opened;
    this.requested = opened.requested;
    // These three were parsed with the schemas of `E`.
    this.params = opened.params as ParamsOf<E>;
    this.query = opened.query as QueryOf<E>;
    this.body = body as BodyOf<E>;
    this.readBody = () => read() as Promise<BodyOf<E>>;
    this.getSignal = () => opened.running.signal;
    this.keepChecking = (check) => opened.running.keepChecking(check);
    this.request = request;
    this.reply = reply;
  }

  get userContext(): UserContext {
    if (this.#opened.authContext === null) throw new AppError('not_signed_in');
    return this.#opened.authContext.userContext;
  }

  get content(): Call<E>['content'] {
    return streamBody(this.request.raw, this.#app.httpOptions.maxUploadBytes);
  }

  get signal(): AbortSignal {
    return this.#opened.running.signal;
  }
}

/** Returns the framework's URL patterns for an endpoint; {@link matchTarget} does the exact match. */
export function patternsOf({ path }: EndpointSpec): string[] {
  const prefix = literalPrefix(path);
  if (prefix === path) return [path];
  return path === `${prefix}*` ? [prefix.slice(0, -1), `${prefix}*`] : [`${prefix}*`];
}

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function methodsOf({ method, anyMethod }: EndpointSpec): HTTPMethods[] {
  if (anyMethod === true) return [...allMethods];
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Registers an endpoint of the contract. `HEAD` is served with `GET`. */
export const route: Route = (app, endpoint, handler, { before, readsBody = false } = {}) => {
  const spec: EndpointSpec = endpoint;
  const status = Math.min(...Object.keys(spec.responses).map(Number));
  const isText = Object.values(spec.responses).some((response) => response.text === true);
  const method = methodsOf(spec);
  for (const url of patternsOf(spec)) {
    app.routed.set(url, [...(app.routed.get(url) ?? []), spec]);
    app.route({
      method,
      url,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        setApiHeaders(reply);
        request.audit.endpoint = spec;
        await openRequest(app, spec, request, reply);
        before?.();
      },
      handler: async (request, reply) => {
        if (request.opened === null) throw new Error('a handler ran before its request was opened');
        const { opened } = request;
        const read = (): Promise<unknown> => readBody(spec, request, opened.running);
        let result: Awaited<ReturnType<typeof handler>>;
        opened.contextUse?.begin();
        try {
          const body = readsBody ? undefined : await read();
          reply.code(status);
          result = await handler(new RouteCall<typeof endpoint>(app, opened, { body, read }, request, reply));
        } catch (error) {
          if (!reply.sent) throw error;
          closeBegunResponse(error, request, reply, opened.running.signal);
          return reply;
        } finally {
          opened.contextUse?.end();
        }
        if (reply.sent) return reply;
        if (typeof result === 'string') return sendText(reply, result);
        if (result !== undefined) return sendJson(reply, result);
        return isText ? sendText(reply, statusLine(reply.statusCode)) : reply;
      },
    });
  }
};

/** Returns the methods of the endpoints at a raw path, in alphabetical order. */
function methodsAt(app: FastifyInstance, rawPath: string): string[] {
  const found = [...app.routed].filter(([url]) =>
    url.endsWith('*') ? rawPath.startsWith(url.slice(0, -1)) : rawPath === url,
  );
  return [...new Set(found.flatMap(([, endpoints]) => endpoints.flatMap(methodsOf)))].sort();
}

/**
 * Throws `method_not_allowed`, with the header `Allow`, when the path of a request without a route has endpoints of other
 * methods only. A route for each refused method would double the routes of the server, and the time to register them.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  { method }: FastifyRequest,
  rawPath: string,
  reply: FastifyReply,
): void {
  const methods = methodsAt(app, rawPath);
  if (methods.length === 0 || methods.includes(method)) return;
  reply.header('allow', methods.join(', '));
  throw new AppError('method_not_allowed');
}

/** Returns a message for each declared endpoint without a route and each route that is not declared. */
export function routingMistakes(app: FastifyInstance, declared: readonly EndpointSpec[]): string[] {
  const ids = [...app.routed.values()].flat().map((endpoint) => endpoint.id);
  const known = new Set(declared.map((endpoint) => endpoint.id));
  const missing = declared
    .filter((endpoint) => !ids.includes(endpoint.id))
    .map(({ id }) => `${id} has no route`);
  const foreign = ids.filter((id) => !known.has(id)).map((id) => `${id} is not declared`);
  return [...missing, ...new Set(foreign)];
}
