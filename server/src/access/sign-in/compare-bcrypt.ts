import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../../programs/worker-script.ts';

/** One comparison for the worker. */
export interface BcryptOrder {
  readonly password: string;
  readonly hash: string;
}

/** The result of one comparison. */
export interface BcryptAnswer {
  readonly isRight: boolean;
}

/** Workers without a comparison to make. The caller limits how many there are by the comparisons that run at once. */
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

/** Whether `hash`, a whole bcrypt hash, is that of `password`. Runs in a thread of its own; throws when that breaks down. */
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
