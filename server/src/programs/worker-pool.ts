import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from './worker-script.ts';

/** Describes the workers of a pool. `Request` is sent to them, `Message` is their response. */
export interface WorkerPoolOptions<Message> {
  /** Entry point in the bundle, without `.js`. It also names the worker in errors. */
  readonly name: string;
  /** The worker's module when the server runs from its source. */
  readonly source: URL;
  readonly maxWorkers: number;
  /** Whether a message is the last one of its task; without it each task has one response. */
  readonly isLast?: (message: Message) => boolean;
}

/** Receives the messages of one task. */
export interface TaskListener<Message> {
  onMessage(message: Message): void;
  /** The worker ended before the last message of the task. No message follows. */
  onFailure(error: Error): void;
}

/** A task in one of the workers. */
export interface WorkerTask<Request> {
  /** Must be part of each request and message. */
  readonly id: number;
  /** Identifies the worker: tasks in the same worker share it. */
  readonly worker: object;
  /** Sends a request. Ignored after the last message of the task. */
  send(request: Request, transferred?: readonly ArrayBuffer[]): void;
  /** Ends the task before its last message: no further messages are delivered. */
  end(): void;
}

interface PooledWorker<Message> {
  readonly thread: Worker;
  readonly listeners: Map<number, TaskListener<Message>>;
}

/**
 * Worker threads that run one script, for tasks of one kind. They are started when they are needed, up to a maximum, and
 * keep the process alive only while they have tasks. A worker that ends fails its tasks; the next task starts another.
 */
export class WorkerPool<Request, Message extends { readonly id: number }> {
  readonly #options: WorkerPoolOptions<Message>;
  readonly #workers: PooledWorker<Message>[] = [];
  #nextId = 1;

  constructor(options: WorkerPoolOptions<Message>) {
    this.#options = options;
  }

  /** Opens a task in the worker with the fewest tasks. It begins with the first request that is sent. */
  open(listener: TaskListener<Message>): WorkerTask<Request> {
    const worker = this.#pick();
    const { thread, listeners } = worker;
    const id = this.#nextId++;
    listeners.set(id, listener);
    thread.ref();
    const end = (): void => close(worker, id);
    return {
      id,
      worker,
      send: (request, transferred = []) => {
        if (!listeners.has(id)) return;
        try {
          thread.postMessage(request, transferred);
        } catch (error) {
          end();
          throw error;
        }
      },
      end,
    };
  }

  /** Runs a task of one request and one response. Rejects when the worker ends before it responds. */
  request(requestOf: (id: number) => Request, transferred?: readonly ArrayBuffer[]): Promise<Message> {
    return new Promise((resolve, reject) => {
      const task = this.open({ onMessage: resolve, onFailure: reject });
      task.send(requestOf(task.id), transferred);
    });
  }

  /** Returns the worker with the fewest tasks; a new one if none is idle and the maximum is not reached. */
  #pick(): PooledWorker<Message> {
    let best: PooledWorker<Message> | undefined;
    for (const worker of this.#workers)
      if (best === undefined || worker.listeners.size < best.listeners.size) best = worker;
    const isIdle = best?.listeners.size === 0;
    return best !== undefined && (isIdle || this.#workers.length >= this.#options.maxWorkers)
      ? best
      : this.#start();
  }

  #start(): PooledWorker<Message> {
    const { name, source, isLast = () => true } = this.#options;
    const thread = startWorkerScript(name, source);
    const worker: PooledWorker<Message> = { thread, listeners: new Map() };
    this.#workers.push(worker);
    thread.on('message', (message: Message) => {
      const listener = worker.listeners.get(message.id);
      if (isLast(message)) close(worker, message.id);
      listener?.onMessage(message);
    });
    thread.on('error', (error) =>
      this.#fail(worker, new Error(`${name} failed: ${error.message}`, { cause: error })),
    );
    thread.on('exit', (code) => this.#fail(worker, new Error(`${name} ended with exit code ${code}`)));
    return worker;
  }

  #fail(worker: PooledWorker<Message>, error: Error): void {
    const position = this.#workers.indexOf(worker);
    if (position >= 0) this.#workers.splice(position, 1);
    const failed = [...worker.listeners.values()];
    worker.listeners.clear();
    for (const listener of failed) listener.onFailure(error);
  }
}

/** Removes a task from its worker. Without tasks the worker does not keep the process alive. */
function close<Message>({ thread, listeners }: PooledWorker<Message>, id: number): void {
  if (listeners.delete(id) && listeners.size === 0) thread.unref();
}
