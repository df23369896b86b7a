import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/database.ts';
import { readLastBackup } from '../../database/last-backup.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Previews } from '../../previews/open-previews.ts';
import { openProcessMetrics } from './process-metrics.ts';
import { countRequests } from './request-metrics.ts';
import { type ListenAddress, serveMetrics } from './serve-metrics.ts';
import { collectState } from './state-metrics.ts';

/** The parts of the server that are measured. */
export interface MetricsParts {
  readonly database: Database;
  readonly config: Pick<Config, 'root' | 'data' | 'database'>;
  readonly jobs: Pick<Jobs, 'count'>;
  readonly previews: Pick<Previews, 'counts'>;
  readonly clock: Clock;
  readonly version: string;
}

/** Counts the requests of `app` from now on, and serves the metrics at `address` while `app` is open. */
export function openMetrics(app: FastifyInstance, address: ListenAddress, parts: MetricsParts): void {
  const { database, config, jobs, previews, clock, version } = parts;
  const requests = countRequests(app);
  const process = openProcessMetrics();
  app.addHook('onReady', async () => {
    const server = await serveMetrics(address, async () => [
      ...requests.collect(),
      ...(await collectState({
        version,
        root: config.root,
        database: config.database,
        countSessions: () => database.sessions.count(clock.now()),
        countUploads: async () => {
          const unfinished = (await database.uploads.list()).filter(({ isFinished }) => !isFinished);
          const blocked = unfinished.filter(({ blockedBy }) => blockedBy !== null).length;
          return { active: unfinished.length - blocked, blocked };
        },
        countJobs: () => jobs.count(),
        previews: () => previews.counts(),
        lastBackupSeconds: () => readLastBackup(config.data),
      })),
      ...process.collect(),
    ]);
    app.log.info({ url: server.url }, 'metrics are served');
    app.addHook('onClose', () => server.close());
  });
  app.addHook('onClose', async () => process.close());
}
