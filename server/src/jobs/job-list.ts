import type { JobKind, JobState } from '@filestead/contract/jobs';
import type { FastifyBaseLogger } from 'fastify';
import type { JobRepository } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { JobRecord } from './job-record.ts';

/** Maximum number of jobs of one user that wait or run. */
const maxUnfinishedPerUser = 50;
/** Maximum number of items of one user's jobs in memory, including finished jobs. */
const maxItemsPerUser = 300_000;
/** Maximum number of finished jobs of one user. */
const maxFinishedPerUser = 20;

/** Notified of every change of a job. */
export interface JobListener {
  /** Called after a job was created or changed. */
  changed(job: JobRecord): void;
  /** Called after a job was removed from the list. */
  removed(job: JobRecord): void;
}

/** The number of jobs of one kind in one state. */
export interface JobCount {
  readonly kind: JobKind;
  readonly state: JobState;
  readonly count: number;
}

const countItems = (jobs: readonly JobRecord[]): number =>
  jobs.reduce((sum, job) => sum + Math.max(job.itemCount, job.earlierResults + job.results.length), 0);

/** The jobs in memory: all that have not ended, and a limited number of finished ones. */
export class JobList {
  readonly #jobs = new Map<string, JobRecord>();
  readonly #repository: JobRepository;
  readonly #listener: JobListener;
  readonly #log: FastifyBaseLogger;

  constructor(parts: { repository: JobRepository; log: FastifyBaseLogger }, listener: JobListener) {
    this.#repository = parts.repository;
    this.#listener = listener;
    this.#log = parts.log;
  }

  /** Returns all jobs, the oldest first. */
  all(): IterableIterator<JobRecord> {
    return this.#jobs.values();
  }

  /** Returns the jobs of a user, the newest first. */
  of(userId: number): JobRecord[] {
    return [...this.#jobs.values()].filter((job) => job.userId === userId).reverse();
  }

  get(id: string): JobRecord | undefined {
    return this.#jobs.get(id);
  }

  /** Returns a job of a user. Throws `not_found`. */
  find(userId: number, id: string): JobRecord {
    const job = this.#jobs.get(id);
    if (job?.userId !== userId) throw new AppError('not_found');
    return job;
  }

  /** Returns the number of jobs of all users by kind and state. */
  count(): JobCount[] {
    const counts = new Map<string, JobCount>();
    for (const { kind, state } of this.#jobs.values()) {
      const key = `${kind} ${state}`;
      const entry = counts.get(key) ?? { kind, state, count: 0 };
      counts.set(key, { ...entry, count: entry.count + 1 });
    }
    return [...counts.values()];
  }

  add(job: JobRecord): void {
    this.#jobs.set(job.id, job);
  }

  /** Removes a job that was not stored. */
  withdraw(job: JobRecord): void {
    this.#jobs.delete(job.id);
  }

  /** Removes a finished job, also from the database. */
  remove(job: JobRecord): void {
    this.#jobs.delete(job.id);
    this.#listener.removed(job);
    this.#repository
      .remove(job.id)
      .catch((error: unknown) =>
        this.#log.warn({ err: error, job: job.id }, 'a finished job was not removed'),
      );
  }

  /** Whether a user may create a job of `itemCount` items. */
  hasRoomFor(userId: number, itemCount: number): boolean {
    const unfinished = this.of(userId).filter((job) => !job.hasEnded);
    return unfinished.length < maxUnfinishedPerUser && countItems(unfinished) + itemCount <= maxItemsPerUser;
  }

  /** Removes a user's oldest finished jobs until the limits are met. */
  trim(userId: number): void {
    const finished = this.of(userId).filter((job) => job.hasEnded);
    while (finished.length > maxFinishedPerUser || countItems(this.of(userId)) > maxItemsPerUser) {
      const oldest = finished.pop();
      if (oldest === undefined) return;
      this.remove(oldest);
    }
  }

  /** Removes the jobs that ended before `time` (Unix milliseconds). */
  removeEndedBefore(time: number): void {
    for (const job of this.#jobs.values()) if (job.endedAt !== null && job.endedAt < time) this.remove(job);
  }
}
