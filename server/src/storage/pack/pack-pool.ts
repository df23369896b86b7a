import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../../programs/worker-script.ts';
import type { PackJob, PackMessage, PackOrder } from './pack-protocol.ts';

/** More than one, so that a sleeping disk does not hold up every archive; each serves many of them in turns. */
const maxWorkers = Math.min(4, Math.max(2, availableParallelism()));

/** Sends orders about one job to the worker that has it. */
export interface PackLine {
  send(order: PackOrder, transferred?: ArrayBuffer[]): void;
}

type Listener = (message: PackMessage) => void;

interface Slot {
  readonly worker: Worker;
  readonly listeners: Map<number, Listener>;
}

class PackPool {
  readonly #slots: Slot[] = [];
  #nextId = 1;

  /** Starts a job in the worker with the fewest. The last message is `end`, also when the worker breaks down. */
  run(makeJob: (id: number) => PackJob, listener: Listener): { id: number; line: PackLine } {
    const slot = this.#pick();
    const id = this.#nextId++;
    const job = makeJob(id);
    slot.listeners.set(id, listener);
    // A worker at rest does not keep the process alive; one at work does.
    slot.worker.ref();
    const line: PackLine = {
      send: (order, transferred = []) => {
        if (slot.listeners.has(id)) slot.worker.postMessage(order, transferred);
      },
    };
    line.send({ kind: 'start', job }, [...job.blocks]);
    return { id, line };
  }

  #pick(): Slot {
    let best: Slot | undefined;
    for (const slot of this.#slots)
      if (best === undefined || slot.listeners.size < best.listeners.size) best = slot;
    return best !== undefined && (best.listeners.size === 0 || this.#slots.length === maxWorkers)
      ? best
      : this.#start();
  }

  #start(): Slot {
    const worker = startWorkerScript('pack-worker', new URL('./pack-worker.ts', import.meta.url));
    const slot: Slot = { worker, listeners: new Map() };
    this.#slots.push(slot);
    worker.on('message', (message: PackMessage) => {
      const listener = slot.listeners.get(message.id);
      if (message.kind === 'end') {
        slot.listeners.delete(message.id);
        if (slot.listeners.size === 0) worker.unref();
      }
      listener?.(message);
    });
    worker.on('error', (error) => this.#end(slot, error));
    worker.on('exit', () => this.#end(slot, new Error('the packing worker ended')));
    return slot;
  }

  /** A worker that broke down is replaced at the next job; the jobs it had fail. */
  #end(slot: Slot, error: Error): void {
    const position = this.#slots.indexOf(slot);
    if (position >= 0) this.#slots.splice(position, 1);
    for (const [id, listener] of slot.listeners) {
      slot.listeners.delete(id);
      listener({ id, kind: 'failed', code: undefined, message: error.message });
      listener({ id, kind: 'end' });
    }
  }
}

/** The packing workers of this process, started when the first archive is made. */
export const packPool = new PackPool();
