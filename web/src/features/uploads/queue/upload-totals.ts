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

/** What has been sent or still will be. */
const toSend = ['done', 'sending', 'waiting', 'paused', 'asking'] as const satisfies readonly UploadState[];

/** Sums over all jobs, kept up to date by each change, so that 50,000 of them cost nothing to show. */
export class UploadTotals {
  /** Jobs per state. */
  readonly counts = zeros();
  readonly #weights = zeros();
  readonly #bytes = zeros();
  #partialBytes = 0;

  add(job: UploadJob): void {
    this.#count(job, 1);
  }

  remove(job: UploadJob): void {
    this.#count(job, -1);
  }

  /** Takes bytes that a job has sent so far into account. */
  advance(bytes: number): void {
    this.#partialBytes += bytes;
  }

  /** Bytes that have arrived, of finished files and of those on their way. */
  get sentBytes(): number {
    return this.#bytes.done + this.#partialBytes;
  }

  /** The weight that has been sent. */
  get sentWeight(): number {
    return this.#weights.done + this.#partialBytes;
  }

  /** The weight of all that has been sent or still will be. */
  get totalWeight(): number {
    return toSend.reduce((sum, state) => sum + this.#weights[state], 0);
  }

  /** Bytes of all that has been sent or still will be. */
  get totalBytes(): number {
    return toSend.reduce((sum, state) => sum + this.#bytes[state], 0);
  }

  /** From 0 to 1; 1 when nothing is left. */
  get progress(): number {
    return this.totalWeight === 0 ? 1 : Math.min(1, this.sentWeight / this.totalWeight);
  }

  /** All jobs. */
  get size(): number {
    return uploadStates.reduce((sum, state) => sum + this.counts[state], 0);
  }

  #count(job: UploadJob, sign: 1 | -1): void {
    this.counts[job.state] += sign;
    this.#weights[job.state] += sign * weightOf(job);
    this.#bytes[job.state] += sign * job.size;
  }
}
