import type { JobResult } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import { userParty } from '../scheduling/party.ts';
import type { Storage } from '../storage/storage.ts';
import { hashFile } from './hash-file.ts';
import type { JobDependencies } from './job-dependencies.ts';
import type { JobRecord } from './job-record.ts';
import type { PlannedItem } from './plan-items.ts';

/** Maximum number of files of one checksum job. */
const maxHashedFiles = 200_000;

/** Thrown when some files of an item could not be hashed; their failures are recorded. */
export class SomeFilesFailed extends AppError {}

/** Returns the paths below an item that an earlier run of the server has hashed. */
async function readHashed(
  job: JobRecord,
  item: PlannedItem,
  { repository }: JobDependencies,
): Promise<Set<string>> {
  const hashed = new Set<string>();
  if (job.earlierResults === 0) return hashed;
  for await (const part of repository.results(job.id)) {
    for (const { index, path } of part as JobResult[]) if (index === item.index) hashed.add(path);
  }
  return hashed;
}

/** Records the checksum of a file, or those of all files below a folder. */
export async function hashItem(
  job: JobRecord,
  item: PlannedItem,
  storage: Storage,
  parts: JobDependencies,
): Promise<void> {
  const entry = await storage.stat(item.from.path);
  if (entry === null) throw new AppError('not_found');
  if (item.from.isFolderPath && entry.kind !== 'folder') throw new AppError('not_a_folder');
  if (entry.kind !== 'folder') {
    await hashOneFile(job, item, item.from.path, storage);
    return;
  }
  const hashed = await readHashed(job, item, parts);
  let hasFailed = false;
  for await (const { path, entry: inner } of storage.walk(item.from.path, { signal: job.signal })) {
    job.entriesDone += 1;
    if (inner.kind !== 'file') continue;
    if (hashed.has(path)) {
      job.bytesDone += inner.size;
      continue;
    }
    if (job.earlierResults + job.results.length >= maxHashedFiles) throw new AppError('payload_too_large');
    try {
      await hashOneFile(job, item, path, storage);
    } catch (error) {
      if (job.signal.aborted || !(error instanceof AppError)) throw error;
      job.failWith(item, path, error);
      hasFailed = true;
    }
  }
  if (hasFailed) throw new SomeFilesFailed('not_found');
}

async function hashOneFile(
  job: JobRecord,
  item: PlannedItem,
  path: VirtualPath,
  storage: Storage,
): Promise<void> {
  job.current = path;
  const checksum = await hashFile(storage, path, {
    algorithm: job.algorithm,
    party: userParty(job.userId),
    onBytes: (bytes) => {
      job.bytesDone += bytes;
      job.changed();
    },
    signal: job.signal,
  });
  job.results.push({ index: item.index, path, checksum });
}
