import { parentPort } from 'node:worker_threads';
import type { Container, ContainerName } from './container.ts';
import { MemberPacking } from './pack-members.ts';
import type { PackJob, PackMessage, PackOrder } from './pack-protocol.ts';
import { Packer } from './packer.ts';
import { TarContainer } from './tar-container.ts';
import { ZipContainer } from './zip-container.ts';

/** Packs for the main thread, one block of each running job after the other. */

const makers: Readonly<Record<ContainerName, () => Container>> = {
  tar: () => new TarContainer(),
  zip: () => new ZipContainer(),
};

/** One archive in the making. */
class Running {
  readonly id: number;
  readonly #stop: Int32Array;
  readonly #free: ArrayBuffer[];
  readonly #packer: Packer;
  readonly #packing: MemberPacking;
  readonly #turns: ReturnType<MemberPacking['run']>;
  #block: ArrayBuffer | undefined;
  #waitsForAnswer = false;

  constructor(job: PackJob) {
    this.id = job.id;
    this.#stop = new Int32Array(job.stop);
    this.#free = [...job.blocks];
    this.#block = this.#free.pop();
    if (this.#block === undefined) throw new Error('a job without blocks');
    this.#packer = new Packer(makers[job.container](), Buffer.from(this.#block));
    this.#packing = new MemberPacking(job, this.#packer);
    this.#turns = this.#packing.run();
  }

  get canGoOn(): boolean {
    return this.isStopped || (this.#block !== undefined && !this.#waitsForAnswer);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }

  answer(refused: readonly number[]): void {
    this.#packing.refuse(refused);
    this.#waitsForAnswer = false;
  }

  giveBlock(block: ArrayBuffer): void {
    this.#free.push(block);
    if (this.#block === undefined) this.#takeBlock();
  }

  #takeBlock(): void {
    this.#block = this.#free.pop();
    if (this.#block !== undefined) this.#packer.continueWith(Buffer.from(this.#block));
  }

  /** One turn; false when there are no more. */
  work(): boolean {
    if (this.isStopped) {
      this.#turns.return(undefined);
      return false;
    }
    const turn = this.#turns.next();
    if (turn.done === true) return false;
    if (turn.value.kind === 'ask') {
      this.#waitsForAnswer = true;
      post({ id: this.id, kind: 'ask', questions: turn.value.questions });
    } else if (this.#block !== undefined) {
      const block = this.#block;
      post({ id: this.id, kind: 'block', block, length: turn.value.length }, [block]);
      this.#takeBlock();
    }
    return true;
  }
}

const running: Running[] = [];
let isWorking = false;

function post(message: PackMessage, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}

function end(job: Running, error: unknown): void {
  running.splice(running.indexOf(job), 1);
  if (error !== null && !job.isStopped) {
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    post({ id: job.id, kind: 'failed', code, message });
  }
  post({ id: job.id, kind: 'end' });
}

/** One turn of the job that has waited longest. */
function work(): void {
  isWorking = false;
  const job = running.find(({ canGoOn }) => canGoOn);
  if (job === undefined) return;
  try {
    if (job.work()) running.push(...running.splice(running.indexOf(job), 1));
    else end(job, null);
  } catch (error) {
    end(job, error);
  }
  goOn();
}

function goOn(): void {
  if (isWorking) return;
  isWorking = true;
  setImmediate(work);
}

parentPort?.on('message', (order: PackOrder) => {
  if (order.kind === 'start') {
    running.push(new Running(order.job));
  } else {
    const job = running.find(({ id }) => id === order.id);
    if (order.kind === 'answer') job?.answer(order.refused);
    else if (order.kind === 'block') job?.giveBlock(order.block);
  }
  goOn();
});
