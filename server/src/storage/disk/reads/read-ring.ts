import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../../../programs/worker-script.ts';
import { errorFromWorker } from '../paths/errors.ts';
import type { Folder } from '../paths/folder.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import type { Metadata } from '../paths/metadata.ts';
import type { ReadWorkerData } from './read-ring-worker.ts';
import {
  type Operation,
  type Outcome,
  type RingMemory,
  type Slot,
  allocateRing,
  control,
  dataBytes,
  namesOffset,
  operations,
  outcomes,
  slotCount,
  slotStates,
  viewRing,
  word,
} from './ring-layout.ts';
import { serializeScopeRoot } from './shared-scope.ts';

/** The entries of a folder, in natural order, folders first. */
export interface ListedFolder {
  readonly names: string[];
  readonly folderCount: number;
  readonly sizes: Float64Array;
  readonly modifiedMs: Float64Array;
  readonly modes: Uint32Array;
  readonly kinds: Uint8Array;
  readonly links: Uint8Array;
}

/** The result of a job. The caller closes the descriptor. `unsuitable` must be done without the ring. */
export type ReadOutcome =
  | { readonly kind: 'missing' | 'unsuitable' }
  | { readonly kind: 'entry'; readonly metadata: Metadata }
  | { readonly kind: 'content'; readonly metadata: Metadata; readonly content: Buffer }
  | { readonly kind: 'descriptor'; readonly metadata: Metadata; readonly descriptor: number }
  | { readonly kind: 'folder'; readonly metadata: Metadata; readonly listed: ListedFolder };

