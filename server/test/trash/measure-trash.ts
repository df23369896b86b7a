// Measures keeping deleted entries on the disk storage itself, and prints one line of JSON. Started by `npm run bench -- trash`.
// Usage: tsx measure-trash.ts FOLDER (an empty folder on the disk to be measured)
import fs from 'node:fs';
import { join } from 'node:path';
import { type VirtualPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { openDatabase } from '../../src/database/open-database.ts';
import type { StoredKept } from '../../src/database/trash-repository.ts';
import { openDiskStorage } from '../../src/storage/disk/open-disk-storage.ts';
import { syscalls } from '../../src/storage/disk/paths/syscalls.ts';
import type { KeepCause, KeptEntry } from '../../src/storage/kept/kept-entries.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** The results, in milliseconds: elapsed time, for many files processor time too. */
interface TrashMeasurements {
  /** Moving a folder of 200,000 files into the store, and the bare rename of the same folder. */
  readonly folderMs: number;
  readonly renameMs: number;
  /** Restoring the folder. */
  readonly restoreMs: number;
  /** Deleting 10,000 files: as one job into the store, one by one into the store, and permanently. */
  readonly jobMs: number;
  readonly singlyMs: number;
  readonly removeMs: number;
  /** The elapsed times of the job and of the permanent deletions. */
  readonly jobClockMs: number;
  readonly removeClockMs: number;
  /** The flushes of the job. */
  readonly jobFlushes: number;
  /** Replacing a file of 4 KiB and of 1 MiB, without and with a version of the former state. */
  readonly smallPlainMs: number;
  readonly smallKeptMs: number;
  readonly largePlainMs: number;
  readonly largeKeptMs: number;
  /** Writing a new file of 4 KiB on a server without and with versions. */
  readonly newPlainMs: number;
  readonly newKeptMs: number;
  /** Reading 1,000 versions of a file from the index. */
  readonly listMs: number;
}

/** The median durations of replacing a file, in milliseconds. */
interface Overwrites {
  readonly plainMs: number;
  readonly keptMs: number;
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

/** The time of work in milliseconds. */
interface Duration {
  /** Does not depend on the speed of the disk. */
  readonly processorMs: number;
  readonly clockMs: number;
}

async function durationOf(work: () => unknown): Promise<Duration> {
  const started = process.cpuUsage();
  const clockMs = await timed(work);
  const { user, system } = process.cpuUsage(started);
  return { processorMs: (user + system) / 1_000, clockMs };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const medianOf = (durations: readonly Duration[], key: keyof Duration): number =>
  median(durations.map((duration) => duration[key]));

/** Deletes 10,000 new files with `remove`. */
async function deleteMany(
  remove: (path: VirtualPath, next: () => VirtualPath[]) => Promise<unknown>,
): Promise<Duration> {
  const folder = `many-${++operation}`;
  writeFiles(folder, deletedFiles);
  const paths = Array.from({ length: deletedFiles }, (_, index) => virtualPath(`/${folder}/${index}.txt`));
  return durationOf(async () => {
    for (const [index, path] of paths.entries())
      await remove(path, () => paths.slice(index + 1, index + 1 + upcomingPaths));
  });
}

/** Replaces a file of `bytes` alternately with and without a version. */
async function measureOverwrites(storage: Storage, bytes: number, count: number): Promise<Overwrites> {
  const path = virtualPath(`/overwritten-${bytes}.bin`);
  const content = Buffer.alloc(bytes, 'x');
  const write = async (keep: KeepCause | null): Promise<void> => {
    const source = (async function* () {
      yield content;
    })();
    await storage.write(path, source, { mode: 'either', announcedBytes: bytes, keep });
  };
  await write(null);
  await write(newCause());
  const plain: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round < count; round++) {
    plain.push(await timed(() => write(null)));
    kept.push(await timed(() => write(newCause())));
  }
  return { plainMs: median(plain), keptMs: median(kept) };
}

/** Creates files of 4 KiB alternately with and without keeping the file that they replace, although there is none. */
async function measureCreations(storage: Storage, count: number): Promise<Overwrites> {
  const content = Buffer.alloc(4 * 1024, 'x');
  fs.mkdirSync(join(root, 'new'));
  const create = (index: number, keep: KeepCause | null): Promise<unknown> => {
    const source = (async function* () {
      yield content;
    })();
    return storage.write(virtualPath(`/new/${index}.bin`), source, {
      mode: 'either',
      announcedBytes: content.length,
      keep,
    });
  };
  const plain: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round < count; round++) {
    plain.push(await timed(() => create(2 * round, null)));
    kept.push(await timed(() => create(2 * round + 1, newCause())));
  }
  return { plainMs: median(plain), keptMs: median(kept) };
}

/** The median duration of reading 1,000 versions of a file, among 100,000 of other files. */
async function measureList(): Promise<number> {
  const database = await openDatabase(':memory:');
  try {
    const exact = (name: string): string => name;
    const entry = (index: number, path: string): StoredKept => ({
      id: String(index).padStart(22, '0'),
      store: virtualPath('/'),
      folder: '2026-11-22T10',
      storedName: String(index),
      originalPath: virtualPath(path),
      kind: 'file',
      size: 1,
      modifiedNs: '0',
      keptAt: index,
      operation: 'bench',
      act: 'save',
      userId: 1,
      session: null,
    });
    const others = Array.from({ length: 100_000 }, (_, index) => entry(index, `/docs/${index % 5_000}.txt`));
    await database.trash.add(others, exact);
    await database.trash.add(
      Array.from({ length: 1_000 }, (_, index) => entry(100_000 + index, '/docs/plan.txt')),
      exact,
    );
    const durations: number[] = [];
    for (let round = 0; round < 20; round++) {
      durations.push(
        await timed(() => database.versions.list(virtualPath('/docs/plan.txt'), exact, { limit: 1_001 })),
      );
    }
    return median(durations);
  } finally {
    await database.close();
  }
}

async function measure(storage: Storage): Promise<TrashMeasurements> {
  // The first deletion creates the store.
  fs.writeFileSync(join(root, 'first.txt'), '');
  await storage.remove(virtualPath('/first.txt'), { keep: newCause() });
  writeFiles('large', largeFolderFiles);
  const renameMs = await timed(() => fs.promises.rename(join(root, 'large'), join(root, 'renamed')));
  const removed: KeptEntry[] = [];
  const remove = async (): Promise<unknown> =>
    removed.push(...(await storage.remove(virtualPath('/renamed'), { keep: newCause() })));
  const folderMs = await timed(remove);
  const [keptFolder] = removed;
  if (keptFolder === undefined) throw new Error('the folder was not kept');
  const options = { conflict: 'fail', createParents: false } as const;
  const restoreMs = await timed(() => storage.restore(keptFolder, virtualPath('/renamed'), options));
  if (!fs.existsSync(join(root, 'renamed'))) throw new Error('the folder was not restored');
  const jobs: Duration[] = [];
  const singly: Duration[] = [];
  const removals: Duration[] = [];
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
  const small = await measureOverwrites(storage, 4 * 1024, 400);
  const large = await measureOverwrites(storage, 1024 * 1024, 60);
  const creations = await measureCreations(storage, 600);
  return {
    folderMs,
    renameMs,
    restoreMs,
    jobMs: medianOf(jobs, 'processorMs'),
    singlyMs: medianOf(singly, 'processorMs'),
    removeMs: medianOf(removals, 'processorMs'),
    jobClockMs: medianOf(jobs, 'clockMs'),
    removeClockMs: medianOf(removals, 'clockMs'),
    jobFlushes: Math.max(...flushCounts),
    smallPlainMs: small.plainMs,
    smallKeptMs: small.keptMs,
    largePlainMs: large.plainMs,
    largeKeptMs: large.keptMs,
    newPlainMs: creations.plainMs,
    newKeptMs: creations.keptMs,
    listMs: await measureList(),
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
