import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../../programs/worker-script.ts';

/** One comparison to be made by the worker. */
export interface BcryptOrder {
  readonly password: string;
  readonly hash: string;
}

/** The result of one comparison. */
export interface BcryptAnswer {
  readonly isRight: boolean;
}

/** Idle workers. Their number is bounded by the semaphore of the caller. */
const idle: Worker[] = [];

function takeWorker(): Worker {
  const known = idle.pop();
  if (known !== undefined) return known;
  const worker = startWorkerScript('bcrypt-worker', new URL('./bcrypt-worker.ts', import.meta.url));
  worker.once('exit', () => {
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
  });
  return worker;
}

/**
 * Whether `hash`, a complete bcrypt hash, belongs to `password`. Runs in a worker thread; rejects if the
 * worker fails.
 */
export function compareBcrypt(order: BcryptOrder): Promise<boolean> {
  const worker = takeWorker();
  worker.ref();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      worker.unref();
    };
    const onMessage = ({ isRight }: BcryptAnswer): void => {
      end();
      idle.push(worker);
      resolve(isRight);
    };
    const onError = (error: Error): void => {
      end();
      reject(error);
    };
    const onExit = (): void => onError(new Error('the worker that compares passwords ended'));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(order, []);
  });
}
