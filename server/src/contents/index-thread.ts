import type { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { startWorkerScript } from '../programs/worker-script.ts';
import type { FromContents, ToContents } from './contents-protocol.ts';
import { indexFileOf, removeIndex } from './index-file.ts';

/** After a failure the thread is not started for this time. */
const pauseMs = 10 * 60_000;

/** The dependencies of {@link IndexThread}. */
export interface IndexThreadParts {
  readonly options: Pick<Config, 'data' | 'root'>;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

type IndexResponse = Exclude<FromContents, { kind: 'unusable' }>;

/** The thread that owns the index of contents. It is started when needed, and again some time after a failure. */
export class IndexThread {
  readonly #parts: IndexThreadParts;
  readonly #onStart: () => void;
  readonly #pending = new Map<number, (response: IndexResponse | null) => void>();
  #worker: Worker | null = null;
  /** The end of the thread while it is being stopped; two threads never have the index open. */
  #stopping: Promise<void> | null = null;
  #nextId = 1;
  #pausedUntil = -Infinity;
  #isClosed = false;
  #hasReported = false;

  /** @param onStart is called when the thread was started: the state of its index is unknown then */
  constructor(parts: IndexThreadParts, onStart: () => void) {
    this.#parts = parts;
    this.#onStart = onStart;
  }

  get isRunning(): boolean {
    return this.#worker !== null && this.#stopping === null;
  }

  /** Starts the thread unless it is running. Resolves to false after a failure. */
  async start(): Promise<boolean> {
    await this.#stopping;
    return this.#open() !== null;
  }

  /** Sends a message with an id, and returns the response; null if the thread cannot be started or ends first. */
  async request(messageOf: (id: number) => ToContents): Promise<IndexResponse | null> {
    // A thread that is ending sends no more responses.
    await this.#stopping;
    const worker = this.#open();
    return worker === null ? null : this.#post(worker, messageOf);
  }

  /** Sends a message without a response; does nothing if the thread is not running. */
  send(message: ToContents, transferred: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transferred);
  }

  /** Prevents a start for some time. */
  pause(): void {
    this.#pausedUntil = this.#parts.clock.now() + pauseMs;
  }

  /** Stores the index and ends the thread. The next request starts it again. */
  stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return this.#stopping ?? Promise.resolve();
    this.#stopping ??= this.#stop(worker);
    return this.#stopping;
  }

  async #stop(worker: Worker): Promise<void> {
    try {
      await this.#post(worker, (id) => ({ kind: 'close', id }));
      await this.#end(worker);
    } finally {
      this.#stopping = null;
    }
  }

  /** Stores the index and ends the thread for good. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.stop();
  }

  #open(): Worker | null {
    if (this.#worker !== null) return this.#worker;
    if (this.#isClosed || this.#parts.clock.now() < this.#pausedUntil) return null;
    const worker = startWorkerScript('contents-worker', new URL('./contents-worker.ts', import.meta.url));
    this.#worker = worker;
    this.#onStart();
    worker.on('message', (message: FromContents) => {
      if (message.kind === 'unusable') return this.#onFailure(worker, message.message, message.isDamaged);
      this.#pending.get(message.id)?.(message);
      this.#pending.delete(message.id);
    });
    worker.on('error', (error) => this.#onFailure(worker, String(error), false));
    worker.on('exit', (code) =>
      this.#onFailure(worker, `contents-worker ended with exit code ${code}`, false),
    );
    const { data, root } = this.#parts.options;
    worker.postMessage({ kind: 'open', file: indexFileOf(data), root } satisfies ToContents, []);
    return worker;
  }

  #post(worker: Worker, messageOf: (id: number) => ToContents): Promise<IndexResponse | null> {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#pending.set(id, resolve);
      worker.postMessage(messageOf(id), []);
    });
  }

  #onFailure(worker: Worker, message: string, isDamaged: boolean): void {
    if (this.#worker !== worker) return;
    this.pause();
    if (!this.#hasReported)
      this.#parts.log.warn(
        { reason: message },
        'the index of contents cannot be used; trying again in 10 minutes',
      );
    this.#hasReported = true;
    void this.#discard(worker, isDamaged);
  }

  async #discard(worker: Worker, isDamaged: boolean): Promise<void> {
    await this.#end(worker);
    if (isDamaged) removeIndex(indexFileOf(this.#parts.options.data));
  }

  async #end(worker: Worker): Promise<void> {
    if (this.#worker === worker) this.#worker = null;
    worker.removeAllListeners();
    worker.on('error', () => undefined);
    for (const resolve of this.#pending.values()) resolve(null);
    this.#pending.clear();
    await worker.terminate();
  }
}
