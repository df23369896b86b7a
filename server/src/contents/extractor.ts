import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../programs/worker-script.ts';
import { threadTimeMs } from '../programs/thread-time.ts';
import type { ExtractorStarted, ExtractRequest, ExtractResponse } from './contents-protocol.ts';

/** The memory of a thread for its own objects, in MiB. Decompressed bytes have limits of their own. */
const defaultHeapMiB = 256;
/**
 * A background thread has this multiple of its processor time by the clock: on a busy system a thread of the lowest priority
 * mostly waits for processors, which is not the fault of the document.
 */
const maxWaiting = 12;
/** A thread without work ends after this time (milliseconds), so that its memory is released. */
const idleMs = 30_000;

/** The thread ended before it answered: it needed too much time or memory, or had an unexpected error. */
export class ExtractorDied extends Error {
  override readonly name = 'ExtractorDied';
}

/** The interval at which an overdue thread is checked, in milliseconds. */
const minWaitMs = 100;
/** The time in which a thread starts, also on a busy system (milliseconds). It is not part of the time for a request. */
const maxStartMs = 20_000;

interface Running {
  readonly worker: Worker;
  readonly respond: (response: ExtractResponse) => void;
  readonly fail: (error: ExtractorDied) => void;
}

/** Resolves when a thread takes requests. Throws {@link ExtractorDied} when it has ended or does not start in time. */
async function untilStarted(worker: Worker): Promise<void> {
  const done = new AbortController();
  const options = { signal: AbortSignal.any([done.signal, AbortSignal.timeout(maxStartMs)]) };
  try {
    const first = once(worker, 'message', options);
    const ended = once(worker, 'exit', options).then(() => {
      throw new Error('extract-worker ended before it had started');
    });
    await Promise.race([first, ended]);
  } catch (error) {
    throw new ExtractorDied(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    done.abort();
  }
}

/** The buffers of a request that are transferred instead of copied. */
function buffersOf(request: ExtractRequest): ArrayBuffer[] {
  const arrays = request.kind === 'texts' ? request.documents.map(({ bytes }) => bytes) : [request.bytes];
  return arrays.flatMap((bytes) =>
    bytes !== null && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [],
  );
}

/** A thread that reads one document after the other, and is replaced when it fails or takes too long. */
export class Extractor {
  readonly #isBackground: boolean;
  readonly #maxHeapMiB: number;
  #worker: Worker | null = null;
  /** See {@link untilStarted}. */
  #started: Promise<void> = Promise.resolve();
  /** The number of the thread for {@link threadTimeMs}; null while it is unknown. */
  #thread: number | null = null;
  #running: Running | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param isBackground whether the thread has the lowest priority */
  constructor(isBackground: boolean, maxHeapMiB = defaultHeapMiB) {
    this.#isBackground = isBackground;
    this.#maxHeapMiB = maxHeapMiB;
  }

  /**
   * Sends a request after all earlier ones were answered. Throws {@link ExtractorDied}.
   *
   * @param maxMs the time for the request: of a background thread that of the processor, otherwise that of the clock
   */
  run(request: ExtractRequest, maxMs: number): Promise<ExtractResponse> {
    const turn = this.#last.then(() => this.#run(request, maxMs));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #run(request: ExtractRequest, maxMs: number): Promise<ExtractResponse> {
    if (this.#isClosed) throw new ExtractorDied('the server is stopping');
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    try {
      await this.#started;
    } catch (error) {
      if (this.#worker === worker) this.#end();
      throw error;
    }
    const stopTimer = this.#startTimer(maxMs);
    try {
      return await new Promise<ExtractResponse>((resolve, reject) => {
        this.#running = { worker, respond: resolve, fail: reject };
        // Without work the thread does not keep the process alive.
        worker.ref();
        worker.postMessage(request, buffersOf(request));
      });
    } finally {
      stopTimer();
      this.#running = null;
      worker.unref();
      this.#idleTimer = setTimeout(() => this.#end(), idleMs);
      this.#idleTimer.unref();
    }
  }

  /** The processor time that the thread has used, in milliseconds; null if it is not limited or not known. */
  #usedMs(): number | null {
    return this.#isBackground && this.#thread !== null ? threadTimeMs(this.#thread) : null;
  }

  /** Ends the thread when the time of a request is over. Returns a function that stops the timer. */
  #startTimer(maxMs: number): () => void {
    const startedAtMs = performance.now();
    const usedBeforeMs = this.#usedMs() ?? 0;
    let timer: NodeJS.Timeout;
    const wait = (ms: number): void => {
      timer = setTimeout(check, ms);
      timer.unref();
    };
    const check = (): void => {
      const usedMs = this.#usedMs();
      const leftMs = usedMs === null ? 0 : maxMs - (usedMs - usedBeforeMs);
      if (leftMs > 0 && performance.now() - startedAtMs < maxMs * maxWaiting)
        return wait(Math.max(leftMs, minWaitMs));
      this.#running?.fail(new ExtractorDied(`no answer within ${maxMs} ms`));
      this.#end();
    };
    wait(maxMs);
    return () => clearTimeout(timer);
  }

  #start(): Worker {
    const worker = startWorkerScript(
      'extract-worker',
      new URL('./extract-worker.ts', import.meta.url),
      { isBackground: this.#isBackground },
      { maxOldGenerationSizeMb: this.#maxHeapMiB },
    );
    this.#started = untilStarted(worker);
    const onEnd = (error: Error): void => {
      if (this.#worker === worker) this.#worker = null;
      if (this.#running?.worker === worker)
        this.#running.fail(new ExtractorDied(error.message, { cause: error }));
    };
    this.#thread = null;
    worker.on('message', (message: ExtractorStarted | ExtractResponse) => {
      if (message.kind === 'started') {
        if (this.#worker === worker) this.#thread = message.thread;
      } else if (this.#running?.worker === worker) this.#running.respond(message);
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
