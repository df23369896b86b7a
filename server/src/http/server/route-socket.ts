import type { EndpointSpec, QueryOf } from '@filestead/contract/endpoint';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setApiHeaders } from '../response/answer.ts';
import { AppError } from '../../errors.ts';
import { authorise } from '../request/authorise.ts';
import type { UserContext } from '../../access/user-context.ts';
import type { AuthContext } from '../request/authenticator.ts';
import { openRequest, patternsOf } from './route.ts';
import { parseQuery } from '../request/target.ts';

/** What is known of a WebSocket handshake once it is authorised. */
export interface SocketCall<E extends EndpointSpec> {
  readonly userContext: UserContext;
  readonly requested: RequestedPath;
  readonly query: QueryOf<E>;
  readonly request: FastifyRequest;
  /**
   * Lets the caller in once more, with session, rights and files as of now. Throws `not_signed_in`, `forbidden`. `release` gives
   * back what the caller has opened.
   */
  renewed(): Promise<Pick<AuthContext, 'userContext' | 'release'>>;
  /** Calls `listener` once when the connection has ended, whether or not it became a socket. */
  onEnd(listener: () => void): void;
}

/** The two parts of a socket's life. */
export interface SocketHandler<E extends EndpointSpec> {
  /** Before the handshake is answered; what it throws is the answer. */
  admit(call: SocketCall<E>): Promise<void>;
  connected(socket: WebSocket, call: SocketCall<E>): void;
}

export type RouteSocket = <E extends EndpointSpec>(
  app: FastifyInstance,
  endpoint: E,
  handler: SocketHandler<E>,
) => void;

/**
 * Throws `forbidden` when a page of another origin wants the connection: browsers let any page open sockets anywhere, and
 * send cookies along. Programs send no origin.
 */
function checkOrigin(request: FastifyRequest, allowedOrigins: readonly string[]): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const own = `${request.protocol}://${request.host}`;
  const isOwn = URL.canParse(own) && URL.canParse(origin) && new URL(origin).origin === new URL(own).origin;
  if ((isOwn && new URL(origin).origin === origin.toLowerCase()) || allowedOrigins.includes(origin)) return;
  request.log.info(
    { origin: origin.slice(0, 256), own },
    'a page of another origin wanted the command socket',
  );
  throw new AppError('forbidden', 'the page is not of this server');
}

/** Puts a WebSocket endpoint of the contract on the server, behind the same gate as every route. */
export const routeSocketFrom =
  (allowedOrigins: readonly string[]): RouteSocket =>
  (app, endpoint, { admit, connected }) => {
    type E = typeof endpoint;
    const spec: EndpointSpec = endpoint;
    const callOf = (request: FastifyRequest): SocketCall<E> => {
      const { opened } = request;
      if (opened?.authContext == null) throw new Error('a handler ran before its request was opened');
      // The endpoint's own schema made the query.
      const query = opened.query as QueryOf<E>;
      const onEnd = (listener: () => void): void => void request.raw.socket.once('close', listener);
      const { userContext } = opened.authContext;
      const renewed = async (): Promise<AuthContext> => {
        const authContext = await app.authenticator.reauthenticate(
          userContext.user.id,
          userContext.sessionId,
        );
        if (authContext === null) throw new AppError('not_signed_in');
        try {
          authorise(spec, authContext.userContext.user, {
            params: {},
            query: parseQuery(request.raw.url ?? '/'),
          });
        } catch (error) {
          authContext.release();
          throw error;
        }
        return authContext;
      };
      return { userContext, requested: opened.requested, query, request, renewed, onEnd };
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
          // A refused handshake is the last thing on its connection.
          if (request.ws) reply.header('connection', 'close');
          await openRequest(app, spec, request, reply);
          checkOrigin(request, allowedOrigins);
          if (!request.ws) throw new AppError('bad_request', 'a WebSocket handshake is expected');
          await admit(callOf(request));
        },
        handler: (_request, reply) => reply,
        wsHandler: (socket, request) => connected(socket, callOf(request)),
      });
    }
  };
