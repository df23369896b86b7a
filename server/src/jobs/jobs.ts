import { randomBytes } from 'node:crypto';
import type { JobRequest } from '@filestead/contract/jobs';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import { JobRecord } from './job-record.ts';
import { planItems } from './plan-items.ts';
import { runJob, type RunJob } from './run-job.ts';

/** How much long work there may be. */
export interface JobLimits {
  /** So many jobs run at once; the others wait. */
  readonly atOnce: number;
  /** So many of one user. */
  readonly perUser: number;
}

/** Most jobs of one user that wait or run. */
const maxUnfinishedPerUser = 50;
/** Most items of one user's jobs that are kept in memory, finished ones among them. */
const maxItemsPerUser = 300_000;
/** Finished jobs are kept for so long, for whoever comes back to look. */
const keptMs = 60 * 60 * 1000;
/** And so many of one user. */
const maxFinishedPerUser = 20;
/** How often it is looked which have been kept for long enough. */
const sweepMs = 60_000;

/** Hears of every change of a job. */
export interface JobListener {
  changed(job: JobRecord): void;
  removed(job: JobRecord): void;
}

/** The long work of a server. Kept in memory: a restart ends it. */
export interface Jobs {
  /** Throws `bad_request`, `invalid_path`, `forbidden`, `too_many_requests`. */
  create(userContext: UserContext, request: JobRequest): Promise<JobRecord>;
  /** The jobs of a user, the newest first. */
  of(userId: number): JobRecord[];
  /** Throws `not_found`, for the jobs of others too. */
  find(userId: number, id: string): JobRecord;
  /** Cancels a job that has not ended, forgets one that has. Throws `not_found`. */
  cancel(userId: number, id: string): void;
  /** Cancels everything and resolves when all is given up. */
  close(): Promise<void>;
}

/** Opens the jobs of a server, none so far. */
export function openJobs(parts: RunJob, limits: JobLimits, listener: JobListener): Jobs {
  const jobs = new Map<string, JobRecord>();
  // How many may wait is bounded per user, below.
  const queue = openFairQueue({
    running: limits.atOnce,
    runningPerParty: limits.perUser,
    waiting: Infinity,
    refusal: 'too_many_requests',
  });
  let isClosing = false;

  const of = (userId: number): JobRecord[] =>
    [...jobs.values()].filter((job) => job.userId === userId).reverse();
  const forget = (job: JobRecord): void => {
    jobs.delete(job.id);
    listener.removed(job);
  };
  const itemsOf = (all: readonly JobRecord[]): number =>
    all.reduce((sum, job) => sum + Math.max(job.itemCount, job.results.length), 0);

  /** Forgets a user's oldest finished jobs, as many as the bounds demand. */
  const trim = (userId: number): void => {
    const finished = of(userId).filter((job) => job.hasEnded);
    while (finished.length > maxFinishedPerUser || itemsOf(of(userId)) > maxItemsPerUser) {
      const oldest = finished.pop();
      if (oldest === undefined) return;
      forget(oldest);
    }
  };
  const { clock } = parts;
  const stopSweeping = clock.every(sweepMs, () => {
    const before = clock.now() - keptMs;
    for (const job of jobs.values()) if (job.endedAt !== null && job.endedAt < before) forget(job);
  });

  const find: Jobs['find'] = (userId, id) => {
    const job = jobs.get(id);
    if (job?.userId !== userId) throw new AppError('not_found');
    return job;
  };

  return {
    of,
    find,
    async create(userContext, request) {
      const items = await planItems(request, userContext.user.perm);
      const unfinished = of(userContext.user.id).filter((job) => !job.hasEnded);
      const isTooMuch =
        unfinished.length >= maxUnfinishedPerUser || itemsOf(unfinished) + items.length > maxItemsPerUser;
      if (isTooMuch || isClosing) throw new AppError('too_many_requests', 'too many jobs are waiting');
      const job = new JobRecord(
        {
          id: randomBytes(16).toString('base64url'),
          kind: request.kind,
          algorithm: request.algorithm ?? 'sha256',
          userId: userContext.user.id,
          sessionId: userContext.sessionId,
          scope: userContext.user.scope,
          items,
        },
        clock.now,
        (changed) => listener.changed(changed),
      );
      jobs.set(job.id, job);
      trim(userContext.user.id);
      listener.changed(job);
      void queue.run(userParty(userContext.user.id), () => runJob(job, parts));
      return job;
    },
    cancel(userId, id) {
      const job = find(userId, id);
      if (job.hasEnded) forget(job);
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
