import { parentPort } from 'node:worker_threads';
import { sendableError } from '../disk/paths/errors.ts';
import type { Container, ContainerName } from './container.ts';
import { MemberPacking } from './pack-members.ts';
import type { PackJob, PackMessage, PackRequest } from './pack-protocol.ts';
import { Packer } from './packer.ts';
import { TarContainer } from './tar-container.ts';
import { ZipContainer } from './zip-container.ts';

/** Packs for the main thread, one block of each running job in turn. */

const containers: Readonly<Record<ContainerName, () => Container>> = {
  tar: () => new TarContainer(),
  zip: () => new ZipContainer(),
};

/** One archive in progress. */
class Running {
  readonly id: number;
  readonly #stop: Int32Array;
  readonly #free: ArrayBuffer[];
  readonly #packer: Packer;
  readonly #packing: MemberPacking;
  readonly #steps: ReturnType<MemberPacking['run']>;
  #block: ArrayBuffer | undefined;
  #waitsForAnswer = false;

  constructor(job: PackJob) {
    this.id = job.id;
    this.#stop = new Int32Array(job.stop);
    this.#free = [...job.blocks];
    this.#block = this.#free.pop();
    if (this.#block === undefined) throw new Error('a job without blocks');
    this.#packer = new Packer(containers[job.container](), Buffer.from(this.#block));
    this.#packing = new MemberPacking(job, this.#packer);
    this.#steps = this.#packing.run();
  }

  get canContinue(): boolean {
    return this.isStopped || (this.#block !== undefined && !this.#waitsForAnswer);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }

  answer(refused: readonly number[]): void {
    this.#packing.refuse(refused);
    this.#waitsForAnswer = false;
  }

  addBlock(block: ArrayBuffer): void {
    this.#free.push(block);
    if (this.#block === undefined) this.#useNextBlock();
  }

  #useNextBlock(): void {
    this.#block = this.#free.pop();
    if (this.#block !== undefined) this.#packer.continueWith(Buffer.from(this.#block));
  }

  /** Runs one step. Returns false at the end. */
  work(): boolean {
    if (this.isStopped) {
      this.#steps.return(undefined);
      return false;
    }
    const step = this.#steps.next();
    if (step.done === true) return false;
    if (step.value.kind === 'ask') {
      this.#waitsForAnswer = true;
      post({ id: this.id, kind: 'ask', questions: step.value.questions });
    } else if (this.#block !== undefined) {
      const block = this.#block;
      post({ id: this.id, kind: 'block', block, length: step.value.length }, [block]);
      this.#useNextBlock();
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
  if (error !== null && !job.isStopped) post({ id: job.id, kind: 'failed', ...sendableError(error) });
  post({ id: job.id, kind: 'end' });
}

/** Runs one step of the job that has waited longest. */
function work(): void {
  isWorking = false;
  const job = running.find(({ canContinue }) => canContinue);
  if (job === undefined) return;
  try {
    if (job.work()) running.push(...running.splice(running.indexOf(job), 1));
    else end(job, null);
  } catch (error) {
    end(job, error);
  }
  scheduleWork();
}

function scheduleWork(): void {
  if (isWorking) return;
  isWorking = true;
  setImmediate(work);
}

parentPort?.on('message', (request: PackRequest) => {
  if (request.kind === 'start') {
    running.push(new Running(request.job));
  } else {
    const job = running.find(({ id }) => id === request.id);
    if (request.kind === 'answer') job?.answer(request.refused);
    else if (request.kind === 'block') job?.addBlock(request.block);
  }
  scheduleWork();
});
