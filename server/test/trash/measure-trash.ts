// Measures keeping deleted entries on the disk storage itself, and prints one line of JSON. Started by `npm run bench -- trash`.
// Usage: tsx measure-trash.ts FOLDER (an empty folder on the disk to be measured)
import fs from 'node:fs';
import { join } from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { openDiskStorage } from '../../src/storage/disk/disk-storage.ts';
import { syscalls } from '../../src/storage/disk/paths/syscalls.ts';
import type { KeepCause } from '../../src/storage/kept/kept-entries.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** The results, in milliseconds: elapsed time for one folder, processor time for many files. */
interface TrashMeasurements {
  /** Moving a folder of 200,000 files into the store, and the bare rename of the same folder. */
  readonly folderMs: number;
  readonly renameMs: number;
  /** Deleting 10,000 files: as one job into the store, one by one into the store, and for ever. */
  readonly jobMs: number;
  readonly singlyMs: number;
  readonly removeMs: number;
  /** The flushes of the job. */
  readonly jobFlushes: number;
}

const largeFolderFiles = 200_000;
const deletedFiles = 10_000;
/** The number of next paths that a job names with each deletion. */
const upcomingPaths = 500;
const rounds = 3;

const [top = ''] = process.argv.slice(2);
const root = join(top, 'root');
fs.mkdirSync(root, { recursive: true });

let operation = 0;
const newCause = (): KeepCause => ({
  operation: String(++operation),
  act: 'delete',
  userId: 1,
  session: 'bench',
  time: Date.now(),
});

function writeFiles(folder: string, count: number): void {
  fs.mkdirSync(join(root, folder));
  for (let index = 0; index < count; index++) fs.writeFileSync(join(root, folder, `${index}.txt`), '');
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The processor time of `work` in milliseconds, which does not depend on the speed of the disk. */
async function processorTime(work: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Deletes 10,000 new files with `remove`, and resolves to the processor time. */
async function deleteMany(
  remove: (path: ReturnType<typeof virtualPath>, next: ReturnType<typeof virtualPath>[]) => Promise<unknown>,
): Promise<number> {
  const folder = `many-${++operation}`;
  writeFiles(folder, deletedFiles);
  const paths = Array.from({ length: deletedFiles }, (_, index) => virtualPath(`/${folder}/${index}.txt`));
  return processorTime(async () => {
    for (const [index, path] of paths.entries())
      await remove(path, paths.slice(index + 1, index + 1 + upcomingPaths));
  });
}

async function measure(storage: Storage): Promise<TrashMeasurements> {
  writeFiles('large', largeFolderFiles);
  const renameMs = await timed(() => fs.promises.rename(join(root, 'large'), join(root, 'renamed')));
  const folderMs = await timed(() => storage.remove(virtualPath('/renamed'), { keep: newCause() }));
  const jobs: number[] = [];
  const singly: number[] = [];
  const removals: number[] = [];
  const flushCounts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    removals.push(await deleteMany((path) => storage.remove(path)));
    const { fdatasync } = syscalls;
    let flushes = 0;
    syscalls.fdatasync = (descriptor) => {
      flushes += 1;
      return fdatasync(descriptor);
    };
    const keep = newCause();
    jobs.push(await deleteMany((path, upcoming) => storage.remove(path, { keep, upcoming })));
    syscalls.fdatasync = fdatasync;
    flushCounts.push(flushes);
    singly.push(await deleteMany((path) => storage.remove(path, { keep: newCause() })));
  }
  return {
    folderMs,
    renameMs,
    jobMs: median(jobs),
    singlyMs: median(singly),
    removeMs: median(removals),
    jobFlushes: Math.max(...flushCounts),
  };
}

const storage = await openDiskStorage({
  root,
  temporaryJournal: join(top, 'temporary-files'),
  storeRegistry: join(top, 'stores.json'),
});
try {
  process.stdout.write(`${JSON.stringify(await measure(storage))}\n`);
} finally {
  await storage.close();
}
