import { WorkerPool } from '../../programs/worker-pool.ts';
import type { FindJob, ListingJob, ListingMessage, ToWorker } from './listing-protocol.ts';

/** Receives the messages of a worker about one job. */
export interface ListingListener {
  /** The last message is `end`, also when the worker fails. */
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

/** The largest folder that the quick workers list. Reading and sorting this number of names takes about 20 ms. */
const quickEntries = 2_000;
/** Most file systems report at least this size (bytes) for a folder with more entries. */
const largeFolderBytes = 256 * 1024;

/**
 * The workers of this process, started when the first folder is listed. Large folders have workers of their own, so that
 * they do not delay small ones. There are two of each, so that a slow disk does not delay the others.
 */
const quickPool = openPool(2);
const largePool = openPool(2);

/** Lists a folder in a worker. `folderBytes` is the reported size of the folder, which may be inaccurate. */
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

/** The worker for searches, which do not delay listings this way. */
const findPool = openPool(1);

/** Searches a tree in a worker. Returns a function that resumes the search after a pause. */
export const findInWorker = (job: Omit<FindJob, 'id'>, listener: ListingListener): (() => void) =>
  start(findPool, job, listener);
