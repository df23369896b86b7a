import { Worker } from 'node:worker_threads';
import type { FindJob, ListingJob, ListingMessage, ToWorker } from './listing-protocol.ts';

/**
 * Starts `listing-worker` beside this file: the bundled script of the built product, or the source, which then needs the
 * development loader.
 */
function startWorker(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./listing-worker.js', import.meta.url));
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const script = JSON.stringify(new URL('./listing-worker.ts', import.meta.url).href);
  return new Worker(`import(${loader}).then(({ register }) => { register(); return import(${script}); })`, {
    eval: true,
    execArgv: [],
  });
}

/** Hears what a worker says about one job. */
export interface ListingListener {
  /** The last message is `end`, also when the worker breaks down. */
  onMessage(message: ListingMessage): void;
}

interface Slot {
  readonly worker: Worker;
  readonly listeners: Map<number, ListingListener>;
}

class ListingPool {
  readonly #maxWorkers: number;
  readonly #slots: Slot[] = [];
  #nextId = 1;

  constructor(maxWorkers: number) {
    this.#maxWorkers = maxWorkers;
  }

  /** Starts a job in the worker with the fewest. Gives a function that lets it go on after it paused. */
  run(job: Omit<ListingJob, 'id'> | Omit<FindJob, 'id'>, listener: ListingListener): () => void {
    const slot = this.#pick();
    const id = this.#nextId++;
    slot.listeners.set(id, listener);
    // A worker at rest does not keep the process alive; one at work does.
    slot.worker.ref();
    slot.worker.postMessage({ ...job, id } satisfies ToWorker, []);
    return () => {
      if (slot.listeners.has(id)) slot.worker.postMessage({ kind: 'resume', id } satisfies ToWorker, []);
    };
  }

  #pick(): Slot {
    let best: Slot | undefined;
    for (const slot of this.#slots)
      if (best === undefined || slot.listeners.size < best.listeners.size) best = slot;
    return best !== undefined && (best.listeners.size === 0 || this.#slots.length === this.#maxWorkers)
      ? best
      : this.#start();
  }

  #start(): Slot {
    const slot: Slot = { worker: startWorker(), listeners: new Map() };
    this.#slots.push(slot);
    slot.worker.on('message', (message: ListingMessage) => {
      const listener = slot.listeners.get(message.id);
      if (message.kind === 'end') {
        slot.listeners.delete(message.id);
        if (slot.listeners.size === 0) slot.worker.unref();
      }
      listener?.onMessage(message);
    });
    slot.worker.on('error', (error) => this.#end(slot, error));
    slot.worker.on('exit', () => this.#end(slot, new Error('the listing worker ended')));
    slot.worker.unref();
    return slot;
  }

  /** A worker that broke down is replaced at the next job; the jobs it had fail. */
  #end(slot: Slot, error: Error): void {
    const position = this.#slots.indexOf(slot);
    if (position >= 0) this.#slots.splice(position, 1);
    for (const [id, listener] of slot.listeners) {
      slot.listeners.delete(id);
      listener.onMessage({ id, kind: 'failed', code: undefined, message: error.message });
      listener.onMessage({ id, kind: 'end' });
    }
  }
}

/** Reading and sorting so many names takes about 20 ms. */
const quickEntries = 2_000;
/** What a folder of more entries takes on most disks, in bytes. */
const largeFolderBytes = 256 * 1024;

/**
 * The workers of this process, started when the first folder is listed. A folder that is huge goes on to workers of its own
 * kind, and holds up no other; of both there are two, so that a sleeping disk does not either.
 */
const quickPool = new ListingPool(2);
const largePool = new ListingPool(2);

/** Lists a folder in a worker. `folderBytes` is what the disk says of its size, which need not be true. */
export function listInWorker(
  job: Omit<ListingJob, 'id' | 'maxEntries'>,
  folderBytes: number,
  listener: ListingListener,
): void {
  const listLarge = (): void =>
    void largePool.run({ ...job, maxEntries: Number.POSITIVE_INFINITY }, listener);
  if (folderBytes > largeFolderBytes) {
    listLarge();
    return;
  }
  let isLarge = false;
  quickPool.run(
    { ...job, maxEntries: quickEntries },
    {
      onMessage(message) {
        if (message.kind === 'large') isLarge = true;
        else if (message.kind === 'end' && isLarge) listLarge();
        else listener.onMessage(message);
      },
    },
  );
}

/** Searches take turns in a worker of their own and hold up no listing. */
export const findPool = new ListingPool(1);
