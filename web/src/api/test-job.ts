import type { Job } from '@filestead/contract/jobs';

/** Returns a running job for tests, with `change` applied. */
export const testJob = (change: Partial<Job> = {}): Job => ({
  id: 'job1',
  kind: 'copy',
  state: 'running',
  createdAt: 1,
  startedAt: 1,
  resumedAt: null,
  attempt: 1,
  endedAt: null,
  items: { total: 3, done: 0, failed: 0 },
  entries: { done: 0, total: null },
  bytes: { done: 0, total: null },
  current: null,
  failures: [],
  ...change,
});
