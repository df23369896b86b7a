import { WorkerPool } from '../../programs/worker-pool.ts';
import type { FindJob, ListingJob, ListingMessage, ToWorker } from './listing-protocol.ts';

/** Hears what a worker says about one job. */
export interface ListingListener {
  /** The last message is `end`, also when the worker breaks down. */
  onMessage(message: ListingMessage): void;
}

type ListingWorkers = WorkerPool<ToWorker, ListingMessage>;

const openPool = (maxWorkers: number): ListingWorkers =>
  new WorkerPool({
    name: 'listing-worker',
    source: new URL('./listing-worker.ts', import.meta.url),
    maxWorkers,
    isLast: ({ kind }) => kind === 'end',
  });

/** Starts a job. Returns a function that resumes it after a pause. */
function start(
  pool: ListingWorkers,
  job: Omit<ListingJob, 'id'> | Omit<FindJob, 'id'>,
  listener: ListingListener,
): () => void {
  const task = pool.open({
    onMessage: (message) => listener.onMessage(message),
    onFailure: ({ message }) => {
      listener.onMessage({ id: task.id, kind: 'failed', code: undefined, message });
      listener.onMessage({ id: task.id, kind: 'end' });
    },
  });
  task.send({ ...job, id: task.id });
  return () => task.send({ kind: 'resume', id: task.id });
}

/** Reading and sorting so many names takes about 20 ms. */
const quickEntries = 2_000;
/** The size of a folder with more entries on most disks, in bytes. */
const largeFolderBytes = 256 * 1024;

/**
 * The workers of this process, started when the first folder is listed. A folder that is huge goes on to workers of its own
 * kind, and holds up no other; of both there are two, so that a sleeping disk does not either.
 */
const quickPool = openPool(2);
const largePool = openPool(2);

/** Lists a folder in a worker. `folderBytes` is what the disk says of its size, which need not be true. */
export function listInWorker(
  job: Omit<ListingJob, 'id' | 'maxEntries'>,
  folderBytes: number,
  listener: ListingListener,
): void {
  const listLarge = (): void =>
    void start(largePool, { ...job, maxEntries: Number.POSITIVE_INFINITY }, listener);
  if (folderBytes > largeFolderBytes) {
    listLarge();
    return;
  }
  let isLarge = false;
  start(
    quickPool,
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

/** Searches have a worker of their own, so that they delay no listing. */
const findPool = openPool(1);

/** Searches a tree in a worker. Returns a function that resumes the search after a pause. */
export const findInWorker = (job: Omit<FindJob, 'id'>, listener: ListingListener): (() => void) =>
  start(findPool, job, listener);
