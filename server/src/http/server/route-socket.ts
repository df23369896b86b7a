import type { EndpointSpec, QueryOf } from '@filestead/contract/endpoint';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setApiHeaders } from '../response/send-response.ts';
import { AppError } from '../../errors.ts';
import { authorize } from '../request/authorize.ts';
import type { UserContext } from '../../access/user-context.ts';
import type { AuthContext } from '../request/authenticator.ts';
import { openRequest, patternsOf } from './route.ts';
import { parseQuery } from '../request/target.ts';

/** An authorized WebSocket handshake. */
export interface SocketCall<E extends EndpointSpec> {
  readonly userContext: UserContext;
  readonly requested: RequestedPath;
  readonly query: QueryOf<E>;
  readonly request: FastifyRequest;
  /**
   * Authenticates and authorizes the user again, with the current session, permissions and files. Throws
   * `not_signed_in`, `forbidden`. `release` releases the resources of the user context.
   */
  reauthenticate(): Promise<Pick<AuthContext, 'userContext' | 'release'>>;
  /** Calls `listener` once when the connection has ended, even if it did not become a WebSocket. */
  onEnd(listener: () => void): void;
}

/** The two phases of a WebSocket. */
export interface SocketHandler<E extends EndpointSpec> {
  /** Called before the handshake is answered. An error becomes the response. */
  beforeHandshake(call: SocketCall<E>): Promise<void>;
  connected(socket: WebSocket, call: SocketCall<E>): void;
}

/** Registers the WebSocket of an endpoint. */
export type RouteSocket = <E extends EndpointSpec>(
  app: FastifyInstance,
  endpoint: E,
  handler: SocketHandler<E>,
) => void;

/**
 * Throws `forbidden` for a page of another origin, because browsers let any page open a WebSocket to any
 * server and send cookies with it. Programs do not send an origin.
 */
function assertAllowedOrigin(request: FastifyRequest, allowedOrigins: readonly string[]): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const ownOrigin = `${request.protocol}://${request.host}`;
  const isOwn =
    URL.canParse(ownOrigin) && URL.canParse(origin) && new URL(origin).origin === new URL(ownOrigin).origin;
  if ((isOwn && new URL(origin).origin === origin.toLowerCase()) || allowedOrigins.includes(origin)) return;
  request.log.info(
    { origin: origin.slice(0, 256), own: ownOrigin },
    'a WebSocket handshake of another origin was refused',
  );
  throw new AppError('forbidden', 'WebSocket connections from pages of other origins are not allowed');
}

/** Registers a WebSocket endpoint of the contract with the same authentication as every route. */
export const routeSocketFrom =
  (allowedOrigins: readonly string[]): RouteSocket =>
  (app, endpoint, { beforeHandshake, connected }) => {
    type E = typeof endpoint;
    const spec: EndpointSpec = endpoint;
    const callOf = (request: FastifyRequest): SocketCall<E> => {
      const { opened } = request;
      if (opened?.authContext == null) throw new Error('a handler ran before its request was opened');
      // The query was parsed with the endpoint's schema.
      const query = opened.query as QueryOf<E>;
      const onEnd = (listener: () => void): void => void request.raw.socket.once('close', listener);
      const { userContext } = opened.authContext;
      const reauthenticate = async (): Promise<AuthContext> => {
        const authContext = await app.authenticator.reauthenticate(
          userContext.user.id,
          userContext.sessionId,
        );
        if (authContext === null) throw new AppError('not_signed_in');
        try {
          authorize(spec, authContext.userContext.user, {
            params: {},
            query: parseQuery(request.raw.url ?? '/'),
          });
        } catch (error) {
          authContext.release();
          throw error;
        }
        return authContext;
      };
      return { userContext, requested: opened.requested, query, request, reauthenticate, onEnd };
    };
    for (const url of patternsOf(spec)) {
      app.routed.set(url, [...(app.routed.get(url) ?? []), spec]);
      app.route({
        method: ['GET', 'HEAD'],
        url,
        exposeHeadRoute: false,
        onRequest: async (request, reply) => {
          setApiHeaders(reply);
          request.audit.endpoint = spec;
          // The connection is closed after a refused handshake. The second header shows `doctor --url` that it has arrived.
          if (request.ws) reply.header('connection', 'close').header('x-handshake', 'websocket');
          await openRequest(app, spec, request, reply);
          assertAllowedOrigin(request, allowedOrigins);
          if (!request.ws) throw new AppError('bad_request', 'a WebSocket handshake is expected');
          await beforeHandshake(callOf(request));
        },
        handler: (_request, reply) => reply,
        wsHandler: (socket, request) => connected(socket, callOf(request)),
      });
    }
  };
