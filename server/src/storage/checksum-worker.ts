import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type ChecksumAnswer, type ChecksumJob, checksumPieceBytes } from './checksum-protocol.ts';

/** Hashes files for the main thread, one at a time. */

const buffer = Buffer.allocUnsafeSlow(checksumPieceBytes);

function hash({ descriptor, algorithm, state }: ChecksumJob): ChecksumAnswer {
  const words = new Int32Array(state);
  const digest = createHash(algorithm);
  for (let position = 0; ;) {
    if (Atomics.load(words, 0) !== 0) return { kind: 'stopped' };
    const read = fs.readSync(descriptor, buffer, 0, buffer.length, position);
    if (read === 0) return { kind: 'done', hex: digest.digest('hex') };
    digest.update(read === buffer.length ? buffer : buffer.subarray(0, read));
    position += read;
    Atomics.add(words, 1, 1);
  }
}

parentPort?.on('message', (job: ChecksumJob) => {
  let answer: ChecksumAnswer;
  try {
    answer = hash(job);
  } catch (error) {
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    answer = { kind: 'failed', code, message: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer, []);
});
