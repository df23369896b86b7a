import { stat, statfs } from 'node:fs/promises';
import type { Metric, Sample } from './metrics-text.ts';

/** Number of jobs with this kind and state. */
export interface JobCount {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
}

/** The parts of the server whose state is measured at each scrape. */
export interface StateSources {
  readonly version: string;
  /** Paths of the served folder and of the database file. */
  readonly root: string;
  readonly database: string;
  readonly countSessions: () => Promise<number>;
  /** Number of unfinished resumable uploads, and of those that wait for a decision. */
  readonly countUploads: () => Promise<{ readonly active: number; readonly blocked: number }>;
  readonly countJobs: () => readonly JobCount[];
  readonly previews: () => {
    readonly made: number;
    readonly cached: number;
    readonly failed: number;
    readonly waiting: number;
  };
  /** Unix seconds of the last backup by `filestead backup`; null if there was none. */
  readonly lastBackupSeconds: () => Promise<number | null>;
}

/** Resolves to null if `work` fails: a scrape reports the other values. */
const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

const gauge = (name: string, help: string, samples: readonly Sample[]): Metric[] =>
  samples.length === 0 ? [] : [{ name, help, type: 'gauge', samples }];
const single = (value: number | null): Sample[] => (value === null ? [] : [{ value }]);

/** Measures the state of the server. A value that cannot be read now is left out. */
export async function collectState(sources: StateSources): Promise<Metric[]> {
  const [sessions, uploads, disk, database, backup] = await Promise.all([
    orNull(sources.countSessions()),
    orNull(sources.countUploads()),
    orNull(statfs(sources.root)),
    orNull(stat(sources.database)),
    orNull(sources.lastBackupSeconds()),
  ]);
  const previews = sources.previews();
  return [
    ...gauge('build_info', 'Version of Filestead and Node.', [
      { labels: { version: sources.version, node: process.version }, value: 1 },
    ]),
    ...gauge('sessions', 'Sessions that have not expired.', single(sessions)),
    ...gauge(
      'uploads',
      'Unfinished resumable uploads by state.',
      uploads === null
        ? []
        : [
            { labels: { state: 'active' }, value: uploads.active },
            { labels: { state: 'blocked' }, value: uploads.blocked },
          ],
    ),
    ...gauge(
      'jobs',
      'Jobs by kind and state, those that ended lately included.',
      sources.countJobs().map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
    ),
    {
      name: 'previews_total',
      help: 'Requested previews by outcome.',
      type: 'counter',
      samples: (['made', 'cached', 'failed'] as const).map((outcome) => ({
        labels: { outcome },
        value: previews[outcome],
      })),
    },
    ...gauge('preview_queue', 'Previews that are waiting to be created.', [{ value: previews.waiting }]),
    ...gauge(
      'disk_free_bytes',
      'Free bytes of the disk of the served folder, without blocks reserved for root.',
      single(disk === null ? null : disk.bavail * disk.bsize),
    ),
    ...gauge('database_bytes', 'Size of the database file.', single(database?.size ?? null)),
    ...gauge('last_backup_timestamp_seconds', 'Time of the last backup, in Unix seconds.', single(backup)),
  ];
}
