import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import type { BcryptResult, BcryptRequest } from './compare-bcrypt.ts';

/** Compares passwords with bcrypt hashes for the main thread, one at a time. */

parentPort?.on('message', ({ id, password, hash }: BcryptRequest) => {
  parentPort?.postMessage({ id, isMatch: compareSync(password, hash) } satisfies BcryptResult, []);
});
