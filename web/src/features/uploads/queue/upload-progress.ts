import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { FolderRow } from './folder-row.ts';
import { UploadEstimate } from './upload-estimate.ts';
import { UploadSpeed } from './upload-speed.ts';
import { uploadStates, type QueuedJob, type UploadJob, type UploadState } from './upload-job.ts';
import { UploadTotals } from './upload-totals.ts';

/** The result of the queue: numbers of files and folders since it was last idle. */
export interface UploadSummary {
  files: number;
  folders: number;
  failed: number;
  skipped: number;
  cancelled: number;
}

/** The queue at one moment. A new object at most every 100 ms. */
export interface UploadSnapshot {
  readonly counts: Readonly<Record<UploadState, number>>;
  /** Those of {@link counts} that are folders. */
  readonly folderCounts: Readonly<Record<UploadState, number>>;
  /** All files and folders in the list. */
  readonly total: number;
  /** Number of items that are not files and folders of the list yet: they are checked for conflicts, or their sizes are read. */
  readonly planned: number;
  /** From 0 to 1. Items that are planned count like the mean of the others. */
  readonly progress: number;
  /** The sent and the total weight: bytes, and an overhead for each file and folder. */
  readonly sentWeight: number;
  readonly totalWeight: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number;
  /** Null while it is unknown. */
  readonly secondsLeft: number | null;
  /** Whether all remaining jobs are paused. */
  readonly isPaused: boolean;
  /** Whether a job is being sent, waits, or has an open prompt. */
  readonly isBusy: boolean;
}

/** Returns rows sorted by their state. */
function inDisplayOrder(rows: Iterable<UploadJob>): readonly UploadJob[] {
  const byState = new Map<UploadState, UploadJob[]>(uploadStates.map((state) => [state, []]));
  for (const row of rows) byState.get(row.state)?.push(row);
  return uploadStates.flatMap((state) => byState.get(state) ?? []);
}

/** With more jobs than this, listeners are notified less often, because each notification renders the tray and the listing. */
const manyJobs = 200;
const manyJobsFactor = 3;
/** While busy, the speed is sampled at least this often, so that a stall lowers it. */
const tickMs = 1000;

/** The list of uploads with its totals and listeners. */
export class UploadProgress {
  readonly #intervalMs: number;
  readonly #jobs = new Map<number, QueuedJob>();
  readonly #destinations = new Set<VirtualPath>();
  readonly #listeners = new Set<() => void>();
  readonly #byteSpeed = new UploadSpeed();
  readonly #estimate = new UploadEstimate();
  #totals = new UploadTotals();
  #skippedBefore = 0;
  #planned = 0;
  /** The folders that are shown as one row, by the ids of their rows. */
  readonly #folderRows = new Map<number, FolderRow>();
  #rows: readonly UploadJob[] | null = [];
  #sortedJobs: readonly UploadJob[] | null = [];
  #snapshot: UploadSnapshot;
  /** Whether something has been sent since the queue was idle. */
  #hasBegun = false;
  #lastNotifiedMs = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #ticker: ReturnType<typeof setInterval> | null = null;

