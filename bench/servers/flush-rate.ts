import fs from 'node:fs';
import { join } from 'node:path';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

interface FlushWork {
  readonly folder: string;
  readonly bytes: number;
  readonly seconds: number;
}

/** Time for which the flushes are measured. */
const seconds = 2;

/** Creates, writes, flushes and renames files for a while. Returns their number. */
function flushFiles({ folder, bytes, seconds: duration }: FlushWork): number {
  const content = Buffer.alloc(bytes, 'f');
  const end = performance.now() + duration * 1000;
  const run = process.hrtime.bigint();
  let count = 0;
  for (; performance.now() < end; count++) {
    const path = join(folder, `flush-${run}-${count}`);
    const descriptor = fs.openSync(`${path}.part`, 'wx');
    fs.writeSync(descriptor, content);
    fs.fdatasyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(`${path}.part`, path);
  }
  return count;
}

/** Measures how many files per second several threads can write and flush, without a server: the limit of the disk. */
export async function measureFlushes(
  folder: string,
  { bytes, threads }: { readonly bytes: number; readonly threads: number },
): Promise<number> {
  const work: FlushWork = { folder, bytes, seconds };
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const script = `import(${loader}).then(({ register }) => { register(); return import(${JSON.stringify(import.meta.url)}); })`;
  const counts = Array.from(
    { length: threads },
    () =>
      new Promise<number>((resolve, reject) => {
        const worker = new Worker(script, { eval: true, workerData: work });
        worker.once('message', resolve);
        worker.once('error', reject);
      }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) / seconds;
}

// Only `measureFlushes` starts this module in a thread.
if (!isMainThread) parentPort?.postMessage(flushFiles(workerData as FlushWork), []);
