import { randomBytes } from 'node:crypto';
import type { JobKind, JobRequest, JobState } from '@filestead/contract/jobs';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Config } from '../config/config.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import { JobRecord, type NewJob } from './job-record.ts';
import { planItems } from './plan-items.ts';
import { runJob, type RunJob } from './run-job.ts';

/** Limits of jobs that run at the same time; others wait. */
export type JobLimits = Pick<Config, 'jobsAtOnce' | 'jobsPerUser'>;

/** Maximum number of jobs of one user that wait or run. */
const maxUnfinishedPerUser = 50;
/** Maximum number of items of one user's jobs in memory, including finished jobs. */
const maxItemsPerUser = 300_000;
/** Time for which finished jobs are kept, so that the user can read their results. */
const keptMs = 60 * 60 * 1000;
/** Maximum number of finished jobs of one user. */
const maxFinishedPerUser = 20;
/** Interval of the search for expired jobs. */
const sweepMs = 60_000;

/** The work of a job whose items are parsed. */
export type PlannedJob = Pick<NewJob, 'kind' | 'items' | 'isPermanent' | 'restore'> & {
  readonly algorithm?: NewJob['algorithm'];
};

/** Notified of every change of a job. */
export interface JobListener {
  /** Called after a job was created or changed. */
  changed(job: JobRecord): void;
  /** Called after a job was removed from the list. */
  removed(job: JobRecord): void;
}

/** The jobs of a server. They are kept in memory and do not survive a restart. */
export interface Jobs {
  /** `onEnd` is called once, when the job ends in any way. Throws `bad_request`, `invalid_path`, `forbidden`, `too_many_requests`. */
  create(userContext: UserContext, request: JobRequest, onEnd?: (job: JobRecord) => void): Promise<JobRecord>;
  /** Creates a job with these items. Throws `too_many_requests`. */
  start(userContext: UserContext, job: PlannedJob, onEnd?: (job: JobRecord) => void): JobRecord;
  /** Returns the jobs of a user, the newest first. */
  of(userId: number): JobRecord[];
  /** Returns a job. Throws `not_found`, also when the job belongs to another user. */
  find(userId: number, id: string): JobRecord;
  /** Returns the number of jobs of all users by kind and state. */
  count(): { readonly kind: JobKind; readonly state: JobState; readonly count: number }[];
  /** Cancels a job that has not ended; removes one that has. Throws `not_found`. */
  cancel(userId: number, id: string): void;
  /** Cancels all jobs and resolves when they have ended. */
  close(): Promise<void>;
}

/** Opens the jobs of a server. There are none in the beginning. */
export function openJobs(parts: RunJob, limits: JobLimits, listener: JobListener): Jobs {
  const jobs = new Map<string, JobRecord>();
  // The number of waiting jobs is limited per user, below.
  const queue = openFairQueue({
    running: limits.jobsAtOnce,
    runningPerParty: limits.jobsPerUser,
    waiting: Infinity,
    refusal: 'too_many_requests',
  });
  let isClosing = false;

  const of = (userId: number): JobRecord[] =>
    [...jobs.values()].filter((job) => job.userId === userId).reverse();
  const remove = (job: JobRecord): void => {
    jobs.delete(job.id);
    listener.removed(job);
  };
  const countItems = (all: readonly JobRecord[]): number =>
    all.reduce((sum, job) => sum + Math.max(job.itemCount, job.results.length), 0);

  /** Removes a user's oldest finished jobs until the limits are met. */
  const trim = (userId: number): void => {
    const finished = of(userId).filter((job) => job.hasEnded);
    while (finished.length > maxFinishedPerUser || countItems(of(userId)) > maxItemsPerUser) {
      const oldest = finished.pop();
      if (oldest === undefined) return;
      remove(oldest);
    }
  };
  const { clock } = parts;
  const stopSweeping = clock.every(sweepMs, () => {
    const before = clock.now() - keptMs;
    for (const job of jobs.values()) if (job.endedAt !== null && job.endedAt < before) remove(job);
  });

  const find: Jobs['find'] = (userId, id) => {
    const job = jobs.get(id);
    if (job?.userId !== userId) throw new AppError('not_found');
    return job;
  };

  const start: Jobs['start'] = (userContext, { algorithm = 'sha256', ...planned }, onEnd) => {
    const unfinished = of(userContext.user.id).filter((job) => !job.hasEnded);
    const isTooMuch =
      unfinished.length >= maxUnfinishedPerUser ||
      countItems(unfinished) + planned.items.length > maxItemsPerUser;
    if (isTooMuch || isClosing) throw new AppError('too_many_requests', 'too many jobs are waiting');
    const job = new JobRecord(
      {
        ...planned,
        id: randomBytes(16).toString('base64url'),
        algorithm,
        userId: userContext.user.id,
        sessionId: userContext.sessionId,
        scope: userContext.user.scope,
      },
      clock.now,
      (changed) => listener.changed(changed),
      onEnd,
    );
    jobs.set(job.id, job);
    trim(userContext.user.id);
    listener.changed(job);
    void queue.run(userParty(userContext.user.id), () => runJob(job, parts));
    return job;
  };

  return {
    of,
    find,
    count() {
      const counts = new Map<string, { kind: JobKind; state: JobState; count: number }>();
      for (const { kind, state } of jobs.values()) {
        const key = `${kind} ${state}`;
        const entry = counts.get(key) ?? { kind, state, count: 0 };
        counts.set(key, { ...entry, count: entry.count + 1 });
      }
      return [...counts.values()];
    },
    start,
    async create(userContext, request, onEnd) {
      const items = await planItems(request, userContext.user.perm);
      const { kind, algorithm = 'sha256', permanent: isPermanent = false } = request;
      return start(userContext, { kind, algorithm, items, isPermanent }, onEnd);
    },
    cancel(userId, id) {
      const job = find(userId, id);
      if (job.hasEnded) remove(job);
      else job.cancel();
    },
    async close() {
      isClosing = true;
      stopSweeping();
      for (const job of jobs.values()) job.cancel();
      await queue.idle();
    },
  };
}
