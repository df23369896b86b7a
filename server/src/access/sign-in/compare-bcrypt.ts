import { WorkerPool } from '../../programs/worker-pool.ts';

/** One comparison for the worker. */
export interface BcryptOrder {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

/** The result of one comparison. */
export interface BcryptAnswer {
  readonly id: number;
  readonly isRight: boolean;
}

const pool = new WorkerPool<BcryptOrder, BcryptAnswer>({
  name: 'bcrypt-worker',
  source: new URL('./bcrypt-worker.ts', import.meta.url),
  // The semaphore of the caller bounds the comparisons that run at once, and each has a worker of its own.
  maxWorkers: Number.POSITIVE_INFINITY,
});

/** Whether `hash`, a whole bcrypt hash, is that of `password`. Runs in a worker; throws when the worker ends. */
export async function compareBcrypt(comparison: Omit<BcryptOrder, 'id'>): Promise<boolean> {
  const { isRight } = await pool.ask((id) => ({ ...comparison, id }));
  return isRight;
}
