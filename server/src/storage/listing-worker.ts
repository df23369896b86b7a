import { parentPort, type TransferListItem } from 'node:worker_threads';
import type { ListingJob, ListingMessage } from './listing-protocol.ts';
import { readListing } from './read-listing.ts';

/** Reads folders for the main thread, one turn of each running job after the other. */

interface Running {
  readonly job: ListingJob;
  readonly stop: Int32Array;
  readonly messages: Generator<ListingMessage>;
}

const running: Running[] = [];

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

/** What the main thread needs to make the error again. */
function failure(id: number, error: unknown): ListingMessage {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { id, kind: 'failed', code, message: error instanceof Error ? error.message : String(error) };
}

/** One turn of the job that has waited longest. */
function work(): void {
  const next = running.shift();
  if (next === undefined) return;
  const { id } = next.job;
  try {
    const turn = Atomics.load(next.stop, 0) === 0 ? next.messages.next() : null;
    if (turn !== null && turn.done !== true) {
      post(turn.value);
      running.push(next);
    } else {
      post({ id, kind: 'end' });
    }
  } catch (error) {
    post(failure(id, error));
    post({ id, kind: 'end' });
  }
  if (running.length > 0) setImmediate(work);
}

parentPort?.on('message', (job: ListingJob) => {
  running.push({ job, stop: new Int32Array(job.stop), messages: readListing(job) });
  if (running.length === 1) work();
});