  /** Notifies listeners at most every `intervalMs`. */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
    this.#snapshot = this.#takeSnapshot();
  }

  get snapshot(): UploadSnapshot {
    return this.#snapshot;
  }

  get isBusy(): boolean {
    const { sending, asking, paused, waiting } = this.#totals.counts;
    return this.#planned + sending + asking + paused + waiting > 0;
  }

  /**
   * Returns the rows in display order: running ones first, then those that need attention, the finished ones last. A folder is one row
   * with everything in it, besides the files that failed or ask.
   */
  rows(): readonly UploadJob[] {
    this.#rows ??= inDisplayOrder(this.#shownRows());
    return this.#rows;
  }

  *#shownRows(): Generator<UploadJob> {
    for (const row of this.#folderRows.values()) {
      yield row;
      yield* row.shownJobs;
    }
    for (const job of this.#jobs.values()) if (job.group === null) yield job;
  }

  /** Returns all jobs in the order of {@link rows}. */
  sortedJobs(): readonly UploadJob[] {
    this.#sortedJobs ??= inDisplayOrder(this.#jobs.values());
    return this.#sortedJobs;
  }

  /** Returns the jobs of a row. */
  jobsOf(id: number): readonly QueuedJob[] {
    const folder = this.#folderRows.get(id);
    if (folder !== undefined) return folder.jobs;
    const job = this.#jobs.get(id);
    return job === undefined ? [] : [job];
  }

  #folderRowOf({ group }: QueuedJob): FolderRow | undefined {
    return group === null ? undefined : this.#folderRows.get(group.id);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  find(id: number): QueuedJob | undefined {
    return this.#jobs.get(id);
  }

  jobs(): Iterable<QueuedJob> {
    return this.#jobs.values();
  }

  /** Whether a job of the list has the destination `path`. */
  hasDestination(path: VirtualPath): boolean {
    return this.#destinations.has(path);
  }

  add(job: QueuedJob): void {
    this.#jobs.set(job.id, job);
    if (job.path) this.#destinations.add(job.path);
    this.#totals.add(job);
    if (job.group !== null) {
      const row = this.#folderRows.get(job.group.id) ?? new FolderRow(job.group);
      this.#folderRows.set(row.id, row);
      row.add(job);
    }
    this.#markChanged();
  }

  change(job: QueuedJob, state: UploadState): void {
    this.#folderRowOf(job)?.leave(job);
    this.#totals.advance(-job.sentBytes);
    this.#totals.remove(job);
    // The bytes on the server count as long as the upload will be resumed.
    const isResumable = state === 'sending' || state === 'waiting' || state === 'paused';
    if (!isResumable || job.partial.address === null) job.sentBytes = 0;
    this.#totals.advance(job.sentBytes);
    job.bytesPerSecond = 0;
    job.isInterrupted = false;
    job.state = state;
    this.#totals.add(job);
    this.#folderRowOf(job)?.enter(job);
    this.#markChanged();
  }

  redirect(job: QueuedJob, path: VirtualPath): void {
    job.path = path;
    this.#destinations.add(path);
  }

  /** Records that `job` has sent `sentBytes` in total. */
  advance(job: QueuedJob, sentBytes: number): void {
    const bytes = Math.min(sentBytes, job.size);
    this.#totals.advance(bytes - job.sentBytes);
    this.#folderRowOf(job)?.advance(bytes - job.sentBytes);
    job.sentBytes = bytes;
    job.speed?.sample(bytes, Date.now());
    job.bytesPerSecond = job.speed?.perSecond ?? 0;
    this.#notifySoon();
  }

  /** Records that the server has confirmed `confirmedBytes` of `job`: bytes from before do not affect the speed. */
  confirm(job: QueuedJob, confirmedBytes: number): void {
    const change = Math.min(confirmedBytes, job.size) - job.sentBytes;
    if (change === 0) return;
    this.#totals.advance(change);
    this.#folderRowOf(job)?.advance(change);
    job.sentBytes += change;
    for (const speed of [job.speed, this.#byteSpeed, this.#estimate]) speed?.shift(change);
    this.#notifySoon();
  }

  /** Records whether the connection of `job` is currently broken. */
  interrupt(job: QueuedJob, isInterrupted: boolean): void {
    job.isInterrupted = isInterrupted;
    job.bytesPerSecond = 0;
    job.speed?.reset();
    this.#markChanged();
  }

  /** Adds to the number of items that are being checked. */
  plan(items: number): void {
    this.#planned += items;
    this.#notifySoon();
  }

  /** Counts items that were skipped before they became jobs. */
  skip(items: number): void {
    this.#skippedBefore += items;
  }

  summary(): UploadSummary {
    const { done, failed, skipped, cancelled } = this.#totals.counts;
    const folders = this.#totals.folderCounts.done;
    return {
      files: done - folders,
      folders,
      failed,
      skipped: skipped + this.#skippedBefore,
      cancelled,
    };
  }

  /** Removes the jobs for which `matches` is true from the list. */
  forget(matches: (job: QueuedJob) => boolean): void {
    const remaining = [...this.#jobs.values()].filter((job) => !matches(job));
    this.#jobs.clear();
    this.#destinations.clear();
    this.#folderRows.clear();
    this.#totals = new UploadTotals();
    this.#skippedBefore = 0;
    for (const job of remaining) this.add(job);
    this.#markChanged();
  }

  /** Resets the measured speed, because nothing is being sent. */
  resetSpeed(): void {
    this.#byteSpeed.reset();
    this.#estimate.reset();
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
    // The end is shown without the longer interval.
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#notifySoon();
  }

  #markChanged(): void {
    this.#rows = null;
    this.#sortedJobs = null;
    this.#notifySoon();
  }

  #notifySoon(): void {
    if (this.#ticker === null && this.isBusy) this.#ticker = setInterval(() => this.#notifySoon(), tickMs);
    if (this.#timer !== null) return;
    const elapsedMs = Date.now() - this.#lastNotifiedMs;
    const intervalMs = this.#intervalMs * (this.isBusy && this.#jobs.size > manyJobs ? manyJobsFactor : 1);
    this.#timer = setTimeout(() => this.#notify(), Math.max(0, intervalMs - elapsedMs));
  }

  #notify(): void {
    this.#timer = null;
    this.#lastNotifiedMs = Date.now();
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #takeSnapshot(): UploadSnapshot {
    const totals = this.#totals;
    const { done, sending, waiting, paused, asking } = totals.counts;
    // Items that are not jobs yet are expected to be like the others.
    const plannedShare = this.#planned / Math.max(1, done + sending + waiting + paused + asking);
    const totalWeight = totals.totalWeight * (1 + plannedShare);
    const isPaused = paused > 0 && sending + waiting === 0;
    // The search for conflicts, before anything is sent, does not count towards the speed.
    this.#hasBegun = this.isBusy && (this.#hasBegun || sending > 0);
    if (isPaused) {
      this.#byteSpeed.reset();
      this.#estimate.reset();
    } else if (this.#hasBegun) {
      this.#byteSpeed.sample(totals.sentBytes, Date.now());
      this.#estimate.sample({ bytes: totals.sentBytes, items: totals.counts.done }, Date.now());
    }
    return {
      counts: { ...totals.counts },
      folderCounts: { ...totals.folderCounts },
      total: this.#jobs.size,
      planned: this.#planned,
      progress: totalWeight === 0 ? 1 : Math.min(1, totals.sentWeight / totalWeight),
      sentWeight: totals.sentWeight,
      totalWeight,
      sentBytes: totals.sentBytes,
      totalBytes: totals.totalBytes,
      bytesPerSecond: this.#byteSpeed.perSecond,
      secondsLeft: this.#estimate.secondsFor({
        bytes: totals.totalBytes * (1 + plannedShare) - totals.sentBytes,
        items: sending + waiting + paused + asking + this.#planned,
      }),
      isPaused,
      isBusy: this.isBusy,
    };
  }
}
