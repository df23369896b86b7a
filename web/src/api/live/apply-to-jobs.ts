import type { Job, JobEvent } from '@filestead/contract/jobs';

/** Returns the jobs after an event of the server, the oldest first. */
export function applyToJobs(jobs: readonly Job[], { event, data }: JobEvent): readonly Job[] {
  if (event === 'snapshot') return data.jobs.toSorted((a, b) => a.createdAt - b.createdAt);
  if (event === 'removed') return jobs.filter(({ id }) => id !== data.id);
  return jobs.some(({ id }) => id === data.id)
    ? jobs.map((job) => (job.id === data.id ? data : job))
    : [...jobs, data];
}
