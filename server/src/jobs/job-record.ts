import type { ErrorCode } from '@filestead/contract/errors';
import type { Job, JobFailure, JobKind, JobResult, JobState } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../clock.ts';
import { isAppError } from '../errors.ts';
import type { BegunItem, JobProgress, StoredRequest } from './job-progress.ts';
import type { CompressTarget } from './compress-target.ts';
import type { PlannedItem } from './plan-items.ts';

/** Progress is stored when this time has passed or this many entries were processed since it was stored last. */
export const savedEvery = { ms: 1_000, entries: 1_000 } as const;

/** Maximum number of failures in the job's summary. The results contain all of them. */
export const maxListedFailures = 100;

/** The properties of a job that do not change. */
export interface NewJob extends StoredRequest {
  readonly id: string;
  readonly userId: number;
  /** The session that created the job. */
  readonly sessionId: string;
  /** The user's scope when the job was created; all paths are relative to it. */
  readonly scope: string;
  readonly itemCount: number;
  readonly createdAt: number;
}

/** The state of a job. `changed` has to be called after each change, so that listeners are notified. */
export class JobRecord {
  readonly id: string;
  readonly kind: JobKind;
  readonly algorithm: NewJob['algorithm'];
  readonly userId: number;
  readonly sessionId: string;
  readonly scope: string;
  readonly isPermanent: boolean;
  readonly copiesToTrash: boolean;
  readonly isKeepingRequired: boolean;
  readonly restoreTarget: NewJob['restoreTarget'];
  readonly compressTarget: CompressTarget | null;
  readonly undoes: string | null;
  readonly folder: VirtualPath | null;
  readonly itemCount: number;
  /** In Unix milliseconds, as are the other times. */
  readonly createdAt: number;
  readonly results: JobResult[] = [];
  readonly #now: Clock['now'];
  readonly #onChange: (job: JobRecord) => void;
  readonly #onEnd: (job: JobRecord) => void;
  readonly #controller = new AbortController();
  readonly #failures: JobFailure[] = [];
  /** The number of results of earlier runs of the server, which are not in `results`. */
  earlierResults = 0;
  /** The number of the run of the server in which the job runs, beginning with 1. */
  attempt = 1;
  stalledAttempts = 0;
  resumedAt: number | null = null;
  /** Whether the server is stopping: the job continues at its next start. */
  isPaused = false;
  /** Whether the job ends although items remain. */
  isGivenUp = false;
  nextItem = 0;
  /** The items of this run of the server, from the first that was not complete; empty before it runs and after its end. */
  items: readonly PlannedItem[] = [];
  /** The item that is being processed or was interrupted, once it has had an effect. */
  begunItem: BegunItem | null = null;
  /** The ids of the entries that earlier runs of the server have moved to the trash, by their places; null until they are read. */
  recovered: ReadonlyMap<VirtualPath, string> | null = null;
  /** The position up to which items may have been completed after the progress was stored last. */
  #repeatedUntil = 0;
  /** `entriesDone` and `bytesDone` when the item `nextItem` began. */
  entriesBefore = 0;
  bytesBefore = 0;
  /** The progress of earlier runs. What is shown does not fall below it while an interrupted item is repeated. */
  #shownEntries = 0;
  #shownBytes = 0;
  state: JobState = 'queued';
  startedAt: number | null = null;
  endedAt: number | null = null;
  /** The path that is being processed. */
  current: string | null = null;
  doneItems = 0;
  failedItems = 0;
  entriesTotal: number | null = null;
  bytesTotal: number | null = null;
  entriesDone = 0;
  bytesDone = 0;

  constructor(
    job: NewJob,
    now: Clock['now'],
    onChange: (job: JobRecord) => void,
    onEnd: (job: JobRecord) => void = () => undefined,
  ) {
    this.id = job.id;
    this.kind = job.kind;
    this.algorithm = job.algorithm;
    this.userId = job.userId;
    this.sessionId = job.sessionId;
    this.scope = job.scope;
    this.isPermanent = job.isPermanent;
    this.copiesToTrash = job.copiesToTrash ?? false;
    this.isKeepingRequired = job.isKeepingRequired ?? false;
    this.restoreTarget = job.restoreTarget;
    this.compressTarget = job.compressTarget ?? null;
    this.undoes = job.undoes ?? null;
    this.folder = job.folder ?? null;
    this.itemCount = job.itemCount;
    this.createdAt = job.createdAt;
    this.#now = now;
    this.#onChange = onChange;
    this.#onEnd = onEnd;
  }

  /** Aborted when the job is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the job is done, failed or cancelled. */
  get hasEnded(): boolean {
    return this.endedAt !== null;
  }

  /** Notifies the listener of a change. */
  changed(): void {
    // A job of one large folder makes progress long before its item ends.
    if (this.entriesDone > this.#shownEntries || this.bytesDone > this.#shownBytes) this.stalledAttempts = 0;
    this.#onChange(this);
  }

  /** Marks the job as running. */
  start(): void {
    this.state = 'running';
    if (this.startedAt === null) this.startedAt = this.#now();
    else this.resumedAt = this.#now();
    this.changed();
  }

  /** Stops a job that has not ended, so that the next start of the server continues it. */
  pause(): void {
    if (this.hasEnded) return;
    this.isPaused = true;
    this.#controller.abort();
  }

  /** Begins the item at `position`. */
  beginItem(position: number): void {
    this.nextItem = position;
    this.entriesBefore = this.entriesDone;
    this.bytesBefore = this.bytesDone;
  }

  /**
   * Records that the item that is being processed is complete, with its result if that is not recorded yet. One step, so that no
   * stored state counts an item that is processed again after a crash.
   */
  completeItem(result: JobResult | null): void {
    if (result !== null) this.results.push(result);
    this.doneItems += 1;
    this.#endItem();
  }

  /** Records that the item that is being processed has failed; its failures are recorded by {@link fail} in the same step. */
  failItem(): void {
    this.failedItems += 1;
    this.#endItem();
  }

  #endItem(): void {
    this.stalledAttempts = 0;
    this.begunItem = null;
    this.beginItem(this.nextItem + 1);
  }

