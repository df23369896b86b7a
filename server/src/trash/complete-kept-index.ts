import type { FastifyInstance } from 'fastify';

/** Requests that change something other than files and kept entries. */
const independentPaths: ReadonlySet<string> = new Set(['/api/login', '/api/renew', '/api/logout']);
/** Requests that read the index of kept entries, or shares, whose targets may be among them. Commands change files. */
const dependentPaths = /^\/api\/(?:trash|versions|operations|storage|shares?|public|command)(?:\/|$)/;
const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request has to wait until the index of kept entries is complete.
 * @param url the URL pattern of the route; undefined if there is none
 */
export function needsKeptIndex(method: string, url: string | undefined): boolean {
  if (url === undefined || independentPaths.has(url)) return false;
  return !readingMethods.has(method) || dependentPaths.test(url);
}

/** The work that completes the index of kept entries. */
export interface KeptIndexStart {
  /** Runs before the server listens. */
  readonly readNew: () => Promise<void>;
  /** Runs when the server listens. `signal` is aborted when the server stops. */
  readonly start: (signal: AbortSignal) => Promise<void>;
}

/**
 * Completes the index of kept entries while the server answers the requests that do not need it. The others wait. Has to be called
 * before the other features add their hooks.
 */
export function completeKeptIndex(app: FastifyInstance, { readNew, start }: KeptIndexStart): void {
  const stopping = new AbortController();
  let started: Promise<void> | null = null;
  let isComplete = false;
  const complete = (): Promise<void> => {
    started ??= start(stopping.signal).finally(() => {
      isComplete = true;
    });
    return started;
  };
  app.addHook('onReady', readNew);
  app.addHook('onListen', complete);
  app.addHook('onRequest', async ({ method, routeOptions: { url } }) => {
    if (!isComplete && needsKeptIndex(method, url)) await complete();
  });
  app.addHook('preClose', async () => {
    stopping.abort();
    // Its error has been logged.
    await started?.catch(() => undefined);
  });
}
