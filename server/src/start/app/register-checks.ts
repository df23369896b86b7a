import { endpoints } from '@filestead/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { readLastBackup } from '../../database/last-backup.ts';
import { isProof } from '../../database/proxy-proof.ts';
import type { Route } from '../../http/server/route.ts';
import type { MetricsParts } from '../../operations/metrics/open-metrics.ts';
import { registerOperations } from '../../operations/routes.ts';
import { version } from '../../version.ts';
import type { AppParts } from './create-app.ts';
import { countDescriptors, fileBytes, freeBytesOf } from '../measure-system.ts';
import { checkReadiness } from '../readiness.ts';

/** Registers the health checks, the description of the API, and the metrics if they are enabled. */
export async function registerChecks(
  app: FastifyInstance,
  { database, checkRoot, isWatchingLimited, clock, config }: AppParts,
  {
    route,
    jobs,
    previews,
    isStopping,
  }: Pick<MetricsParts, 'jobs' | 'previews'> & { route: Route; isStopping: () => boolean },
): Promise<void> {
  registerOperations(app, {
    route,
    endpoints,
    check: async () => {
      await database.check();
      await checkRoot();
    },
    checkReadiness: () =>
      checkReadiness({
        checkDatabase: () => database.check(),
        checkRoot,
        root: config.root,
        data: config.data,
        database: config.database,
        minFreeBytes: config.minFreeBytes,
        isStopping,
        isWatchingLimited: () => isWatchingLimited?.() ?? false,
      }),
    version,
    baseUrl: config.baseUrl,
    isProof: (text) => isProof(config.data, text),
    trustedProxies: config.trustedProxies,
  });
  if (config.metricsAddress === null) return;
  const { openMetrics } = await import('../../operations/metrics/open-metrics.ts');
  const listener = { ...config.metricsAddress, token: config.metricsToken };
  openMetrics(app, listener, {
    database,
    jobs,
    previews,
    clock,
    version,
    freeBytes: () => freeBytesOf(config.root),
    databaseBytes: () => fileBytes(config.database),
    countDescriptors,
    lastBackupSeconds: () => readLastBackup(config.data),
  });
}
