import type { ErrorCode } from '@filestead/contract/errors';
import type { checksumAlgorithms } from '@filestead/contract/files';
import type { Job, JobFailure, JobKind, JobResult, JobState } from '@filestead/contract/jobs';
import type { Clock } from '../clock.ts';
import type { PlannedItem } from './plan-items.ts';

/** So many failures are told with the job itself; all are among its results. */
const maxToldFailures = 100;

export interface NewJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly algorithm: (typeof checksumAlgorithms)[number];
  readonly userId: number;
  /** The session that asked. */
  readonly sessionId: string;
  /** The user's scope when it was asked for: all paths are seen from there. */
  readonly scope: string;
  readonly items: readonly PlannedItem[];
}

/** A job as it stands. Whoever changes it calls `onChange` so that those who follow it hear of it. */
export class JobRecord {
  readonly id: string;
  readonly kind: JobKind;
  readonly algorithm: NewJob['algorithm'];
  readonly userId: number;
  readonly sessionId: string;
  readonly scope: string;
  readonly itemCount: number;
  /** Unix milliseconds, as are the other times. */
  readonly createdAt: number;
  readonly results: JobResult[] = [];
  readonly #now: Clock['now'];
  readonly #onChange: (job: JobRecord) => void;
  readonly #controller = new AbortController();
  readonly #failures: JobFailure[] = [];
  /** Emptied at the end. */
  items: readonly PlannedItem[];
  state: JobState = 'queued';
  startedAt: number | null = null;
  endedAt: number | null = null;
  current: string | null = null;
  doneItems = 0;
  failedItems = 0;
  entriesTotal: number | null = null;
  bytesTotal: number | null = null;
  entriesDone = 0;
  bytesDone = 0;

  constructor(job: NewJob, now: Clock['now'], onChange: (job: JobRecord) => void) {
    this.id = job.id;
    this.kind = job.kind;
    this.algorithm = job.algorithm;
    this.userId = job.userId;
    this.sessionId = job.sessionId;
    this.scope = job.scope;
    this.items = job.items;
    this.itemCount = job.items.length;
    this.createdAt = now();
    this.#now = now;
    this.#onChange = onChange;
  }

  /** Aborted when the job is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get hasEnded(): boolean {
    return this.endedAt !== null;
  }

  changed(): void {
    this.#onChange(this);
  }

  start(): void {
    this.state = 'running';
    this.startedAt = this.#now();
    this.changed();
  }

  /** Asks whoever works on it to stop; a job that nobody works on yet has ended with that. */
  cancel(): void {
    this.#controller.abort();
    if (this.state === 'queued') this.end();
  }

  fail(item: PlannedItem, path: string, code: ErrorCode): void {
    this.results.push({ index: item.index, path, code });
    if (this.#failures.length < maxToldFailures) this.#failures.push({ index: item.index, path, code });
  }

  end(): void {
    if (this.hasEnded) return;
    this.state = this.signal.aborted ? 'cancelled' : this.failedItems === this.itemCount ? 'failed' : 'done';
    this.endedAt = this.#now();
    this.current = null;
    this.items = [];
    this.changed();
  }

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
