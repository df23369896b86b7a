import { availableParallelism } from 'node:os';
import { WorkerPool } from '../../programs/worker-pool.ts';
import type { DecompressRequest, DecompressResult, StreamCodec } from './decompress-protocol.ts';

/** Decompression workers: at most one per core and at most two, so that other work gets its part of the machine. */
const pool = new WorkerPool<DecompressRequest, DecompressResult>({
  name: 'decompress-worker',
  source: new URL('./decompress-worker.ts', import.meta.url),
  maxWorkers: Math.min(2, availableParallelism()),
  isLast: (result) => 'isDone' in result || 'error' in result,
});

/** Decompresses `source` in a worker, piece by piece as the result is consumed. Throws when the data is damaged. */
export async function* decompressInWorker(
  codec: StreamCodec,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  let settle: { resolve: (result: DecompressResult) => void; reject: (error: Error) => void } | null = null;
  let failure: Error | null = null;
  const task = pool.open({
    onMessage: (result) => settle?.resolve(result),
    onFailure(error) {
      failure = error;
      settle?.reject(error);
    },
  });
  const { id } = task;
  let input: Uint8Array<ArrayBuffer> | null | undefined;
  let hasEnded = false;
  try {
    for (;;) {
      const result = await new Promise<DecompressResult>((resolve, reject) => {
        settle = { resolve, reject };
        if (failure !== null) reject(failure);
        const request = input === undefined ? { id, codec } : { id, codec, input };
        task.send(request, input ? [input.buffer] : []);
      });
      input = undefined;
      if ('error' in result) {
        hasEnded = true;
        throw new Error(result.error);
      }
      if ('isDone' in result) {
        hasEnded = true;
        return;
      }
      if ('output' in result) {
        yield result.output;
      } else {
        const piece = await pieces.next();
        // A copy, because its memory moves to the worker.
        input = piece.done === true ? null : Uint8Array.from(piece.value);
      }
    }
  } finally {
    if (!hasEnded) {
      task.send({ id, isAbandoned: true });
      task.end();
    }
    await pieces.return?.();
  }
}
