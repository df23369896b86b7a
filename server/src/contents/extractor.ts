import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../programs/worker-script.ts';
import type { ExtractRequest, ExtractResponse } from './contents-protocol.ts';

/** The memory of a thread for its own objects, in MiB. Decompressed bytes have limits of their own. */
const defaultHeapMiB = 256;
/** A thread without work ends after this time (milliseconds), so that its memory is released. */
const idleMs = 30_000;

/** The thread ended before it answered: it needed too much time or memory, or had an unexpected error. */
export class ExtractorDied extends Error {
  override readonly name = 'ExtractorDied';
}

interface Running {
  readonly worker: Worker;
  readonly respond: (response: ExtractResponse) => void;
  readonly fail: (error: ExtractorDied) => void;
}

/** A thread that reads one document after the other, and is replaced when it fails or takes too long. */
export class Extractor {
  readonly #isBackground: boolean;
  readonly #maxHeapMiB: number;
  #worker: Worker | null = null;
  #running: Running | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param isBackground whether the thread has the lowest priority */
  constructor(isBackground: boolean, maxHeapMiB = defaultHeapMiB) {
    this.#isBackground = isBackground;
    this.#maxHeapMiB = maxHeapMiB;
  }

  /** Sends a request after all earlier ones were answered. Throws {@link ExtractorDied}. */
  run(request: ExtractRequest, maxMs: number): Promise<ExtractResponse> {
    const turn = this.#last.then(() => this.#run(request, maxMs));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #run(request: ExtractRequest, maxMs: number): Promise<ExtractResponse> {
    if (this.#isClosed) throw new ExtractorDied('the server is stopping');
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    const timer = setTimeout(() => {
      this.#running?.fail(new ExtractorDied(`no answer within ${maxMs} ms`));
      this.#end();
    }, maxMs);
    timer.unref();
    try {
      return await new Promise<ExtractResponse>((resolve, reject) => {
        this.#running = { worker, respond: resolve, fail: reject };
        // Without work the thread does not keep the process alive.
        worker.ref();
        const isOwned =
          request.bytes !== null && request.bytes.byteLength === request.bytes.buffer.byteLength;
        worker.postMessage(request, isOwned ? [request.bytes.buffer as ArrayBuffer] : []);
      });
    } finally {
      clearTimeout(timer);
      this.#running = null;
      worker.unref();
      this.#idleTimer = setTimeout(() => this.#end(), idleMs);
      this.#idleTimer.unref();
    }
  }

  #start(): Worker {
    const worker = startWorkerScript(
      'extract-worker',
      new URL('./extract-worker.ts', import.meta.url),
      { isBackground: this.#isBackground },
      { maxOldGenerationSizeMb: this.#maxHeapMiB },
    );
    const onEnd = (error: Error): void => {
      if (this.#worker === worker) this.#worker = null;
      if (this.#running?.worker === worker)
        this.#running.fail(new ExtractorDied(error.message, { cause: error }));
    };
    worker.on('message', (response: ExtractResponse) => {
      if (this.#running?.worker === worker) this.#running.respond(response);
    });
    worker.on('error', (error) => onEnd(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => onEnd(new Error(`extract-worker ended with exit code ${code}`)));
    return worker;
  }

  /** Ends the thread; the next request starts another. */
  #end(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  /** Ends the thread. A running request fails. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    this.#running?.fail(new ExtractorDied('the server is stopping'));
    this.#end();
  }
}
