import { createHash } from 'node:crypto';
import os from 'node:os';
import type { Worker } from 'node:worker_threads';
import { openFairQueue } from '../../scheduling/fair-queue.ts';
import type { Party } from '../../scheduling/party.ts';
import { startWorkerScript } from '../../programs/worker-script.ts';
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

/** A worker, which hashes slices of several files in turns. */
class ChecksumWorker {
  readonly #worker: Worker;
  readonly #turns = openFairQueue({
    running: 1,
    runningPerParty: 1,
    // As many as were admitted.
    waiting: Infinity,
    refusal: 'too_many_requests',
  });
  /** Hears the answer to the slice that is at work. */
  #onAnswer: ((answer: ChecksumAnswer) => void) | null = null;
  #failure: string | null = null;
  /** Files that it has begun or is to begin. */
  fileCount = 0;

  constructor(onEnd: (ended: ChecksumWorker) => void) {
    this.#worker = startWorkerScript('checksum-worker', new URL('./checksum-worker.ts', import.meta.url));
    this.#worker.on('message', (answer: ChecksumAnswer) => this.#answered(answer));
    const end = (message: string): void => {
      this.#failure ??= message;
      onEnd(this);
      this.#answered({ kind: 'failed', code: undefined, message });
    };
    this.#worker.on('error', (error) => end(error.message));
    this.#worker.on('exit', () => end('the checksum worker ended'));
  }

  /** Hashes the file of `job`, a slice at each turn of `party`. */
  async hash(job: ChecksumJob, party: Party, signal: AbortSignal): Promise<ChecksumAnswer> {
    // A worker at rest does not keep the process alive; one at work does.
    if (this.fileCount++ === 0) this.#worker.ref();
    try {
      for (;;) {
        const answer = await this.#turns.run(party, () => this.#ask(job), signal);
        if (answer.kind !== 'more') return answer;
      }
    } finally {
      this.#worker.postMessage({ ...job, kind: 'forget' } satisfies ChecksumJob, []);
      if (--this.fileCount === 0) this.#worker.unref();
    }
  }

  #ask(job: ChecksumJob): Promise<ChecksumAnswer> {
    const message = this.#failure;
    if (message !== null) return Promise.resolve({ kind: 'failed', code: undefined, message });
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
      this.#worker.postMessage(job, []);
    });
  }

  #answered(answer: ChecksumAnswer): void {
    const hear = this.#onAnswer;
    this.#onAnswer = null;
    hear?.(answer);
  }
}

/** The workers of this process, started when the first large file is hashed; one that broke down is replaced. */
const workers: ChecksumWorker[] = [];

/** The worker with the fewest files. */
function pickWorker(): ChecksumWorker {
  const [best] = [...workers].sort((a, b) => a.fileCount - b.fileCount);
  if (best !== undefined && (best.fileCount === 0 || workers.length >= maxWorkers)) return best;
  const started = new ChecksumWorker((ended) => {
    const position = workers.indexOf(ended);
    if (position >= 0) workers.splice(position, 1);
  });
  workers.push(started);
  return started;
}

export interface ChecksumOptions {
  /** Takes turns with the checksums of other parties. */
  readonly party: Party;
  readonly signal: AbortSignal;
  /** Called now and then with the bytes that have been hashed so far. */
  readonly onProgress?: (bytes: number) => void;
}

let nextId = 1;

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
    const job: ChecksumJob = { kind: 'hash', id: nextId++, descriptor, algorithm, state };
    const answer = await pickWorker().hash(job, party, signal);
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
