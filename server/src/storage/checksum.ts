import { createHash } from 'node:crypto';
import os from 'node:os';
import type { Worker } from 'node:worker_threads';
import { AppError } from '../http/app-error.ts';
import { startWorkerScript } from '../worker-script.ts';
import {
  type ChecksumAnswer,
  type ChecksumJob,
  checksumPieceBytes,
  type HashName,
} from './checksum-protocol.ts';
import { errorFromWorker } from './disk/errors.ts';
import { Pause } from '../turns.ts';
import type { OpenFile } from './storage.ts';

/** So many files are hashed at once; the rest of the processor is for everybody else. */
const maxWorkers = Math.max(1, Math.min(4, os.availableParallelism() - 1));
/** So many more wait for their turn. */
const maxWaiting = 256;
/** Smaller files are hashed sooner than a worker is told of them (bytes). */
const minWorkerBytes = 256 * 1024;

interface Task {
  readonly job: ChecksumJob;
  readonly onAnswer: (answer: ChecksumAnswer) => void;
}

/** A worker and what it does at the moment. */
interface Slot {
  readonly worker: Worker;
  task: Task | null;
}

/** The workers, started when the first large file is hashed. */
class ChecksumPool {
  readonly #slots: Slot[] = [];
  readonly #waiting: Task[] = [];

  /** Throws `too_many_requests` when too many wait already. */
  run(task: Task): void {
    const idle = this.#slots.find((slot) => slot.task === null);
    const slot = idle ?? (this.#slots.length < maxWorkers ? this.#start() : undefined);
    if (slot !== undefined) this.#give(slot, task);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(task);
    else throw new AppError('too_many_requests', 'too many checksums are being computed');
  }

  /** Whether the task had not begun yet; then it never will. */
  cancel(task: Task): boolean {
    const position = this.#waiting.indexOf(task);
    if (position >= 0) this.#waiting.splice(position, 1);
    return position >= 0;
  }

  #start(): Slot {
    const worker = startWorkerScript('checksum-worker', new URL('./checksum-worker.ts', import.meta.url));
    const slot: Slot = { worker, task: null };
    this.#slots.push(slot);
    worker.on('message', (answer: ChecksumAnswer) => this.#finish(slot, answer));
    worker.on('error', (error) => this.#end(slot, error.message));
    worker.on('exit', () => this.#end(slot, 'the checksum worker ended'));
    return slot;
  }

  #give(slot: Slot, task: Task): void {
    slot.task = task;
    // A worker at rest does not keep the process alive; one at work does.
    slot.worker.ref();
    slot.worker.postMessage(task.job, []);
  }

  #finish(slot: Slot, answer: ChecksumAnswer): void {
    const { task } = slot;
    slot.task = null;
    slot.worker.unref();
    const next = this.#waiting.shift();
    if (next !== undefined) this.run(next);
    task?.onAnswer(answer);
  }

  /** A worker that broke down is replaced; the file it had fails. */
  #end(slot: Slot, message: string): void {
    const position = this.#slots.indexOf(slot);
    if (position < 0) return;
    this.#slots.splice(position, 1);
    this.#finish(slot, { kind: 'failed', code: undefined, message });
  }
}

const pool = new ChecksumPool();

export interface ChecksumOptions {
  readonly signal: AbortSignal;
  /** Called now and then with the bytes that have been hashed so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** Progress is told at most so often. */
const progressMs = 250;

function hashInWorker(
  descriptor: number,
  algorithm: HashName,
  { signal, onProgress }: ChecksumOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const state = new SharedArrayBuffer(8);
    const words = new Int32Array(state);
    const timer =
      onProgress && setInterval(() => onProgress(Atomics.load(words, 1) * checksumPieceBytes), progressMs);
    const leave = (): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const task: Task = {
      job: { descriptor, algorithm, state },
      onAnswer: (answer) => {
        leave();
        if (answer.kind === 'done') resolve(answer.hex);
        else if (answer.kind === 'stopped') reject(signal.reason as unknown);
        else reject(errorFromWorker(answer.code, answer.message) as unknown);
      },
    };
    const onAbort = (): void => {
      Atomics.store(words, 0, 1);
      if (!pool.cancel(task)) return;
      leave();
      reject(signal.reason as unknown);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      pool.run(task);
    } catch (error) {
      leave();
      reject(error as unknown);
    }
  });
}

async function hashHere(
  file: OpenFile,
  algorithm: HashName,
  { signal, onProgress }: ChecksumOptions,
): Promise<string> {
  const digest = createHash(algorithm);
  const buffer = Buffer.allocUnsafe(minWorkerBytes);
  const pause = new Pause();
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const read = await file.read(buffer, position);
    if (read === 0) return digest.digest('hex');
    digest.update(buffer.subarray(0, read));
    position += read;
    onProgress?.(position);
    if (pause.isDue()) await pause.take();
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
