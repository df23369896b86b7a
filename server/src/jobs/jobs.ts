import { randomBytes } from 'node:crypto';
import type { JobFailure, JobKind, JobRequest, JobResult, JobState } from '@filestead/contract/jobs';
import { AppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Config } from '../config/config.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import type { JobRepository } from '../database/database.ts';
import { type JobProgress, type RestoreTarget, type StoredRequest, toStoredItem } from './job-progress.ts';
import type { CompressTarget } from './compress-target.ts';
import { JobRecord, type NewJob, maxListedFailures } from './job-record.ts';
import { planArchiveTarget, type PlannedItem, planItems } from './plan-items.ts';
import type { JobDependencies } from './job-dependencies.ts';
import { discardCopy, runJob } from './run-job.ts';
import { ProgressLog } from './save-progress.ts';

/** Limits of jobs that run at the same time; others wait. */
export type JobLimits = Pick<Config, 'jobsAtOnce' | 'jobsPerUser'>;

/** Maximum number of jobs of one user that wait or run. */
const maxUnfinishedPerUser = 50;
/** Maximum number of items of one user's jobs in memory, including finished jobs. */
const maxItemsPerUser = 300_000;
/** Time for which finished jobs are kept, so that the user can read their results. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** Maximum number of finished jobs of one user. */
const maxFinishedPerUser = 20;
/** Interval of the search for expired jobs. */
const sweepMs = 60_000;

/** Interval of the check for jobs that the command line cancels, while there are jobs. */
const commandCheckMs = 2_000;

/** The work of a job whose items are parsed. */
export interface PlannedJob {
  /** 128 random bits as base64url; by default a new one. */
  readonly id?: string | undefined;
  readonly kind: JobKind;
  readonly items: readonly PlannedItem[];
  /** Of checksums; sha256 by default. */
  readonly algorithm?: NewJob['algorithm'] | undefined;
  /** Whether a deletion removes forever; false by default. */
  readonly isPermanent?: boolean | undefined;
  /** Whether a deletion copies entries to the trash that cannot be moved there; false by default. */
  readonly copiesToTrash?: boolean | undefined;
  /** Whether a deletion removes nothing that the trash does not keep; false by default. */
  readonly isKeepingRequired?: boolean | undefined;
  /** Required for restorations. */
  readonly restoreTarget?: RestoreTarget | undefined;
  /** Required for compressions. */
  readonly compressTarget?: CompressTarget | null | undefined;
  /** The operation that the job undoes. */
  readonly undoes?: string | null | undefined;
}

/** Notified of every change of a job. */
export interface JobListener {
  /** Called after a job was created or changed. */
  changed(job: JobRecord): void;
  /** Called after a job was removed from the list. */
  removed(job: JobRecord): void;
}

/** A job that made no progress in this many consecutive runs of the server fails. */
const maxStalledAttempts = 3;
/** Maximum number of results of a stored job that are searched for failures when the server starts. */
const maxSearchedResults = 100_000;

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
  count(): { readonly kind: JobKind; readonly state: JobState; readonly count: number }[];
  /** Cancels a job that has not ended; removes one that has. Throws `not_found`. */
  cancel(userId: number, id: string): void;
  /** Yields the results of a job in parts, those of earlier runs of the server first. */
  resultsOf(job: JobRecord): AsyncIterable<readonly JobResult[]>;
  /** Continues the jobs that an earlier run of the server has left, in their order. */
  resume(): void;
  /** Stops all jobs so that the next start continues them, and resolves when they have stopped. */
  close(): Promise<void>;
}