/** A job whose result has not been delivered. */
interface Pending {
  readonly resolve: (outcome: ReadOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Options of a {@link ReadRing}, for tests. */
export interface ReadRingOptions {
  /** Maximum number of workers. The default is 16. */
  readonly maxWorkers?: number;
  /** A worker without a job for this time ends, in milliseconds. The default is 30 s. */
  readonly idleMs?: number;
}

/** Number of workers that are started without delay when a job waits and all others are busy. */
const quickWorkers = 4;
/** Interval of the check for jobs that no worker has taken, in milliseconds; runs only while there are jobs. */
const watchMs = 2;
/** Beyond {@link quickWorkers}, another worker is started when all have been busy for this time (milliseconds). */
const startDelayMs = 50;

const metadataOf = ({ metadata }: Slot): Metadata => ({
  dev: metadata[0] ?? 0n,
  ino: metadata[1] ?? 0n,
  size: metadata[2] ?? 0n,
  mtimeNs: metadata[3] ?? 0n,
  ctimeNs: metadata[4] ?? 0n,
  mode: metadata[5] ?? 0n,
});

function listedOf({ words, data, listed }: Slot): ListedFolder {
  const count = words[word.entries] ?? 0;
  const text = data.toString('utf8', namesOffset, namesOffset + (words[word.nameLength] ?? 0));
  return {
    names: count === 0 ? [] : text.split('/'),
    folderCount: words[word.folders] ?? 0,
    sizes: new Float64Array(listed.sizes.subarray(0, count)),
    modifiedMs: new Float64Array(listed.modifiedMs.subarray(0, count)),
    modes: new Uint32Array(listed.modes.subarray(0, count)),
    kinds: new Uint8Array(listed.kinds.subarray(0, count)),
    links: new Uint8Array(listed.links.subarray(0, count)),
  };
}

/** Copies the result out of the slot. Throws the error of the job. */
function outcomeOf(slot: Slot): ReadOutcome {
  const { words, data } = slot;
  const kind: Outcome = outcomes[words[word.outcome] ?? 0] ?? 'unsuitable';
  switch (kind) {
    case 'missing':
    case 'unsuitable':
      return { kind };
    case 'entry':
      return { kind, metadata: metadataOf(slot) };
    case 'content':
      return {
        kind,
        metadata: metadataOf(slot),
        content: Buffer.from(data.subarray(0, words[word.length])),
      };
    case 'descriptor':
      return { kind, metadata: metadataOf(slot), descriptor: words[word.descriptor] ?? -1 };
    case 'folder':
      return { kind, metadata: metadataOf(slot), listed: listedOf(slot) };
    case 'error': {
      const [code, message] = JSON.parse(data.toString('utf8', 0, words[word.length])) as [string, string];
      throw errorFromWorker(code === '' ? undefined : code, message);
    }
  }
}

/**
 * Reads metadata, small files and short listings in worker threads. Each job resolves a path and reads the entry with
 * blocking calls. Jobs and results are passed in shared memory, which costs a fraction of passing each call to a thread.
 * Any worker takes the next job, so that a disk that does not respond blocks one worker and no job behind it.
 */
export class ReadRing {
  readonly #maxWorkers: number;
  readonly #idleMs: number;
  readonly #buffer: SharedArrayBuffer;
  readonly #memory: RingMemory;
  readonly #workers = new Map<number, { readonly thread: Worker; isReady: boolean }>();
  readonly #pending = new Map<number, Pending>();
  readonly #free: number[] = Array.from({ length: slotCount }, (_, index) => slotCount - 1 - index);
  readonly #scopes = new WeakMap<Folder, { readonly id: number; readonly bytes: Buffer }>();
  #nextScope = 1;
  #nextWorker = 1;
  #isWakingDue = false;
  #isListening = false;
  /** The counter of finished jobs before the slots were last read. */
  #seenFinished = 0;
  #isWatching = false;
  /** The counter of taken jobs at the last check, and the time since which it has not changed although jobs wait. */
  #stuck: { readonly taken: number; readonly since: number } | null = null;

  constructor({ maxWorkers = 16, idleMs = 30_000 }: ReadRingOptions = {}) {
    this.#maxWorkers = maxWorkers;
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
  submit(scopeRoot: ScopeRoot, operation: Operation, path: string): Promise<ReadOutcome> | null {
    const index = this.#free.pop();
    if (index === undefined) return null;
    const slot = this.#memory.slots[index];
    if (slot === undefined || !this.#write(slot, scopeRoot, operation, path)) {
      this.#free.push(index);
      return null;
    }
    const { control: counters, queue } = this.#memory;
    const submitted = Atomics.load(counters, control.submitted);
    Atomics.store(queue, submitted & (slotCount - 1), index);
    Atomics.store(slot.words, word.state, slotStates.queued);
    Atomics.add(counters, control.submitted, 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(index, { resolve, reject });
      if (this.#pending.size === 1) this.#keepAlive(true);
      this.#wakeSoon();
      this.#listen();
      this.#startWatch();
    });
  }

  #write(slot: Slot, scopeRoot: ScopeRoot, operation: Operation, path: string): boolean {
    const { id, bytes } = this.#scopeOf(scopeRoot);
    // A UTF-16 unit takes at most three bytes in UTF-8.
    if (bytes.length + path.length * 3 > dataBytes) return false;
    const { words, data } = slot;
    data.set(bytes);
    words[word.operation] = operations.indexOf(operation);
    words[word.worker] = 0;
    words[word.scope] = id;
    words[word.scopeLength] = bytes.length;
    words[word.pathLength] = data.write(path, bytes.length);
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

  /** Wakes one worker for all jobs that are submitted in this iteration of the event loop. */
  #wakeSoon(): void {
    if (this.#isWakingDue) return;
    this.#isWakingDue = true;
    setImmediate(() => {
      this.#isWakingDue = false;
      this.#wake();
    });
  }

  #wake(): void {
    Atomics.notify(this.#memory.control, control.submitted, 1);
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
      if (this.#pending.size > 0) this.#listen();
    };
    if (change.async) void change.value.then(deliver);
    else deliver();
  }

  #deliver(): void {
    this.#seenFinished = Atomics.load(this.#memory.control, control.finished);
    for (const [index, pending] of this.#pending) {
      const slot = this.#memory.slots[index];
      if (slot === undefined || Atomics.load(slot.words, word.state) !== slotStates.done) continue;
      this.#settle(index, pending, () => outcomeOf(slot));
    }
  }

  #settle(index: number, { resolve, reject }: Pending, read: () => ReadOutcome): void {
    try {
      resolve(read());
    } catch (error) {
      reject(error);
    }
    this.#pending.delete(index);
    const slot = this.#memory.slots[index];
    if (slot !== undefined) Atomics.store(slot.words, word.state, slotStates.free);
    this.#free.push(index);
    if (this.#pending.size === 0) this.#keepAlive(false);
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
      if (this.#pending.size > 0) this.#startWatch();
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
    const now = performance.now();
    if (this.#stuck?.taken !== taken) {
      this.#stuck = { taken, since: now };
      return;
    }
    if (Atomics.load(counters, control.idle) > 0) {
      this.#wake();
      return;
    }
    const workers = [...this.#workers.values()];
    if (workers.length >= this.#maxWorkers || workers.some(({ isReady }) => !isReady)) return;
    const isDelayed = workers.length >= quickWorkers;
    if (isDelayed && now - this.#stuck.since < startDelayMs) return;
    this.#startWorker();
  }

  #startWorker(): { readonly thread: Worker; isReady: boolean } {
    const number = this.#nextWorker++;
    const workerData: ReadWorkerData = { memory: this.#buffer, number, idleMs: this.#idleMs };
    const thread = startWorkerScript(
      'read-ring-worker',
      new URL('./read-ring-worker.ts', import.meta.url),
      workerData,
    );
    const worker = { thread, isReady: false };
    this.#workers.set(number, worker);
    if (this.#pending.size > 0) thread.ref();
    thread.once('message', () => (worker.isReady = true));
    thread.on('error', (error) => this.#fail(number, error));
    thread.on('exit', () => this.#fail(number, new Error('a worker that reads files has ended')));
    return worker;
  }

  /** Fails the job that the worker had taken. Jobs in the queue are left to other workers. */
  #fail(number: number, error: Error): void {
    if (!this.#workers.delete(number)) return;
    for (const [index, pending] of this.#pending) {
      const slot = this.#memory.slots[index];
      if (slot?.words[word.worker] !== number) continue;
      if (Atomics.load(slot.words, word.state) !== slotStates.taken) continue;
      this.#settle(index, pending, () => {
        throw error;
      });
    }
    if (this.#pending.size > 0 && this.#workers.size === 0) this.#startWorker();
  }
}

/** The ring of this process. Its first worker is started by the first job. */
export const processRing = new ReadRing();
