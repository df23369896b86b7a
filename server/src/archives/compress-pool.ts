import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../programs/worker-script.ts';
import type { BlockCodec, CompressAnswer, CompressOrder } from './compress-protocol.ts';

/** One per core, and never more than this: compressing must leave room for the rest of the machine. */
const maxWorkers = Math.min(4, availableParallelism());

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

class CompressPool {
  readonly #slots: Slot[] = [];
  #nextId = 1;

  /** Compresses one block, which is handed over, in the worker with the fewest. */
  compress(codec: BlockCodec, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const slot = this.#pick();
    const id = this.#nextId++;
    slot.worker.ref();
    return new Promise((resolve, reject) => {
      slot.waiting.set(id, { resolve, reject });
      slot.worker.postMessage({ id, codec, bytes } satisfies CompressOrder, [bytes.buffer]);
    });
  }

  #pick(): Slot {
    let best: Slot | undefined;
    for (const slot of this.#slots)
      if (best === undefined || slot.waiting.size < best.waiting.size) best = slot;
    return best !== undefined && (best.waiting.size === 0 || this.#slots.length === maxWorkers)
      ? best
      : this.#start();
  }

  #start(): Slot {
    const worker = startWorkerScript('compress-worker', new URL('./compress-worker.ts', import.meta.url));
    const slot: Slot = { worker, waiting: new Map() };
    this.#slots.push(slot);
    worker.on('message', (answer: CompressAnswer) => {
      const waiting = slot.waiting.get(answer.id);
      slot.waiting.delete(answer.id);
      if (slot.waiting.size === 0) worker.unref();
      if ('error' in answer) waiting?.reject(new Error(answer.error));
      else waiting?.resolve(answer.bytes);
    });
    worker.on('error', (error) => this.#end(slot, error));
    worker.on('exit', () => this.#end(slot, new Error('the compressing worker ended')));
    return slot;
  }

  /** A worker that broke down is replaced at the next block; the blocks it had fail. */
  #end(slot: Slot, error: Error): void {
    const position = this.#slots.indexOf(slot);
    if (position >= 0) this.#slots.splice(position, 1);
    for (const { reject } of slot.waiting.values()) reject(error);
    slot.waiting.clear();
  }
}

/** The compressing workers of this process, started when they are needed first. */
export const compressPool = new CompressPool();
