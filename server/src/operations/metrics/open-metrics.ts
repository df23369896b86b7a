import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { openProcessMetrics } from './process-metrics.ts';
import { countRequests } from './request-metrics.ts';
import { type MetricsListener, serveMetrics } from './serve-metrics.ts';
import { collectState, type JobCount, type PreviewCounts, type StateSources } from './state-metrics.ts';

/** The parts of the server that are measured. */
export interface MetricsParts extends Pick<
  StateSources,
  'version' | 'freeBytes' | 'databaseBytes' | 'countDescriptors' | 'lastBackupSeconds'
> {
  readonly database: Pick<Database, 'sessions' | 'uploads'>;
  readonly jobs: { count(): readonly JobCount[] };
  readonly previews: { counts(): PreviewCounts };
  readonly clock: Clock;
}

/** Counts the requests of `app` from now on, and serves the metrics while `app` is open. */
export function openMetrics(app: FastifyInstance, listener: MetricsListener, parts: MetricsParts): void {
  const { database, jobs, previews, clock } = parts;
  const requests = countRequests(app);
  const process = openProcessMetrics();
  app.addHook('onReady', async () => {
    const server = await serveMetrics(listener, async () => [
      ...requests.collect(),
      ...(await collectState({
        ...parts,
        countSessions: () => database.sessions.count(clock.now()),
        countUploads: async () => {
          const unfinished = (await database.uploads.list()).filter(({ isFinished }) => !isFinished);
          const blocked = unfinished.filter(({ blockedBy }) => blockedBy !== null).length;
          return { active: unfinished.length - blocked, blocked };
        },
        countJobs: () => jobs.count(),
        previews: () => previews.counts(),
      })),
      ...process.collect(),
    ]);
    app.log.info({ url: server.url }, 'metrics are served');
    if (server.isPublic && listener.token === null) {
      app.log.warn({ url: server.url }, 'metrics can be read from other machines; set --metricsToken');
    }
    app.addHook('onClose', () => server.close());
  });
  app.addHook('onClose', async () => process.close());
}
