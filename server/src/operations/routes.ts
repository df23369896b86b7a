import type { EndpointSpec } from '@filestead/contract/endpoint';
import {
  type Readiness,
  checkProxy,
  getApiManual,
  getHealth,
  getLive,
  getOpenApi,
  getReady,
} from '@filestead/contract/health';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../http/server/route.ts';
import { proofHeader } from './proof-header.ts';
import { reportArrival } from './report-arrival.ts';

/** Paths of health checks, which do not first read changes of other processes from the database. */
const independentPaths: ReadonlySet<string> = new Set([getLive.path, getReady.path]);

/** Whether the route with this URL pattern does not depend on a working database. */
export const isIndependentCheck = (url: string | undefined): boolean =>
  url !== undefined && independentPaths.has(url);

/** Registers the health checks for monitoring and the description of the API. */
export function registerOperations(
  app: FastifyInstance,
  parts: {
    route: Route;
    endpoints: readonly EndpointSpec[];
    /** Throws if the server is not operational. */
    check: () => Promise<void>;
    /** Returns whether the server can serve requests. Does not throw. */
    checkReadiness: () => Promise<Readiness>;
    version: string;
    /** `''` or `/prefix`. */
    baseUrl: string;
    /** Whether a request with this proof comes from an administrator of this machine. */
    isProof: (text: unknown) => boolean;
    trustedProxies: readonly string[];
  },
): void {
  const { route, endpoints, check, checkReadiness, version, baseUrl, isProof, trustedProxies } = parts;
  route(app, getHealth, async () => {
    await check();
    return { status: 'OK' } as const;
  });
  route(app, getLive, async () => ({ status: 'OK' }) as const);
  route(app, getReady, async ({ request, reply }) => {
    const readiness = await checkReadiness();
    if (readiness.status === 'not_ready') reply.code(503);
    return isProof(request.headers[proofHeader]) ? { ...readiness, version } : readiness;
  });
  route(app, checkProxy, (call) => reportArrival(call, { isProof, trustedProxies }));
  // The description is generated on demand.
  route(app, getOpenApi, async () => {
    const { openApiDocument } = await import('./openapi-document.ts');
    return openApiDocument(endpoints, { version, baseUrl });
  });
  route(app, getApiManual, async ({ reply }) => {
    const { apiManual, manualPolicy } = await import('./api-manual.ts');
    reply.header('content-security-policy', manualPolicy).type('text/html; charset=utf-8');
    reply.send(apiManual(endpoints, { version, baseUrl }));
    return undefined;
  });
}
