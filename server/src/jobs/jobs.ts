import type { JobRequest, JobResult } from '@filestead/contract/jobs';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Config } from '../config/config.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import type { JobRepository } from '../database/database.ts';
import { toStoredItem } from './job-progress.ts';
import { type JobCount, type JobListener, JobList } from './job-list.ts';
import { JobRecord, type NewJob } from './job-record.ts';
import type { JobDependencies } from './job-dependencies.ts';
import { newJobOf, planJob, type PlannedJob, storedRequestOf } from './new-job.ts';
import { discardUnfinished, runJob } from './run-job.ts';
import { ProgressLog } from './progress-log.ts';
import { readResults, restoreJobs } from './stored-jobs.ts';

/** Limits of jobs that run at the same time; others wait. */
export type JobLimits = Pick<Config, 'jobsAtOnce' | 'jobsPerUser'>;

/** Time for which finished jobs are kept, so that the user can read their results. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** Interval of the search for expired jobs. */
const sweepMs = 60_000;
/** Interval of the check for jobs that the command line cancels, while there are jobs. */
const commandCheckMs = 2_000;

/** A job that made no progress in this many consecutive runs of the server fails. */
const maxStalledAttempts = 3;

/** The jobs of a server. They are stored, and continue after a restart. */
export interface Jobs {
  /** `onEnd` is called once, when the job ends in any way. Throws `bad_request`, `invalid_path`, `forbidden`, `too_many_requests`. */
  create(userContext: UserContext, request: JobRequest, onEnd?: (job: JobRecord) => void): Promise<JobRecord>;
  /** Creates a job with these items. Throws `too_many_requests`. */
  start(userContext: UserContext, job: PlannedJob, onEnd?: (job: JobRecord) => void): Promise<JobRecord>;
  /** Returns the jobs of a user, the newest first. */
  of(userId: number): JobRecord[];
  /** Returns a job. Throws `not_found`, also when the job belongs to another user. */
  find(userId: number, id: string): JobRecord;
  /** Returns the number of jobs of all users by kind and state. */
  count(): JobCount[];
  /** Cancels a job that has not ended; removes one that has. Throws `not_found`. */
  cancel(userId: number, id: string): void;
  /** Yields the results of a job in parts, those of earlier runs of the server first. */
  resultsOf(job: JobRecord): AsyncIterable<readonly JobResult[]>;
  /** Continues the jobs that an earlier run of the server has left, in their order. */
  resume(): void;
  /** Stops all jobs so that the next start continues them, and resolves when they have stopped. */
  close(): Promise<void>;
}

/** Opens the jobs of a server with those that earlier runs have stored. */
export async function openJobs(
  parts: Omit<JobDependencies, 'progressOf'> & {
    readonly repository: JobRepository;
    /** Called when a job ends that an earlier run of the server has created. */
    readonly onResumedEnd: (job: JobRecord) => void;
  },
  limits: JobLimits,
  listener: JobListener,
): Promise<Jobs> {
  const { repository, clock, log } = parts;
  const jobs = new JobList(parts, listener);
  // The list limits the number of waiting jobs per user.
  const queue = openFairQueue({
    running: limits.jobsAtOnce,
    runningPerParty: limits.jobsPerUser,
    waiting: Infinity,
    refusal: 'too_many_requests',
  });
  let isClosing = false;

  const logs = new WeakMap<JobRecord, ProgressLog>();
  const progressOf = (job: JobRecord): ProgressLog => {
    const existing = logs.get(job) ?? new ProgressLog(job, { repository, now: clock.now, log });
    logs.set(job, existing);
    return existing;
  };
  const addJob = (created: NewJob, onEnd?: (job: JobRecord) => void): JobRecord => {
    const job = new JobRecord(
      created,
      clock.now,
      (changed) => {
        progressOf(changed).saveIfDue();
        listener.changed(changed);
      },
      onEnd,
    );
    jobs.add(job);
    return job;
  };
  const run = (job: JobRecord): void => {
    void queue.run(userParty(job.userId), () => runJob(job, { ...parts, progressOf }));
  };
  await restoreJobs(repository, (stored) => addJob(stored, parts.onResumedEnd));
  /** Cancels a job that has not ended. */
  const cancelUnfinished = (job: JobRecord): void => {
    const isQueued = job.state === 'queued';
    job.cancel();
    if (!isQueued) return;
    // It may have been interrupted by a restart.
    void discardUnfinished(job, parts);
    void progressOf(job).save();
  };
  /** Cancels the jobs that the command line has asked to cancel. */
  const followCommands = async (): Promise<void> => {
    for (const id of await repository.cancellations()) {
      const job = jobs.get(id);
      if (job?.hasEnded === false) cancelUnfinished(job);
    }
  };
  await followCommands();
  const stopFollowing = clock.every(commandCheckMs, () => {
    if (isClosing || [...jobs.all()].every((job) => job.hasEnded)) return;
    followCommands().catch((error: unknown) =>
      log.warn({ err: error }, 'the commands about jobs were not read'),
    );
  });
  const stopSweeping = clock.every(sweepMs, () => jobs.removeEndedBefore(clock.now() - keptMs));

  const start: Jobs['start'] = async (userContext, planned, onEnd) => {
    const { id: userId } = userContext.user;
    if (!jobs.hasRoomFor(userId, planned.items.length) || isClosing) {
      throw new AppError('too_many_requests', 'too many jobs are waiting');
    }
    const request = storedRequestOf(planned);
    const created = newJobOf(userContext, planned, clock.now());
    // It counts for the limits while it is being stored.
    const job = addJob({ ...created, ...request }, onEnd);
    try {
      await repository.create(
        { ...created, request, isEnded: false, progress: job.progress },
        planned.items.map(toStoredItem),
      );
    } catch (error) {
      jobs.withdraw(job);
      throw error;
    }
    jobs.trim(userId);
    listener.changed(job);
    run(job);
    return job;
  };

  return {
    of: (userId) => jobs.of(userId),
    find: (userId, id) => jobs.find(userId, id),
    count: () => jobs.count(),
    resultsOf: (job) => readResults(repository, job),
    resume() {
      for (const job of jobs.all()) {
        if (job.hasEnded || isClosing) continue;
        if (job.startedAt !== null) job.attempt += 1;
        if (job.stalledAttempts >= maxStalledAttempts) {
          job.failAll('interrupted');
          job.end();
          void discardUnfinished(job, parts);
          void progressOf(job).save();
        } else {
          job.stalledAttempts += 1;
          void progressOf(job)
            .save()
            .then(() => run(job));
        }
      }
    },
    start,
    create: async (userContext, request, onEnd) =>
      start(userContext, await planJob(userContext, request), onEnd),
    cancel(userId, id) {
      const job = jobs.find(userId, id);
      if (job.hasEnded) jobs.remove(job);
      else cancelUnfinished(job);
    },
    async close() {
      isClosing = true;
      stopSweeping();
      stopFollowing();
      for (const job of jobs.all()) job.pause();
      await queue.idle();
      await Promise.all([...jobs.all()].map((job) => (job.hasEnded ? undefined : progressOf(job).save())));
    },
  };
}
