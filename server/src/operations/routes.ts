import type { EndpointSpec } from '@filestead/contract/endpoint';
import { getApiManual, getHealth, getOpenApi } from '@filestead/contract/health';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../http/server/route.ts';

/** Registers the health check for monitoring and the description of the API. */
export function registerOperations(
  app: FastifyInstance,
  parts: {
    route: Route;
    endpoints: readonly EndpointSpec[];
    /** Throws if the server is not operational. */
    check: () => Promise<void>;
    version: string;
    /** `''` or `/prefix`. */
    baseUrl: string;
  },
): void {
  const { route, endpoints, check, version, baseUrl } = parts;
  route(app, getHealth, async () => {
    await check();
    return { status: 'OK' } as const;
  });
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
