import type { Job } from '@filestead/contract/jobs';
import { beforeEach, expect, test } from 'vitest';
import { testJob } from '../../../api/test-job.ts';
import {
  applyJobEvent,
  forgetJobs,
  saveNote,
  findNote,
  remainingSeconds,
  progressOf,
  useJobs,
} from './job-store.ts';

const job = (change: Partial<Job> = {}): Job => testJob({ id: 'one', ...change });
const ids = (): string[] => useJobs.getState().jobs.map(({ id }) => id);

beforeEach(() => {
  forgetJobs();
  sessionStorage.clear();
});

test('replaces all jobs with a snapshot, and changes one job by an event', () => {
  applyJobEvent({ event: 'job', data: job({ id: 'old' }) });
  applyJobEvent({
    event: 'snapshot',
    data: { jobs: [job({ id: 'late', createdAt: 9 }), job({ id: 'early', createdAt: 3 })] },
  });
  expect(ids()).toEqual(['early', 'late']);
  applyJobEvent({ event: 'job', data: job({ id: 'early', state: 'done' }) });
  expect(useJobs.getState().jobs[0]?.state).toBe('done');
  applyJobEvent({ event: 'removed', data: { id: 'early' } });
  applyJobEvent({ event: 'removed', data: { id: 'nobody' } });
  expect(ids()).toEqual(['late']);
});

test.each([
  ['by bytes', { bytes: { done: 1, total: 4 }, entries: { done: 3, total: 4 } }, 0.25],
  ['by entries without bytes', { bytes: { done: 0, total: 0 }, entries: { done: 3, total: 4 } }, 0.75],
  ['as null while it is counted', {}, null],
  [
    'as null while the first entry is moved to another file system',
    { kind: 'move', bytes: { done: 5, total: null }, entries: { done: 0, total: 1 } },
    null,
  ],
  ['as 1 at most', { entries: { done: 5, total: 4 } }, 1],
] as const)('measures the progress %s', (_, change, fraction) => {
  expect(progressOf(job(change))).toBe(fraction);
});

test('estimates the remaining time from the pace since the first progress', () => {
  const from = { atMs: 10_000, fraction: 0.2 };
  expect(remainingSeconds(0.4, from, 20_000)).toBeCloseTo(30);
  expect(remainingSeconds(0.4, from, 10_500)).toBeNull();
  expect(remainingSeconds(0.2, from, 20_000)).toBeNull();
  expect(remainingSeconds(null, from, 20_000)).toBeNull();
  expect(remainingSeconds(0.4, undefined, 20_000)).toBeNull();
});

test('keeps a milestone until the job has ended', () => {
  applyJobEvent({ event: 'job', data: job({ entries: { done: 1, total: 10 } }) }, 1000);
  applyJobEvent({ event: 'job', data: job({ entries: { done: 5, total: 10 } }) }, 5000);
  expect(useJobs.getState().milestones.get('one')).toEqual({ atMs: 1000, fraction: 0.1 });
  applyJobEvent({ event: 'job', data: job({ state: 'done', entries: { done: 10, total: 10 } }) }, 9000);
  expect(useJobs.getState().milestones.size).toBe(0);
});

test('restores notes after a reload, and ignores damaged ones', () => {
  saveNote('one', { name: 'a.txt', destination: null });
  expect(findNote('one')).toEqual({ name: 'a.txt', destination: null });
  expect(findNote('two')).toBeNull();
  sessionStorage.setItem('filestead.jobs', '{broken');
  expect(findNote('one')).toBeNull();
});
