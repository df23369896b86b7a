import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from './worker-script.ts';

/** Describes the workers of a pool. `Order` is sent to them, `Message` is what they answer. */
export interface WorkerPoolOptions<Message> {
  /** Entry point in the bundle, without `.js`. It also names the worker in errors. */
  readonly name: string;
  /** The worker's module when the server runs from its source. */
  readonly source: URL;
  readonly maxWorkers: number;
  /** Whether a message is the last one of its task; without it each task has one answer. */
  readonly isLast?: (message: Message) => boolean;
}

/** Receives the messages of one task. */
export interface TaskListener<Message> {
  onMessage(message: Message): void;
  /** The worker ended before the last message of the task. No message follows. */
  onFailure(error: Error): void;
}

/** A task in one of the workers. */
export interface WorkerTask<Order> {
  /** Has to be part of each order and message. */
  readonly id: number;
  /** Identifies the worker: tasks in the same worker share it. */
  readonly worker: object;
  /** Sends an order. Ignored after the last message of the task. */
  send(order: Order, transferred?: readonly ArrayBuffer[]): void;
  /** Gives the task up before its last message: nothing is delivered any more. */
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
export class WorkerPool<Order, Message extends { readonly id: number }> {
  readonly #options: WorkerPoolOptions<Message>;
  readonly #workers: PooledWorker<Message>[] = [];
  #nextId = 1;

  constructor(options: WorkerPoolOptions<Message>) {
    this.#options = options;
  }

  /** Opens a task in the worker with the fewest. It begins with the first order that is sent. */
  open(listener: TaskListener<Message>): WorkerTask<Order> {
    const worker = this.#pick();
    const { thread, listeners } = worker;
    const id = this.#nextId++;
    listeners.set(id, listener);
    thread.ref();
    const end = (): void => close(worker, id);
    return {
      id,
      worker,
      send: (order, transferred = []) => {
        if (!listeners.has(id)) return;
        try {
          thread.postMessage(order, transferred);
        } catch (error) {
          end();
          throw error;
        }
      },
      end,
    };
  }

  /** Runs a task of one order and one answer. Rejects when the worker ends before it answers. */
  ask(orderOf: (id: number) => Order, transferred?: readonly ArrayBuffer[]): Promise<Message> {
    return new Promise((resolve, reject) => {
      const task = this.open({ onMessage: resolve, onFailure: reject });
      task.send(orderOf(task.id), transferred);
    });
  }

  /** The worker with the fewest tasks; another one while none is idle and there may be more. */
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
