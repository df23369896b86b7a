import type { ErrorCode } from '@filestead/contract/errors';
import type { JobResult } from '@filestead/contract/jobs';
import { userParty } from '../../scheduling/party.ts';
import type { JobRecord } from '../job-record.ts';
import type { PlannedItem } from '../plan-items.ts';
import { type ComparedStorage, findDuplicates } from './find-duplicates.ts';

/** Maximum number of files in the result of one search. The groups that free the most space are found first. */
export const maxDuplicateFiles = 20_000;

/** A file with duplicates, as it is stored in the results of its job. Files with the same checksum and size form a group. */
export interface DuplicateResult extends JobResult {
  /** Bytes. */
  readonly size: number;
  /** Unix nanoseconds, as decimal digits. */
  readonly modifiedNs: string;
  readonly checksum: string;
}

/** Searches the folder of a job for duplicates, and adds them to its results. */
export async function runDuplicates(
  job: JobRecord,
  { index, from }: PlannedItem,
  withStorage: <T>(work: (storage: ComparedStorage) => Promise<T>) => Promise<T>,
): Promise<void> {
  const earlierResults = job.results.length;
  const add = (result: JobResult | DuplicateResult): void => void job.results.push(result);
  await findDuplicates({
    folder: from.path,
    withStorage,
    party: userParty(job.userId),
    signal: job.signal,
    onCurrent(path) {
      job.current = path;
      job.changed();
    },
    onCounted({ files, bytes }) {
      job.entriesTotal = files;
      job.bytesTotal = bytes;
      job.changed();
    },
    onProgress({ files, bytes }) {
      job.entriesDone += files;
      job.bytesDone += bytes;
      job.changed();
    },
    onFailure: (path, code: ErrorCode) => add({ index, path, code }),
    onGroup({ size, checksum, files }) {
      for (const { path, modifiedNs } of files)
        add({ index, path, size, checksum, modifiedNs: String(modifiedNs) });
      return job.results.length - earlierResults < maxDuplicateFiles;
    },
  });
  job.entriesDone = job.entriesTotal ?? job.entriesDone;
  job.bytesDone = job.bytesTotal ?? job.bytesDone;
}
