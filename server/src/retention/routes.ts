import { getStorage } from '@filestead/contract/endpoints/storage';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../http/server/route.ts';
import { reportStorage, type StorageReportParts } from './report-storage.ts';

/** The parts of the server that the route of the storage report uses. */
export interface StorageRouteOptions extends StorageReportParts {
  readonly route: Route;
}

/** Registers the report on kept entries for administrators. */
export function registerStorage(app: FastifyInstance, { route, ...parts }: StorageRouteOptions): void {
  route(app, getStorage, async ({ query, signal }) =>
    reportStorage(parts, { compares: query.check === 'true', signal }),
  );
}
