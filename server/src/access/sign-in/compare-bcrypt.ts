import { WorkerPool } from '../../programs/worker-pool.ts';

/** A request to the worker: compare a password with a hash. */
export interface BcryptRequest {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

/** The result of one comparison. */
export interface BcryptResult {
  readonly id: number;
  readonly isMatch: boolean;
}

const pool = new WorkerPool<BcryptRequest, BcryptResult>({
  name: 'bcrypt-worker',
  source: new URL('./bcrypt-worker.ts', import.meta.url),
  // The caller limits the number of concurrent comparisons with a semaphore; each has its own worker.
  maxWorkers: Number.POSITIVE_INFINITY,
});

/** Whether `hash`, a whole bcrypt hash, is that of `password`. Runs in a worker; throws when the worker ends. */
export async function compareBcrypt(comparison: Omit<BcryptRequest, 'id'>): Promise<boolean> {
  const { isMatch } = await pool.request((id) => ({ ...comparison, id }));
  return isMatch;
}
