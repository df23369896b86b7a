import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { LetterCase } from '@filestead/contract/match-rules';
import { type FastifyBaseLogger, type FastifyInstance, LogController, fastify } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { SignInMethod } from '../../config/auth-method.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/database.ts';
import { trustedPeers } from '../../http/request/client-address.ts';
import { withSeparators, withoutBase, withoutOrigin } from '../../http/request/target.ts';
import { logAndSendError } from '../../http/response/error-handler.ts';
import { prepareAudit } from '../../http/server/audit.ts';
import { type Tls, createServer } from '../../http/server/http-server.ts';
import { createRequestLogger } from '../../http/server/request-logger.ts';
import type { DiskPaths } from '../../storage/disk/disk-paths.ts';
import type { TreeScan } from '../../storage/disk/scan/open-scan.ts';
import type { Storage } from '../../storage/storage.ts';

/** Called by Fastify for a route with a JSON schema; the compilers of such schemas are not part of the build. */
function assertNoSchema(): never {
  throw new Error('routes check their input with the schemas of the contract');
}

/** Parameters of a start that are not options of the configuration. */
export interface AppOptions {
  readonly tls: Tls | null;
  readonly signIn: SignInMethod;
  /** Name of the served folder, used for the names of archives. */
  readonly rootName: string;
  /** Disk paths that are never served. */
  readonly excludedPaths: readonly string[];
  /** The folder of cached thumbnails and previews. */
  readonly previewFolder: string;
  /** The folder of the built web application. */
  readonly webFolder: string;
  /** Called with each HTTP server that is created to listen on an address. */
  readonly onServer?: (server: Server) => void;
  /** Called with the previous hash after a user's password was changed. */
  readonly onPasswordReplaced?: (formerHash: string) => Promise<void>;
}

/** The parts that a Filestead server is built from. */
export interface AppParts {
  readonly database: Database;
  /** Storage rooted at the served folder. */
  readonly storage: Storage;
  /** Throws `storage_unavailable` while the opened root is not the folder that its path leads to. */
  readonly checkRoot: () => Promise<void>;
  /** Paths of the files on disk, for commands. */
  readonly places: DiskPaths;
  /** Reads the served folder for the catalogue. */
  readonly scan: TreeScan;
  /** The comparison of letter case in names by the served file systems. */
  readonly letterCase: LetterCase;
  /** Whether the operating system refuses to watch further folders. */
  readonly isWatchingLimited?: () => boolean;
  readonly logger: FastifyBaseLogger;
  readonly clock: Clock;
  readonly config: Config;
  readonly options: AppOptions;
}

/** Creates the Fastify application without routes. */
export function createApp({
  logger,
  config,
  options,
}: Pick<AppParts, 'logger' | 'config' | 'options'>): FastifyInstance {
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
