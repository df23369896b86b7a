import type { JobFailure, JobResult } from '@filestead/contract/jobs';
import type { JobRepository } from '../database/database.ts';
import type { JobProgress, StoredRequest } from './job-progress.ts';
import { type JobRecord, maxListedFailures, type NewJob } from './job-record.ts';

/** Maximum number of results of a stored job that are searched for failures when the server starts. */
const maxSearchedResults = 100_000;

/** The failures among the stored results of a job, at most as many as are shown. */
async function readFailures(repository: JobRepository, id: string): Promise<JobFailure[]> {
  const failures: JobFailure[] = [];
  let searched = 0;
  for await (const part of repository.results(id)) {
    for (const { index, path, code, detail } of part as JobResult[]) {
      if (code !== undefined) failures.push({ index, path, code, ...(detail !== undefined && { detail }) });
    }
    searched += part.length;
    if (failures.length >= maxListedFailures || searched >= maxSearchedResults) break;
  }
  return failures;
}

/** Restores the jobs that earlier runs of the server have stored, each with the record that `addJob` returns. */
export async function restoreJobs(
  repository: JobRepository,
  addJob: (job: NewJob) => JobRecord,
): Promise<void> {
  for (const {
    id,
    userId,
    sessionId,
    scope,
    request,
    itemCount,
    createdAt,
    progress,
  } of await repository.list()) {
    const stored = { id, userId, sessionId, scope, itemCount, createdAt, ...(request as StoredRequest) };
    const state = progress as JobProgress;
    const failures = state.failedItems === 0 ? [] : await readFailures(repository, id);
    addJob(stored).restore(state, failures);
  }
}

/** Yields the results of a job in parts, those of earlier runs of the server first. */
export async function* readResults(
  repository: JobRepository,
  job: JobRecord,
): AsyncGenerator<readonly JobResult[]> {
  // Results that are added while these are being read are left out.
  const results = job.results.slice();
  let remaining = job.earlierResults;
  if (remaining > 0) {
    for await (const part of repository.results(job.id)) {
      yield part.slice(0, remaining) as JobResult[];
      remaining -= part.length;
      if (remaining <= 0) break;
    }
  }
  yield results;
}