/** The failures among the stored results of a job, at most as many as are shown. */
async function readFailures(repository: JobRepository, id: string): Promise<JobFailure[]> {
  const failures: JobFailure[] = [];
  let searched = 0;
  for await (const part of repository.results(id)) {
    for (const { index, path, code, detail } of part as JobResult[]) {
      if (code !== undefined) failures.push({ index, path, code, ...(detail !== undefined && { detail }) });
    }
    searched += part.length;
    if (failures.length >= maxListedFailures || searched >= maxSearchedResults) break;
  }
  return failures;
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
    repository
      .remove(job.id)
      .catch((error: unknown) => log.warn({ err: error, job: job.id }, 'a finished job was not removed'));
  };
  const countItems = (all: readonly JobRecord[]): number =>
    all.reduce((sum, job) => sum + Math.max(job.itemCount, job.earlierResults + job.results.length), 0);

  /** Removes a user's oldest finished jobs until the limits are met. */
  const trim = (userId: number): void => {
    const finished = of(userId).filter((job) => job.hasEnded);
    while (finished.length > maxFinishedPerUser || countItems(of(userId)) > maxItemsPerUser) {
      const oldest = finished.pop();
      if (oldest === undefined) return;
      remove(oldest);
    }
  };
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
    jobs.set(job.id, job);
    return job;
  };
  const run = (job: JobRecord): void => {
    void queue.run(userParty(job.userId), () => runJob(job, { ...parts, progressOf }));
  };
  for (const {
    id,
    userId,
    sessionId,
    scope,
    request,
    itemCount,
    createdAt,
    progress,
  } of await repository.list()) {
    const stored = { id, userId, sessionId, scope, itemCount, createdAt, ...(request as StoredRequest) };
    const state = progress as JobProgress;
    const failures = state.failedItems === 0 ? [] : await readFailures(repository, id);
    addJob(stored, parts.onResumedEnd).restore(state, failures);
  }
  /** Cancels a job that has not ended. */
  const cancelUnfinished = (job: JobRecord): void => {
    const isQueued = job.state === 'queued';
    job.cancel();
    if (!isQueued) return;
    // It may have been interrupted by a restart.
    void discardCopy(job, parts);
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
    if (isClosing || [...jobs.values()].every((job) => job.hasEnded)) return;
    followCommands().catch((error: unknown) =>
      log.warn({ err: error }, 'the commands about jobs were not read'),
    );
  });
  const stopSweeping = clock.every(sweepMs, () => {
    const before = clock.now() - keptMs;
    for (const job of jobs.values()) if (job.endedAt !== null && job.endedAt < before) remove(job);
  });

  const find: Jobs['find'] = (userId, id) => {
    const job = jobs.get(id);
    if (job?.userId !== userId) throw new AppError('not_found');
    return job;
  };

  const start: Jobs['start'] = async (userContext, planned, onEnd) => {
    const {
      items,
      kind,
      algorithm = 'sha256',
      isPermanent = false,
      copiesToTrash = false,
      isKeepingRequired = false,
      restoreTarget = null,
      compressTarget = null,
      undoes = null,
    } = planned;
    const { id: userId, scope } = userContext.user;
    const unfinished = of(userId).filter((job) => !job.hasEnded);
    const isTooMuch =
      unfinished.length >= maxUnfinishedPerUser || countItems(unfinished) + items.length > maxItemsPerUser;
    if (isTooMuch || isClosing) throw new AppError('too_many_requests', 'too many jobs are waiting');
    const folder = kind === 'duplicates' ? (items[0]?.from.path ?? null) : null;
    const request: StoredRequest = {
      kind,
      algorithm,
      isPermanent,
      copiesToTrash,
      isKeepingRequired,
      restoreTarget,
      compressTarget,
      undoes,
      folder,
    };
    const created = {
      id: planned.id ?? randomBytes(16).toString('base64url'),
      userId,
      sessionId: userContext.sessionId,
      scope,
      itemCount: items.length,
      createdAt: clock.now(),
    };
    // It counts for the limits while it is being stored.
    const job = addJob({ ...created, ...request }, onEnd);
    try {
      await repository.create(
        { ...created, request, isEnded: false, progress: job.progress },
        items.map(toStoredItem),
      );
    } catch (error) {
      jobs.delete(job.id);
      throw error;
    }
    trim(userId);
    listener.changed(job);
    run(job);
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
    async *resultsOf(job) {
      // Results that are added while these are being read are left out.
      const results = job.results.slice();
      let remaining = job.earlierResults;
      if (remaining > 0) {
        for await (const part of repository.results(job.id)) {
          yield part.slice(0, remaining) as JobResult[];
          remaining -= part.length;
          if (remaining <= 0) break;
        }
      }
      yield results;
    },
    resume() {
      for (const job of jobs.values()) {
        if (job.hasEnded || isClosing) continue;
        if (job.startedAt !== null) job.attempt += 1;
        if (job.stalledAttempts >= maxStalledAttempts) {
          job.failAll('interrupted');
          job.end();
          void discardCopy(job, parts);
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
    async create(userContext, request, onEnd) {
      const items = await planItems(request, userContext.user.perm);
      const { kind, algorithm, permanent: isPermanent, copyToTrash: copiesToTrash } = request;
      const compressTarget = kind === 'compress' ? planArchiveTarget(request) : null;
      const isKeepingRequired = isPermanent === false;
      const planned = {
        kind,
        algorithm,
        items,
        isPermanent,
        copiesToTrash,
        isKeepingRequired,
        compressTarget,
      };
      return start(userContext, planned, onEnd);
    },
    cancel(userId, id) {
      const job = find(userId, id);
      if (job.hasEnded) remove(job);
      else cancelUnfinished(job);
    },
    async close() {
      isClosing = true;
      stopSweeping();
      stopFollowing();
      for (const job of jobs.values()) job.pause();
      await queue.idle();
      await Promise.all([...jobs.values()].map((job) => (job.hasEnded ? undefined : progressOf(job).save())));
    },
  };
}
