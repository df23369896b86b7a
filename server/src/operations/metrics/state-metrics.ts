import type { Metric, Sample } from './metrics-text.ts';

/** Number of jobs with this kind and state. */
export interface JobCount {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
}

/** Numbers of requested pictures by outcome since the start, and of those that wait to be made. */
export interface PreviewCounts {
  readonly made: number;
  readonly cached: number;
  readonly failed: number;
  readonly waiting: number;
}

/** The parts of the server whose state is measured at each scrape. */
export interface StateSources {
  readonly version: string;
  /** Free bytes of the disk of the served folder, and size of the database file. */
  readonly freeBytes: () => Promise<number>;
  readonly databaseBytes: () => Promise<number>;
  /** Number of open file descriptors. */
  readonly countDescriptors: () => Promise<number>;
  readonly countSessions: () => Promise<number>;
  /** Number of unfinished resumable uploads, and of those that wait for a decision. */
  readonly countUploads: () => Promise<{ readonly active: number; readonly blocked: number }>;
  readonly countJobs: () => readonly JobCount[];
  readonly previews: () => PreviewCounts;
  /** Unix seconds of the last backup by `filestead backup`; null if there was none. */
  readonly lastBackupSeconds: () => Promise<number | null>;
}

/** Resolves to null if `work` fails: a scrape reports the other values. */
const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

const gauge = (name: string, help: string, samples: readonly Sample[]): Metric[] =>
  samples.length === 0 ? [] : [{ name, help, type: 'gauge', samples }];
const single = (value: number | null): Sample[] => (value === null ? [] : [{ value }]);

/** Measures the state of the server. A value that cannot be read now is omitted. */
export async function collectState(sources: StateSources): Promise<Metric[]> {
  const [sessions, uploads, freeBytes, databaseBytes, descriptors, backup] = await Promise.all([
    orNull(sources.countSessions()),
    orNull(sources.countUploads()),
    orNull(sources.freeBytes()),
    orNull(sources.databaseBytes()),
    orNull(sources.countDescriptors()),
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
      'Jobs by kind and state, including those that ended recently.',
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
      single(freeBytes),
    ),
    ...gauge('database_bytes', 'Size of the database file.', single(databaseBytes)),
    ...gauge('process_open_fds', 'Open file descriptors.', single(descriptors)),
    ...gauge('last_backup_timestamp_seconds', 'Time of the last backup, in Unix seconds.', single(backup)),
  ];
}
