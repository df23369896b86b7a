import { parentPort, type TransferListItem } from 'node:worker_threads';
import { sendableError } from '../disk/paths/errors.ts';
import { findNames } from './find-names.ts';
import { type Job, type ListingMessage, maxUnread, type ToWorker } from './listing-protocol.ts';
import { readListing } from './read-listing.ts';

/** Reads folders for the main thread in slices: the job with the least time so far is next, so that small folders come first. */

interface Running {
  readonly job: Job;
  readonly stop: Int32Array;
  /** Null is a slice without a message. */
  readonly messages: Generator<ListingMessage | null>;
  /** The duration of its slices so far, in milliseconds. */
  spentMs: number;
}

const running: Running[] = [];
/** Searches that wait until their findings are consumed. */
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

/** Counts an unread message of a search. Returns whether the search has to pause. */
function hasToPause({ job }: Running, message: ListingMessage): boolean {
  if (job.kind !== 'find' || message.kind !== 'found') return false;
  return Atomics.add(new Int32Array(job.unreadCount), 0, 1) + 1 >= maxUnread;
}

/** Removes and returns the job with the least time so far; among equals the one that has waited longest. */
function takeNext(): Running | undefined {
  let best = 0;
  for (const [position, { spentMs }] of running.entries())
    if (spentMs < (running[best]?.spentMs ?? 0)) best = position;
  return running.splice(best, 1)[0];
}

/** Runs one slice of a job. */
function work(): void {
  const next = takeNext();
  if (next === undefined) return;
  const { id } = next.job;
  const startedAt = performance.now();
  try {
    const step = Atomics.load(next.stop, 0) === 0 ? next.messages.next() : null;
    if (step !== null && step.done !== true) {
      const pauses = step.value !== null && hasToPause(next, step.value);
      if (step.value !== null) post(step.value);
      next.spentMs += performance.now() - startedAt;
      if (pauses) paused.set(id, next);
      else running.push(next);
    } else {
      next.messages.return(undefined);
      post({ id, kind: 'end' });
    }
  } catch (error) {
    post({ id, kind: 'failed', ...sendableError(error) });
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
