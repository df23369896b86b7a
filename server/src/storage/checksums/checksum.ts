import { createHash } from 'node:crypto';
import os from 'node:os';
import { type FairQueue, openFairQueue } from '../../scheduling/fair-queue.ts';
import type { Party } from '../../scheduling/party.ts';
import { WorkerPool } from '../../programs/worker-pool.ts';
import {
  type ChecksumResult,
  type ChecksumJob,
  checksumPieceBytes,
  type HashName,
} from './checksum-protocol.ts';
import { errorFromWorker } from '../disk/paths/errors.ts';
import { Yielder } from '../../scheduling/event-loop.ts';
import type { OpenFile } from '../storage.ts';

/** The number of workers; at least one processor is left for other work. */
const maxWorkers = Math.max(1, Math.min(4, os.availableParallelism() - 1));
/** The number of large files that are hashed concurrently, in turns: in total, and of one party. */
const maxOpen = 512;
const maxOpenPerParty = 64;
/** The minimum size (bytes) for a worker; smaller files are hashed faster on the main thread. */
const minWorkerBytes = 256 * 1024;

const openFiles = openFairQueue({
  running: maxOpen,
  runningPerParty: maxOpenPerParty,
  waiting: 0,
  refusal: 'too_many_requests',
});

const pool = new WorkerPool<ChecksumJob, ChecksumResult>({
  name: 'checksum-worker',
  source: new URL('./checksum-worker.ts', import.meta.url),
  maxWorkers,
  isLast: ({ kind }) => kind !== 'more',
});

/** The queue of each worker, which hashes one slice at a time. */
const workerQueues = new WeakMap<object, FairQueue>();

function queueOf(worker: object): FairQueue {
  const known = workerQueues.get(worker);
  if (known !== undefined) return known;
  const queue = openFairQueue({
    running: 1,
    runningPerParty: 1,
    // Bounded by `openFiles`.
    waiting: Infinity,
    refusal: 'too_many_requests',
  });
  workerQueues.set(worker, queue);
  return queue;
}

/** Hashes a file in a worker, a slice at each turn of `party`. The result is never `more`. */
async function hashInSlices(
  job: Omit<ChecksumJob, 'kind' | 'id'>,
  party: Party,
  signal: AbortSignal,
): Promise<ChecksumResult> {
  let deliver: (result: ChecksumResult) => void = () => undefined;
  let failure: ChecksumResult | null = null;
  const task = pool.open({
    onMessage: (result) => deliver(result),
    onFailure: ({ message }) => {
      failure = { id: task.id, kind: 'failed', code: undefined, message };
      deliver(failure);
    },
  });
  const hashSlice = (): Promise<ChecksumResult> =>
    new Promise((resolve) => {
      deliver = resolve;
      if (failure === null) task.send({ ...job, kind: 'hash', id: task.id });
      else resolve(failure);
    });
  const queue = queueOf(task.worker);
  try {
    for (;;) {
      const result = await queue.run(party, hashSlice, signal);
      if (result.kind !== 'more') return result;
    }
  } finally {
    // Needed only for a task that ends between two slices; the worker has discarded the others itself.
    task.send({ ...job, kind: 'forget', id: task.id });
    task.end();
  }
}

/** Options of {@link checksum}. */
export interface ChecksumOptions {
  /** The party on whose behalf the file is hashed, in turn with the files of other parties. */
  readonly party: Party;
  readonly signal: AbortSignal;
  /** Called at intervals with the number of bytes that have been hashed so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** The minimum time between two progress reports. */
const progressMs = 250;

async function hashInWorker(
  descriptor: number,
  algorithm: HashName,
  { party, signal, onProgress }: ChecksumOptions,
): Promise<string> {
  const slot = openFiles.enter(party);
  const state = new SharedArrayBuffer(8);
  const words = new Int32Array(state);
  const timer =
    onProgress && setInterval(() => onProgress(Atomics.load(words, 1) * checksumPieceBytes), progressMs);
  const stop = (): void => void Atomics.store(words, 0, 1);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await hashInSlices({ descriptor, algorithm, state }, party, signal);
    if (result.kind === 'done') return result.hex;
    if (result.kind === 'failed') throw errorFromWorker(result.code, result.message);
    throw signal.reason;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
    slot.end();
  }
}

async function hashOnMainThread(
  file: OpenFile,
  algorithm: HashName,
  { signal, onProgress }: ChecksumOptions,
): Promise<string> {
  const digest = createHash(algorithm);
  const buffer = Buffer.allocUnsafe(minWorkerBytes);
  const yielder = new Yielder();
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const read = await file.read(buffer, position);
    if (read === 0) return digest.digest('hex');
    digest.update(buffer.subarray(0, read));
    position += read;
    onProgress?.(position);
    if (yielder.isDue()) await yielder.yield();
  }
}

/**
 * Computes the checksum of an open file, in lower-case hexadecimal. Large files of a disk are hashed in a worker; the file must
 * stay open until this settles. Throws `too_many_requests` when too many files are being hashed, and the reason of `signal`.
 */
export async function checksum(
  file: OpenFile,
  algorithm: HashName,
  options: ChecksumOptions,
): Promise<string> {
  options.signal.throwIfAborted();
  return file.descriptor === null || file.entry.size < minWorkerBytes
    ? hashOnMainThread(file, algorithm, options)
    : hashInWorker(file.descriptor, algorithm, options);
}
