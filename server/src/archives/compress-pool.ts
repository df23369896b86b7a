import { availableParallelism } from 'node:os';
import { WorkerPool } from '../programs/worker-pool.ts';
import type { BlockCodec, CompressResult, CompressRequest } from './compress-protocol.ts';

/** Compression workers: at most one per core and at most four, so that other work gets its part of the machine. */
const pool = new WorkerPool<CompressRequest, CompressResult>({
  name: 'compress-worker',
  source: new URL('./compress-worker.ts', import.meta.url),
  maxWorkers: Math.min(4, availableParallelism()),
});

/** Compresses one block in a worker. The buffer of `bytes` is transferred and cannot be used afterwards. */
export async function compressBlock(codec: BlockCodec, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const result = await pool.request((id) => ({ id, codec, bytes }), [bytes.buffer]);
  if ('error' in result) throw new Error(result.error);
  return result.bytes;
}
