import { maxConcurrentUploads } from '@filestead/contract/values/limits';
import type { QueuedJob } from './upload-job.ts';

/** Number of small files that use as much of the limit as one other upload: they share requests. */
const smallFilesPerUpload = 60;

/** The jobs that are being sent, within the limit of concurrent uploads. */
export class SendingJobs {
  readonly #isSmall: (job: QueuedJob) => boolean;
  readonly #jobs = new Set<QueuedJob>();
  #smallJobs = 0;

  /** @param isSmall whether a job is sent together with others; always the same for one job */
  constructor(isSmall: (job: QueuedJob) => boolean) {
    this.#isSmall = isSmall;
  }

  /** Whether another job may start. */
  get hasCapacity(): boolean {
    const others = this.#jobs.size - this.#smallJobs;
    return others + this.#smallJobs / smallFilesPerUpload <= maxConcurrentUploads - 1;
  }

  add(job: QueuedJob): void {
    if (this.#jobs.has(job)) return;
    this.#jobs.add(job);
    if (this.#isSmall(job)) this.#smallJobs += 1;
  }

  delete(job: QueuedJob): void {
    if (this.#jobs.delete(job) && this.#isSmall(job)) this.#smallJobs -= 1;
  }

  /** Returns the jobs in the order in which they have started. */
  list(): QueuedJob[] {
    return [...this.#jobs];
  }
}
