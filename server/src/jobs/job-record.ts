import type { ErrorCode } from '@filestead/contract/errors';
import type { checksumAlgorithms } from '@filestead/contract/files';
import type { Job, JobFailure, JobKind, JobResult, JobState } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import type { Clock } from '../clock.ts';
import type { PlannedItem } from './plan-items.ts';

/** Maximum number of failures in the job's summary. The results contain all of them. */
const maxListedFailures = 100;

/** The properties of a job that do not change. */
export interface NewJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly algorithm: (typeof checksumAlgorithms)[number];
  readonly userId: number;
  /** The session that created the job. */
  readonly sessionId: string;
  /** The user's scope when the job was created; all paths are relative to it. */
  readonly scope: string;
  readonly items: readonly PlannedItem[];
  /** Whether a deletion removes forever. */
  readonly isPermanent?: boolean;
  /** Restores one item, in a job of that kind. */
  readonly restore?: RestoreOne;
}

/** Restores a deleted entry as the user is now and resolves to its path. */
export type RestoreOne = (userContext: UserContext, id: string, signal: AbortSignal) => Promise<VirtualPath>;

/** The state of a job. `changed` has to be called after each change, so that listeners are notified. */
export class JobRecord {
  readonly id: string;
  readonly kind: JobKind;
  readonly algorithm: NewJob['algorithm'];
  readonly userId: number;
  readonly sessionId: string;
  readonly scope: string;
  readonly isPermanent: boolean;
  readonly restore: RestoreOne | undefined;
  readonly itemCount: number;
  /** In Unix milliseconds, as are the other times. */
  readonly createdAt: number;
  readonly results: JobResult[] = [];
  readonly #now: Clock['now'];
  readonly #onChange: (job: JobRecord) => void;
  readonly #onEnd: (job: JobRecord) => void;
  readonly #controller = new AbortController();
  readonly #failures: JobFailure[] = [];
  /** Emptied when the job ends. */
  items: readonly PlannedItem[];
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
    this.isPermanent = job.isPermanent === true;
    this.restore = job.restore;
    this.items = job.items;
    this.itemCount = job.items.length;
    this.createdAt = now();
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
    this.#onChange(this);
  }

  /** Marks the job as running. */
  start(): void {
    this.state = 'running';
    this.startedAt = this.#now();
    this.changed();
  }

  /** Cancels the job. A queued job ends at once, a running one at its next check of the signal. */
  cancel(): void {
    this.#controller.abort();
    if (this.state === 'queued') this.end();
  }

  /** Records that `path`, which belongs to `item`, failed. */
  fail(item: PlannedItem, path: string, code: ErrorCode): void {
    this.results.push({ index: item.index, path, code });
    if (this.#failures.length < maxListedFailures) this.#failures.push({ index: item.index, path, code });
  }

  /** Marks the job as ended and releases its items. Further calls do nothing. */
  end(): void {
    if (this.hasEnded) return;
    this.state = this.signal.aborted ? 'cancelled' : this.failedItems === this.itemCount ? 'failed' : 'done';
    this.endedAt = this.#now();
    this.current = null;
    this.items = [];
    this.changed();
    this.#onEnd(this);
  }

  /** The error code of the first failure; null if there is none. */
  get firstFailure(): ErrorCode | null {
    return this.#failures[0]?.code ?? null;
  }

  /** Returns the job as the API sends it, without its results. */
  present(): Job {
    return {
      id: this.id,
      kind: this.kind,
      state: this.state,
      createdAt: this.createdAt,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
      items: { total: this.itemCount, done: this.doneItems, failed: this.failedItems },
      entries: { done: this.entriesDone, total: this.entriesTotal },
      bytes: { done: this.bytesDone, total: this.bytesTotal },
      current: this.current,
      failures: [...this.#failures],
    };
  }
}
