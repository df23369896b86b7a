import type { QueuedJob } from './upload-job.ts';

/** The jobs that may be sent next, in order. Jobs that no longer wait are passed over. */
export class PendingJobs {
  readonly #jobs: QueuedJob[] = [];
  #next = 0;

  push(job: QueuedJob): void {
    this.#jobs.push(job);
  }

  /** Puts `job` before all others. */
  putFirst(job: QueuedJob): void {
    this.#jobs.splice(this.#next, 0, job);
  }

  /** The next job that may start. One whose folder is being made right now waits, and those behind it too. */
  take(): QueuedJob | null {
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
