import { availableParallelism } from 'node:os';
import { WorkerPool, type WorkerTask } from '../../programs/worker-pool.ts';
import type { PackJob, PackMessage, PackRequest } from './pack-protocol.ts';

/** Packing workers: more than one, so that a slow disk does not delay every archive; each serves many of them in turns. */
const pool = new WorkerPool<PackRequest, PackMessage>({
  name: 'pack-worker',
  source: new URL('./pack-worker.ts', import.meta.url),
  maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
  isLast: ({ kind }) => kind === 'end',
});

/** Starts packing. The last message is `end`, after `failed` when the worker ends. */
export function startPacking(
  job: Omit<PackJob, 'id'>,
  onMessage: (message: PackMessage) => void,
): WorkerTask<PackRequest> {
  const task = pool.open({
    onMessage,
    onFailure: ({ message }) => {
      onMessage({ id: task.id, kind: 'failed', code: undefined, message });
      onMessage({ id: task.id, kind: 'end' });
    },
  });
  task.send({ kind: 'start', job: { ...job, id: task.id } }, job.blocks);
  return task;
}
