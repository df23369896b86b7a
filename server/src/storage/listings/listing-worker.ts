import { parentPort, type TransferListItem } from 'node:worker_threads';
import { findNames } from './find-names.ts';
import { type Job, type ListingMessage, maxUntaken, type ToWorker } from './listing-protocol.ts';
import { readListing } from './read-listing.ts';

/** Reads folders for the main thread, turn by turn: whoever has had the least time is next, so small folders come first. */

interface Running {
  readonly job: Job;
  readonly stop: Int32Array;
  /** Null is a turn that has nothing to say. */
  readonly messages: Generator<ListingMessage | null>;
  /** The duration of its turns so far, in milliseconds. */
  spentMs: number;
}

const running: Running[] = [];
/** Searches whose findings nobody takes at the moment. */
const paused = new Map<number, Running>();

function post(message: ListingMessage): void {
  const { batch } = message.kind === 'batch' ? message : { batch: null };
  const transferred: TransferListItem[] =
    batch === null
      ? []
      : [batch.sizes, batch.modifiedMs, batch.modes, batch.kinds, batch.links].map(
          ({ buffer }) => buffer as ArrayBuffer,
        );
  parentPort?.postMessage(message, transferred);
}

/** The message from which the main thread recreates the error. */
function failure(id: number, error: unknown): ListingMessage {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { id, kind: 'failed', code, message: error instanceof Error ? error.message : String(error) };
}

/** Counts what a search has said; whether it has to wait until that is taken. */
function mustPause({ job }: Running, message: ListingMessage): boolean {
  if (job.kind !== 'find' || message.kind !== 'found') return false;
  return Atomics.add(new Int32Array(job.untaken), 0, 1) + 1 >= maxUntaken;
}

/** Takes the job out that has had the least time, of several the one that has waited longest. */
function takeNext(): Running | undefined {
  let best = 0;
  for (const [position, { spentMs }] of running.entries())
    if (spentMs < (running[best]?.spentMs ?? 0)) best = position;
  return running.splice(best, 1)[0];
}

/** One turn of a job. */
function work(): void {
  const next = takeNext();
  if (next === undefined) return;
  const { id } = next.job;
  const began = performance.now();
  try {
    const turn = Atomics.load(next.stop, 0) === 0 ? next.messages.next() : null;
    if (turn !== null && turn.done !== true) {
      const isPausing = turn.value !== null && mustPause(next, turn.value);
      if (turn.value !== null) post(turn.value);
      next.spentMs += performance.now() - began;
      if (isPausing) paused.set(id, next);
      else running.push(next);
    } else {
      next.messages.return(undefined);
      post({ id, kind: 'end' });
    }
  } catch (error) {
    post(failure(id, error));
    post({ id, kind: 'end' });
  }
  if (running.length > 0) setImmediate(work);
}

function begin(job: Running): void {
  running.push(job);
  if (running.length === 1) work();
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'resume') {
    const job = paused.get(message.id);
    paused.delete(message.id);
    if (job !== undefined) begin(job);
    return;
  }
  const messages = message.kind === 'find' ? findNames(message) : readListing(message);
  begin({ job: message, stop: new Int32Array(message.stop), messages, spentMs: 0 });
});
