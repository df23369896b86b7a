import type { QueuedJob } from './upload-job.ts';

/** The jobs that may be sent next, in order. Jobs that are no longer waiting are skipped. */
export class PendingJobs {
  readonly #jobs: QueuedJob[] = [];
  #next = 0;

  push(job: QueuedJob): void {
    this.#jobs.push(job);
  }

  /** Inserts `job` before all others. */
  unshift(job: QueuedJob): void {
    this.#jobs.splice(this.#next, 0, job);
  }

  /**
   * Removes and returns the next job that may start. A job whose folder is being created waits, and so do those behind
   * it.
   */
  shift(): QueuedJob | null {
    for (; this.#next < this.#jobs.length; this.#next += 1) {
      const job = this.#jobs[this.#next];
      if (job?.state !== 'waiting') continue;
      if (job.parent?.state === 'sending') return null;
      this.#next += 1;
      return job;
    }
    this.#jobs.length = 0;
    this.#next = 0;
    return null;
  }
}
