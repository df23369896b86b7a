import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { UploadTotals } from './upload-totals.ts';
import type { FolderContents, JobGroup, QueuedJob, UploadJob, UploadState } from './upload-job.ts';

/** The states in which a file of a folder has a row of its own, because the user has to decide or to know why it failed. */
const shownStates: ReadonlySet<UploadState> = new Set(['asking', 'failed']);

/** The state of a folder: the first of these that one of its jobs has. */
const statesOfFolder = [
  'sending',
  'waiting',
  'paused',
  'asking',
  'failed',
  'cancelled',
  'done',
  'skipped',
] as const satisfies readonly UploadState[];

/** A folder that is uploaded, with everything in it, as one row of the tray. Its values follow those of its jobs. */
export class FolderRow implements UploadJob {
  readonly id: number;
  readonly kind = 'folder';
  readonly mediaType = '';
  readonly failure = null;
  readonly name: string;
  readonly path: VirtualPath | null;
  readonly #jobs = new Set<QueuedJob>();
  readonly #sending = new Set<QueuedJob>();
  readonly #shown = new Set<QueuedJob>();
  readonly #totals = new UploadTotals();
  #files = 0;
  #doneFiles = 0;

  constructor({ id, name, path }: JobGroup) {
    this.id = id;
    this.name = name;
    this.path = path;
  }

  get state(): UploadState {
    return statesOfFolder.find((state) => this.#totals.counts[state] > 0) ?? 'done';
  }

  get size(): number {
    return this.#totals.totalBytes;
  }

  get sentBytes(): number {
    return this.#totals.sentBytes;
  }

  get bytesPerSecond(): number {
    let sum = 0;
    for (const { bytesPerSecond } of this.#sending) sum += bytesPerSecond;
    return sum;
  }

  get isInterrupted(): boolean {
    return this.#sending.size > 0 && [...this.#sending].every(({ isInterrupted }) => isInterrupted);
  }

  get contents(): FolderContents {
    const { failed } = this.#totals.counts;
    return { files: this.#files, done: this.#doneFiles, failed };
  }

  /** All jobs of the folder, in the order in which they were added. */
  get jobs(): readonly QueuedJob[] {
    return [...this.#jobs];
  }

  /** The jobs that have rows of their own. */
  get shownJobs(): Iterable<QueuedJob> {
    return this.#shown;
  }

  add(job: QueuedJob): void {
    this.#jobs.add(job);
    if (job.kind === 'file') this.#files += 1;
    this.enter(job);
  }

  /** Counts a job in its current state. */
  enter(job: QueuedJob): void {
    this.#totals.add(job);
    this.#totals.advance(job.sentBytes);
    if (job.state === 'sending') this.#sending.add(job);
    if (shownStates.has(job.state)) this.#shown.add(job);
    if (job.kind === 'file' && job.state === 'done') this.#doneFiles += 1;
  }

  /** Counts a job no longer in its current state, which is about to change. */
  leave(job: QueuedJob): void {
    this.#totals.remove(job);
    this.#totals.advance(-job.sentBytes);
    this.#sending.delete(job);
    this.#shown.delete(job);
    if (job.kind === 'file' && job.state === 'done') this.#doneFiles -= 1;
  }

  /** Adds bytes that a job has sent. */
  advance(bytes: number): void {
    this.#totals.advance(bytes);
  }
}
