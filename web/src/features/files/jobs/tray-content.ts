import type { Job } from '@filestead/contract/jobs';
import type { Task } from '../feedback/tasks.ts';
import { isActive } from './job-store.ts';
import type { Report } from './reports.ts';
import { isOwnJob } from './own-jobs.ts';

interface TrayContent {
  readonly tasks: readonly Task[];
  readonly jobs: readonly Job[];
  readonly reports: readonly Report[];
}

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

export const trayHasContent = ({ tasks, jobs, reports }: TrayContent): boolean =>
  tasks.length > 0 || reports.length > 0 || activeJobs(jobs).length > 0 || failedJobs(jobs).length > 0;