  /** Cancels the job. A queued job ends at once, a running one at its next check of the signal. */
  cancel(): void {
    this.#controller.abort();
    if (this.state === 'queued') this.end();
  }

  /** Records that `path`, which belongs to `item`, failed. */
  fail(item: PlannedItem, path: string, code: ErrorCode, detail?: string): void {
    const failure = { index: item.index, path, code, ...(detail !== undefined && { detail }) };
    this.results.push(failure);
    if (this.#failures.length < maxListedFailures) this.#failures.push(failure);
  }

  /** Like {@link fail}, with the code of `error`; `internal_error` if the client may not know the error. */
  failWith(item: PlannedItem, path: string, error: unknown): void {
    if (isAppError(error)) this.fail(item, path, error.code, error.detail);
    else this.fail(item, path, 'internal_error');
  }

  /** Records that the item that is being processed failed with `code`, and that the job is given up. */
  failAll(code: ErrorCode): void {
    const { index = this.nextItem, to } = this.begunItem ?? {};
    const failure = { index, path: to ?? '/', code };
    this.results.push(failure);
    this.#failures.push(failure);
    this.failedItems = this.itemCount - this.doneItems;
    this.isGivenUp = true;
  }

  /** Marks the job as ended and releases its items. Further calls do nothing. */
  end(): void {
    if (this.hasEnded) return;
    const hasFailed = this.isGivenUp || this.failedItems === this.itemCount;
    this.state = this.signal.aborted ? 'cancelled' : hasFailed ? 'failed' : 'done';
    this.endedAt = this.#now();
    this.current = null;
    this.items = [];
    this.changed();
    this.#onEnd(this);
  }

  /** Applies the progress that an earlier run of the server has stored, and its first failures. */
  restore(progress: JobProgress, failures: readonly JobFailure[]): void {
    const { state, startedAt, resumedAt, endedAt, attempt, stalledAttempts, nextItem, begunItem } = progress;
    Object.assign(this, { startedAt, resumedAt, endedAt, attempt, stalledAttempts, nextItem, begunItem });
    this.state = endedAt === null ? 'queued' : state;
    this.doneItems = progress.doneItems;
    this.failedItems = progress.failedItems;
    this.entriesTotal = progress.entriesTotal;
    this.bytesTotal = progress.bytesTotal;
    this.entriesDone = endedAt === null ? progress.entriesBefore : progress.entriesDone;
    this.bytesDone = endedAt === null ? progress.bytesBefore : progress.bytesDone;
    this.entriesBefore = progress.entriesBefore;
    this.bytesBefore = progress.bytesBefore;
    this.#shownEntries = progress.entriesDone;
    this.#shownBytes = progress.bytesDone;
    this.earlierResults = progress.resultCount;
    this.#repeatedUntil = nextItem + savedEvery.entries;
    this.#failures.push(...failures.slice(0, maxListedFailures));
  }

  /** Whether an earlier run of the server may have processed items, also if it was interrupted before it stored that. */
  get isContinued(): boolean {
    return this.#repeatedUntil > 0;
  }

  /** Whether an earlier run of the server may have completed the current item without storing that. */
  get isRepeating(): boolean {
    return this.nextItem < this.#repeatedUntil;
  }

  /** Returns the progress as it is stored. */
  get progress(): JobProgress {
    return {
      state: this.state,
      startedAt: this.startedAt,
      resumedAt: this.resumedAt,
      endedAt: this.endedAt,
      attempt: this.attempt,
      stalledAttempts: this.stalledAttempts,
      nextItem: this.nextItem,
      begunItem: this.begunItem,
      doneItems: this.doneItems,
      failedItems: this.failedItems,
      entriesDone: Math.max(this.entriesDone, this.#shownEntries),
      entriesTotal: this.entriesTotal,
      bytesDone: Math.max(this.bytesDone, this.#shownBytes),
      bytesTotal: this.bytesTotal,
      entriesBefore: this.entriesBefore,
      bytesBefore: this.bytesBefore,
      resultCount: this.earlierResults + this.results.length,
    };
  }

  /** The error code of the first failure; null if there is none. */
  get firstFailure(): ErrorCode | null {
    return this.#failures[0]?.code ?? null;
  }

  /** Returns the job as the API sends it, without its results. */
  present(): Job {
    const { progress } = this;
    return {
      id: this.id,
      kind: this.kind,
      state: this.state,
      ...(this.folder !== null && { folder: this.folder }),
      createdAt: this.createdAt,
      startedAt: this.startedAt,
      resumedAt: this.resumedAt,
      endedAt: this.endedAt,
      attempt: this.attempt,
      items: { total: this.itemCount, done: this.doneItems, failed: this.failedItems },
      entries: { done: progress.entriesDone, total: this.entriesTotal },
      bytes: { done: progress.bytesDone, total: this.bytesTotal },
      current: this.current,
      failures: [...this.#failures],
    };
  }
}
