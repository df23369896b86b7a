import { type Hash, createHash } from 'node:crypto';
import fs from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { sendableError } from '../disk/paths/errors.ts';
import {
  type ChecksumResult,
  type ChecksumJob,
  checksumPieceBytes,
  checksumSliceBytes,
} from './checksum-protocol.ts';

/** Hashes files for the main thread, a slice of one at a time. */

const buffer = Buffer.allocUnsafeSlow(checksumPieceBytes);

/** The files in progress, by id. */
const unfinished = new Map<number, { readonly digest: Hash; position: number }>();

function hashSlice({ id, descriptor, algorithm, state }: ChecksumJob): ChecksumResult {
  const words = new Int32Array(state);
  const file = unfinished.get(id) ?? { digest: createHash(algorithm), position: 0 };
  unfinished.set(id, file);
  const end = file.position + checksumSliceBytes;
  while (file.position < end) {
    if (Atomics.load(words, 0) !== 0) return { id, kind: 'stopped' };
    const read = fs.readSync(descriptor, buffer, 0, buffer.length, file.position);
    if (read === 0) return { id, kind: 'done', hex: file.digest.digest('hex') };
    file.digest.update(read === buffer.length ? buffer : buffer.subarray(0, read));
    file.position += read;
    Atomics.add(words, 1, 1);
  }
  return { id, kind: 'more' };
}

parentPort?.on('message', (job: ChecksumJob) => {
  if (job.kind === 'forget') {
    unfinished.delete(job.id);
    return;
  }
  let result: ChecksumResult;
  try {
    result = hashSlice(job);
  } catch (error) {
    result = { id: job.id, kind: 'failed', ...sendableError(error) };
  }
  if (result.kind !== 'more') unfinished.delete(job.id);
  parentPort?.postMessage(result, []);
});
