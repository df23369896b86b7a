import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import type { BcryptAnswer, BcryptOrder } from './compare-bcrypt.ts';

/** Compares passwords with bcrypt hashes for the main thread, one at a time. */

parentPort?.on('message', ({ id, password, hash }: BcryptOrder) => {
  parentPort?.postMessage({ id, isRight: compareSync(password, hash) } satisfies BcryptAnswer, []);
});
