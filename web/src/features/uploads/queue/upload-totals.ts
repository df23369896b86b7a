import { uploadStates, weightOf, type UploadJob, type UploadState } from './upload-job.ts';

const zeros = (): Record<UploadState, number> => ({
  sending: 0,
  asking: 0,
  paused: 0,
  failed: 0,
  waiting: 0,
  done: 0,
  skipped: 0,
  cancelled: 0,
});

/** The states that count as sent or still to be sent. */
const countedStates = [
  'done',
  'sending',
  'waiting',
  'paused',
  'asking',
] as const satisfies readonly UploadState[];

/** Totals over all jobs, updated with each change, so that displaying 50,000 jobs is cheap. */
export class UploadTotals {
  /** Number of jobs by state. */
  readonly counts = zeros();
  /** Number of those that are folders. */
  readonly folderCounts = zeros();
  readonly #weights = zeros();
  readonly #bytes = zeros();
  #partialBytes = 0;

  add(job: UploadJob): void {
    this.#count(job, 1);
  }

  remove(job: UploadJob): void {
    this.#count(job, -1);
  }

  /** Adds bytes that a running job has sent. */
  advance(bytes: number): void {
    this.#partialBytes += bytes;
  }

  /** Number of bytes sent, of finished and running files. */
  get sentBytes(): number {
    return this.#bytes.done + this.#partialBytes;
  }

  /** The weight that has been sent. */
  get sentWeight(): number {
    return this.#weights.done + this.#partialBytes;
  }

  /** The weight of everything that has been or still will be sent. */
  get totalWeight(): number {
    return countedStates.reduce((sum, state) => sum + this.#weights[state], 0);
  }

  /** Number of bytes of everything that has been or still will be sent. */
  get totalBytes(): number {
    return countedStates.reduce((sum, state) => sum + this.#bytes[state], 0);
  }

  /** Number of all jobs. */
  get size(): number {
    return uploadStates.reduce((sum, state) => sum + this.counts[state], 0);
  }

  #count(job: UploadJob, sign: 1 | -1): void {
    this.counts[job.state] += sign;
    if (job.kind === 'folder') this.folderCounts[job.state] += sign;
    this.#weights[job.state] += sign * weightOf(job);
    this.#bytes[job.state] += sign * job.size;
  }
}
