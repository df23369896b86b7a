import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../../../programs/worker-script.ts';
import type { Folder } from '../paths/folder.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { FlushTime } from './flush-time.ts';
import type { RingWorkerData } from './ring-worker.ts';
import {
  type Operation,
  type RingMemory,
  type Slot,
  allocateRing,
  control,
  dataBytes,
  operations,
  slotCount,
  slotStates,
  viewRing,
  word,
} from './ring-layout.ts';
import { type RingOutcome, readOutcome } from './read-outcome.ts';
import { serializeScopeRoot } from './shared-scope.ts';
import type { PublishRequest, StoreRequest } from './write-requests.ts';

/** The request of a job that writes, and its bytes. */
export interface JobInput {
  readonly request: StoreRequest | PublishRequest;
  readonly body?: readonly Uint8Array[];
}

/** A job whose result has not been delivered. */
interface Pending {
  readonly index: number;
  readonly resolve: (outcome: RingOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Options of a {@link JobRing}. */
export interface JobRingOptions {
  /** Maximum number of workers. The default is 16. */
  readonly maxWorkers?: number;
  /**
   * The number of jobs that should run at the same time, because they mostly wait for the disk: as many workers are woken,
   * and started as soon as jobs wait. The default is 1.
   */
  readonly parallelJobs?: number;
  /** When the disk needs longer than this for a flush (milliseconds), `maxWorkers` jobs run at the same time. The default is never. */
  readonly slowFlushMs?: number;
  /** A worker without a job for this time ends, in milliseconds. The default is 30 s. */
  readonly idleMs?: number;
}

/** Number of workers that are started without delay when a job waits and all others are busy. */
const quickWorkers = 4;
/** Interval of the check for jobs that no worker has taken, in milliseconds; runs only while there are jobs. */
const watchMs = 2;
/**
 * Beyond {@link quickWorkers}, another worker is started when all have been busy for this time (milliseconds). A check that comes late
 * counts as one that came in time: the processor is busy then, and another worker would only take a part of it.
 */
const startDelayMs = 50;

/**
 * Runs jobs on small files and short listings in worker threads. Each job resolves a path and does its work with blocking
 * calls. Jobs and results are passed in shared memory, which costs a fraction of passing each call to a thread.
 * Any worker takes the next job, so that a disk that does not respond blocks one worker and no job behind it.
 */
export class JobRing {
  readonly #maxWorkers: number;
  readonly #usualParallelJobs: number;
  readonly #slowFlushMs: number;
  readonly #idleMs: number;
  readonly #buffer: SharedArrayBuffer;
  readonly #memory: RingMemory;
  readonly #workers = new Map<number, { readonly thread: Worker; isReady: boolean }>();
  /** In the order of their submission. Not a `Map`, for the reason given at `RunningRequests`. */
  readonly #pending: Pending[] = [];
  readonly #free: number[] = Array.from({ length: slotCount }, (_, index) => slotCount - 1 - index);
  readonly #scopes = new WeakMap<Folder, { readonly id: number; readonly bytes: Buffer }>();
  #nextScope = 1;
  #nextWorker = 1;
  /** The jobs that were submitted in this iteration of the event loop. */
  #unannounced = 0;
  #isListening = false;
  /** The counter of finished jobs before the slots were last read. */
  #seenFinished = 0;
  #isWatching = false;
  /** The counter of taken jobs at the last check, and the number of checks since then although jobs wait. */
  #stuck: { readonly taken: number; checks: number } | null = null;
  readonly #flushTime = new FlushTime();

  constructor({
    maxWorkers = 16,
    parallelJobs = 1,
    slowFlushMs = Infinity,
    idleMs = 30_000,
  }: JobRingOptions = {}) {
    this.#maxWorkers = maxWorkers;
    this.#usualParallelJobs = parallelJobs;
    this.#slowFlushMs = slowFlushMs;
    this.#idleMs = idleMs;
    this.#buffer = allocateRing();
    this.#memory = viewRing(this.#buffer);
  }

  /** Resolves when a worker takes jobs. */
  async start(): Promise<void> {
    const { thread } = this.#workers.values().next().value ?? this.#startWorker();
    if (!this.isReady()) await new Promise((resolve) => thread.once('message', resolve));
  }

  /** Ends the workers. Jobs that they have taken fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map(({ thread }) => thread.terminate()));
  }

  /** The number of started workers. */
  get workerCount(): number {
    return this.#workers.size;
  }

  /** The number of jobs that should run at the same time now. */
  get #parallelJobs(): number {
    return this.isFast ? this.#usualParallelJobs : this.#maxWorkers;
  }

  /** Whether the disk needs at most `slowFlushMs` for a flush. */
  get isFast(): boolean {
    return this.#flushTime.ms <= this.#slowFlushMs;
  }

  /** Whether a worker takes jobs. The first call starts one. */
  isReady(): boolean {
    if (this.#workers.size === 0) this.#startWorker();
    for (const { isReady } of this.#workers.values()) if (isReady) return true;
    return false;
  }

  /**
   * Submits a job. Returns null when all slots are in use or the request is too large; it must then be done without the
   * ring. The caller has checked the path with `scopeRoot.assertAllowed`, and keeps the root open until the result has
   * arrived. Rejects with the errors of `locate` and of the operation.
   */
  submit(
    scopeRoot: ScopeRoot,
    operation: Operation,
    path: string,
    input?: JobInput,
  ): Promise<RingOutcome> | null {
    const index = this.#free.pop();
    if (index === undefined) return null;
    const slot = this.#memory.slots[index];
    if (slot === undefined || !this.#write(slot, scopeRoot, operation, path, input)) {
      this.#free.push(index);
      return null;
    }
    const { control: counters, queue } = this.#memory;
    const submitted = Atomics.load(counters, control.submitted);
    Atomics.store(queue, submitted & (slotCount - 1), index);
    Atomics.store(slot.words, word.state, slotStates.queued);
    Atomics.add(counters, control.submitted, 1);
    return new Promise((resolve, reject) => {
      if (this.#pending.push({ index, resolve, reject }) === 1) this.#keepAlive(true);
      this.#wakeSoon();
      this.#listen();
      this.#startWatch();
    });
  }

  #write(
    slot: Slot,
    scopeRoot: ScopeRoot,
    operation: Operation,
    path: string,
    input: JobInput | undefined,
  ): boolean {
    const { id, bytes } = this.#scopeOf(scopeRoot);
    const request = input === undefined ? '' : JSON.stringify(input.request);
    const { body = [] } = input ?? {};
    const bodyLength = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
    // A UTF-16 unit takes at most three bytes in UTF-8.
    if (bytes.length + (path.length + request.length) * 3 + bodyLength > dataBytes) return false;
    const { words, data } = slot;
    data.set(bytes);
    words[word.operation] = operations.indexOf(operation);
    words[word.worker] = 0;
    words[word.flushMicros] = 0;
    words[word.scope] = id;
    words[word.scopeLength] = bytes.length;
    let end = bytes.length;
    end += words[word.pathLength] = data.write(path, end);
    end += words[word.requestLength] = data.write(request, end);
    words[word.bodyLength] = bodyLength;
    for (const piece of body) {
      data.set(piece, end);
      end += piece.byteLength;
    }
    return true;
  }

  /** The serialized scope, cached by the root's folder, which determines everything but the unshared `assertAllowed`. */
  #scopeOf(scopeRoot: ScopeRoot): { readonly id: number; readonly bytes: Buffer } {
    let scope = this.#scopes.get(scopeRoot.root);
    if (scope === undefined) {
      scope = { id: this.#nextScope++ | 0, bytes: serializeScopeRoot(scopeRoot) };
      this.#scopes.set(scopeRoot.root, scope);
    }
    return scope;
  }

  /**
   * Wakes a worker for all jobs that are submitted in this iteration of the event loop, or one for each when they mostly wait
   * for the disk.
   */
  #wakeSoon(): void {
    if (++this.#unannounced > 1) return;
    setImmediate(() => {
      this.#wake(Math.min(this.#unannounced, this.#parallelJobs));
      this.#unannounced = 0;
    });
  }

  /**
   * Wakes workers that wait, if there are any. A busy one looks for jobs before it waits, and one that is about to wait
   * notices that the counter of submitted jobs has changed.
   */
  #wake(workers: number): void {
    const { control: counters } = this.#memory;
    if (Atomics.load(counters, control.idle) > 0) Atomics.notify(counters, control.submitted, workers);
  }

  /** Delivers results when the counter of finished jobs changes, as long as jobs are pending. */
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    // Compares with the counter before the slots were last read, so that a job finished meanwhile is noticed at once.
    const change = Atomics.waitAsync(this.#memory.control, control.finished, this.#seenFinished);
    const deliver = (): void => {
      this.#isListening = false;
      this.#deliver();
      if (this.#pending.length > 0) this.#listen();
    };
    if (change.async) void change.value.then(deliver);
    else deliver();
  }

  #deliver(): void {
    this.#seenFinished = Atomics.load(this.#memory.control, control.finished);
    this.#settle(
      ({ words }) => Atomics.load(words, word.state) === slotStates.done,
      (slot) => {
        const flushMicros = slot.words[word.flushMicros] ?? 0;
        if (flushMicros > 0) this.#flushTime.add(flushMicros / 1000);
        return readOutcome(slot);
      },
    );
  }

  /** Ends the pending jobs whose slots match, with the result of `read` or the error that it throws, and frees their slots. */
  #settle(matches: (slot: Slot) => boolean, read: (slot: Slot) => RingOutcome): void {
    let count = 0;
    for (const pending of this.#pending) {
      const slot = this.#memory.slots[pending.index];
      if (slot === undefined || !matches(slot)) {
        this.#pending[count++] = pending;
        continue;
      }
      try {
        pending.resolve(read(slot));
      } catch (error) {
        pending.reject(error);
      }
      Atomics.store(slot.words, word.state, slotStates.free);
      this.#free.push(pending.index);
    }
    this.#pending.length = count;
    if (count === 0) this.#keepAlive(false);
  }

