import type { Job } from '@filestead/contract/jobs';
import { isActive } from './job-store.ts';
import { isOwnJob } from './own-jobs.ts';

/** Returns the active jobs. */
export const activeJobs = (jobs: readonly Job[]): Job[] => jobs.filter(isActive);

/**
 * Returns jobs from before a reload, or started elsewhere, that ended with failures which the user has not closed
 * yet.
 */
export const failedJobs = (jobs: readonly Job[]): Job[] =>
  jobs.filter(
    (job) => !isActive(job) && job.state !== 'cancelled' && job.failures.length > 0 && !isOwnJob(job.id),
  );

/** Whether the tray has jobs to show: active ones, or ones with failures. */
export const hasShownJobs = (jobs: readonly Job[]): boolean =>
  activeJobs(jobs).length > 0 || failedJobs(jobs).length > 0;
