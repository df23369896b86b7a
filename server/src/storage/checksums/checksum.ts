import { createHash } from 'node:crypto';
import os from 'node:os';
import { type FairQueue, openFairQueue } from '../../scheduling/fair-queue.ts';
import type { Party } from '../../scheduling/party.ts';
import { WorkerPool } from '../../programs/worker-pool.ts';
import {
  type ChecksumAnswer,
  type ChecksumJob,
  checksumPieceBytes,
  type HashName,
} from './checksum-protocol.ts';
import { errorFromWorker } from '../disk/paths/errors.ts';
import { Yielder } from '../../scheduling/event-loop.ts';
import type { OpenFile } from '../storage.ts';

/** Workers that hash files; the rest of the processor is for everybody else. */
const maxWorkers = Math.max(1, Math.min(4, os.availableParallelism() - 1));
/** Large files that are being hashed, in turns, at the same time; of one party, and in whole. */
const maxOpen = 512;
const maxOpenPerParty = 64;
/** Smaller files are hashed sooner than a worker is told of them (bytes). */
const minWorkerBytes = 256 * 1024;

const admission = openFairQueue({
  running: maxOpen,
  runningPerParty: maxOpenPerParty,
  waiting: 0,
  refusal: 'too_many_requests',
});

const pool = new WorkerPool<ChecksumJob, ChecksumAnswer>({
  name: 'checksum-worker',
  source: new URL('./checksum-worker.ts', import.meta.url),
  maxWorkers,
  isLast: ({ kind }) => kind !== 'more',
});

/** The turns of each worker: one slice at a time. */
const turnsOfWorkers = new WeakMap<object, FairQueue>();

function turnsOf(worker: object): FairQueue {
  const known = turnsOfWorkers.get(worker);
  if (known !== undefined) return known;
  const turns = openFairQueue({
    running: 1,
    runningPerParty: 1,
    // Admission bounds them.
    waiting: Infinity,
    refusal: 'too_many_requests',
  });
  turnsOfWorkers.set(worker, turns);
  return turns;
}

/** Hashes a file in a worker, a slice at each turn of `party`. The answer is never `more`. */
async function hashInSlices(
  job: Omit<ChecksumJob, 'kind' | 'id'>,
  party: Party,
  signal: AbortSignal,
): Promise<ChecksumAnswer> {
  let answered: (answer: ChecksumAnswer) => void = () => undefined;
  let failure: ChecksumAnswer | null = null;
  const task = pool.open({
    onMessage: (answer) => answered(answer),
    onFailure: ({ message }) => {
      failure = { id: task.id, kind: 'failed', code: undefined, message };
      answered(failure);
    },
  });
  const hashSlice = (): Promise<ChecksumAnswer> =>
    new Promise((resolve) => {
      answered = resolve;
      if (failure === null) task.send({ ...job, kind: 'hash', id: task.id });
      else resolve(failure);
    });
  const turns = turnsOf(task.worker);
  try {
    for (;;) {
      const answer = await turns.run(party, hashSlice, signal);
      if (answer.kind !== 'more') return answer;
    }
  } finally {
    // Only for a task that was given up between two slices; the worker has forgotten the others.
    task.send({ ...job, kind: 'forget', id: task.id });
    task.end();
  }
}

export interface ChecksumOptions {
  /** Takes turns with the checksums of other parties. */
  readonly party: Party;
  readonly signal: AbortSignal;
  /** Called now and then with the bytes that have been hashed so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** Progress is told at most so often. */
const progressMs = 250;

async function hashInWorker(
  descriptor: number,
  algorithm: HashName,
  { party, signal, onProgress }: ChecksumOptions,
): Promise<string> {
  const place = admission.enter(party);
  const state = new SharedArrayBuffer(8);
  const words = new Int32Array(state);
  const timer =
    onProgress && setInterval(() => onProgress(Atomics.load(words, 1) * checksumPieceBytes), progressMs);
  const stop = (): void => void Atomics.store(words, 0, 1);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = await hashInSlices({ descriptor, algorithm, state }, party, signal);
    if (answer.kind === 'done') return answer.hex;
    if (answer.kind === 'failed') throw errorFromWorker(answer.code, answer.message);
    throw signal.reason;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
    place.end();
  }
}

async function hashHere(
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
 * The hash of an open file in lower-case hexadecimal. Large files of a disk are hashed in another thread; the file must
 * stay open until this settles. Throws `too_many_requests` when too many wait, and the reason of `signal`.
 */
export async function checksum(
  file: OpenFile,
  algorithm: HashName,
  options: ChecksumOptions,
): Promise<string> {
  options.signal.throwIfAborted();
  return file.descriptor === null || file.entry.size < minWorkerBytes
    ? hashHere(file, algorithm, options)
    : hashInWorker(file.descriptor, algorithm, options);
}