  /** The process must not end while results are pending. */
  #keepAlive(isBusy: boolean): void {
    for (const { thread } of this.#workers.values()) {
      if (isBusy) thread.ref();
      else thread.unref();
    }
  }

  #startWatch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    setTimeout(() => {
      this.#isWatching = false;
      this.#checkQueue();
      if (this.#pending.length > 0) this.#startWatch();
    }, watchMs).unref();
  }

  /** Wakes or starts another worker when waiting jobs are not taken. */
  #checkQueue(): void {
    const { control: counters } = this.#memory;
    const taken = Atomics.load(counters, control.taken);
    if (taken === Atomics.load(counters, control.submitted)) {
      this.#stuck = null;
      return;
    }
    const isIdle = Atomics.load(counters, control.idle) > 0;
    const workers = [...this.#workers.values()];
    if (this.#stuck?.taken !== taken) {
      this.#stuck = { taken, checks: 0 };
      // The jobs make progress. More workers make it faster only when the jobs wait for the disk.
      if (isIdle || workers.length >= this.#parallelJobs) return;
    }
    this.#stuck.checks += 1;
    if (isIdle) {
      this.#wake(1);
      return;
    }
    if (workers.length >= this.#maxWorkers || workers.some(({ isReady }) => !isReady)) return;
    const isDelayed = workers.length >= Math.max(quickWorkers, this.#parallelJobs);
    if (isDelayed && this.#stuck.checks * watchMs < startDelayMs) return;
    this.#startWorker();
  }

  #startWorker(): { readonly thread: Worker; isReady: boolean } {
    const number = this.#nextWorker++;
    const workerData: RingWorkerData = { memory: this.#buffer, number, idleMs: this.#idleMs };
    const thread = startWorkerScript('ring-worker', new URL('./ring-worker.ts', import.meta.url), workerData);
    const worker = { thread, isReady: false };
    this.#workers.set(number, worker);
    if (this.#pending.length > 0) thread.ref();
    thread.once('message', () => (worker.isReady = true));
    thread.on('error', (error) => this.#fail(number, error));
    thread.on('exit', () => this.#fail(number, new Error('a worker that reads files has ended')));
    return worker;
  }

  /** Fails the job that the worker had taken. Jobs in the queue are left to other workers. */
  #fail(number: number, error: Error): void {
    if (!this.#workers.delete(number)) return;
    this.#settle(
      ({ words }) => words[word.worker] === number && Atomics.load(words, word.state) === slotStates.taken,
      () => {
        throw error;
      },
    );
    if (this.#pending.length > 0 && this.#workers.size === 0) this.#startWorker();
  }
}

/** The rings of a disk. Each has its own workers, so that no other job waits for one that flushes. */
export interface DiskRings {
  /** For jobs that read, or rename a finished file. */
  readonly quick: JobRing;
  /** For jobs that flush a file. */
  readonly flushes: JobRing;
}

/**
 * Number of flushes of small files that run at the same time. A commit of the file system's journal serves all of them, so that
 * more increase the throughput of a disk with slow commits; with fast ones they cost processor time (docs/decisions/0024).
 */
const parallelFlushes = 4;
/** A solid-state disk needs less time for a flush, also on a busy machine; a spinning one, with two turns for a commit, more (milliseconds). */
const slowFlushMs = 16;

/** The rings of this process. The first worker of each is started by the first job. */
export const processRings: DiskRings = {
  quick: new JobRing(),
  flushes: new JobRing({ parallelJobs: parallelFlushes, slowFlushMs }),
};
