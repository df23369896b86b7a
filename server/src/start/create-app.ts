import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type FastifyBaseLogger, type FastifyInstance, LogController, fastify } from 'fastify';
import type { Config } from '../config/config.ts';
import { trustedPeers } from '../http/request/client-address.ts';
import { withSeparators, withoutBase, withoutOrigin } from '../http/request/target.ts';
import { logAndSendError } from '../http/response/error-handler.ts';
import { prepareAudit } from '../http/server/audit.ts';
import { type Tls, createServer } from '../http/server/http-server.ts';
import { createRequestLogger } from '../http/server/request-logger.ts';

/** Called by Fastify for a route with a JSON schema, which the build leaves the compilers out for. */
function assertNoSchema(): never {
  throw new Error('routes check their input with the schemas of the contract');
}

/** The parts that an application is created from. */
export interface AppFrame {
  readonly logger: FastifyBaseLogger;
  readonly config: Pick<Config, 'trustedProxies' | 'baseUrl' | 'hstsMs'>;
  readonly options: {
    readonly tls: Tls | null;
    readonly onServer?: (server: Server) => void;
  };
}

/** Creates the Fastify application without routes. */
export function createApp({ logger, config, options }: AppFrame): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    childLoggerFactory: createRequestLogger,
    // Requests are logged by log-request.ts instead.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: trustedPeers(config.trustedProxies),
    rewriteUrl: (request) => withSeparators(withoutBase(withoutOrigin(request.url ?? '/'), config.baseUrl)),
    routerOptions: { maxParamLength: 32 * 1024 },
    exposeHeadRoutes: false,
    // Routes have no JSON schemas for Fastify; see route.ts. Without these functions it loads its two compilers at the start.
    schemaController: {
      compilersFactory: { buildValidator: assertNoSchema, buildSerializer: assertNoSchema },
    },
    // During shutdown, open connections are closed after their current response instead.
    return503OnClosing: false,
    serverFactory(listener) {
      const server = createServer(listener, options.tls, config.hstsMs);
      options.onServer?.(server);
      return server;
    },
    frameworkErrors: (error, request, reply) => {
      logAndSendError(error, request, reply);
    },
  });
  prepareAudit(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  return app;
}
