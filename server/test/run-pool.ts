import { WorkerPool } from '../src/programs/worker-pool.ts';
import type { TestMessage, TestRequest } from './pool-worker.ts';

/** Runs one task in a pool and prints its answer. The process ends by itself, as an idle pool does not keep it alive. */

const pool = new WorkerPool<TestRequest, TestMessage>({
  name: 'pool-worker',
  source: new URL('./pool-worker.ts', import.meta.url),
  maxWorkers: 1,
});
const { value } = await pool.request((id) => ({ id, kind: 'echo', value: 7 }));
process.stdout.write(`answered ${value}\n`);
