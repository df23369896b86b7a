import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { JobRepository } from '../database/database.ts';
import { type JobRecord, savedEvery } from './job-record.ts';

/** Stores the progress and the results of one job, one write after the other. */
export class ProgressLog {
  readonly #job: JobRecord;
  readonly #repository: JobRepository;
  readonly #now: Clock['now'];
  readonly #log: FastifyBaseLogger;
  #savedAt: number;
  #savedEntries: number;
  #savedResults = 0;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(
    job: JobRecord,
    parts: { repository: JobRepository; now: Clock['now']; log: FastifyBaseLogger },
  ) {
    this.#job = job;
    this.#repository = parts.repository;
    this.#now = parts.now;
    this.#log = parts.log;
    this.#savedAt = parts.now();
    this.#savedEntries = job.entriesDone;
  }

  /** Stores the current state. Never rejects: a job continues when the database cannot be written, and is then repeated from its last stored state after a crash. */
  save(): Promise<void> {
    this.#savedAt = this.#now();
    this.#savedEntries = this.#job.entriesDone;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Stores the state if enough has happened since the last time. */
  saveIfDue(): void {
    const isDue =
      this.#now() - this.#savedAt >= savedEvery.ms ||
      this.#job.entriesDone - this.#savedEntries >= savedEvery.entries;
    if (isDue) void this.save();
  }

  async #write(): Promise<void> {
    const { id, progress, hasEnded, results, earlierResults } = this.#job;
    const added = results.slice(this.#savedResults);
    const first = earlierResults + this.#savedResults;
    try {
      await this.#repository.update(id, { isEnded: hasEnded, progress }, { first, added });
      this.#savedResults += added.length;
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#log.warn({ err: error, job: id }, 'the progress of a job was not stored');
      this.#hasFailed = true;
    }
  }
}
