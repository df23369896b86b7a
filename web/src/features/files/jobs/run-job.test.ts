import type { Job, JobDetails, JobEvent } from '@filestead/contract/jobs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isApiError } from '../../../api/call.ts';
import { keepToken } from '../../../api/token-store.ts';
import { RefusedError } from '../feedback/failure.ts';
import { applyJobs } from './follow-jobs.ts';
import { useJobs } from './job-store.ts';
import { runJobs } from './run-job.ts';

const running: Job = {
  id: 'job1',
  kind: 'copy',
  state: 'running',
  createdAt: 1,
  startedAt: 1,
  endedAt: null,
  items: { total: 3, done: 0, failed: 0 },
  entries: { done: 0, total: null },
  bytes: { done: 0, total: null },
  current: null,
  failures: [],
};

/** What the server says; `null` means that it has forgotten the job. */
let details: JobDetails | null = null;
let requests: string[] = [];
/** One connection serves all jobs; it lingers between them. */
const followers: FakeSource[] = [];

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    followers.push(this);
  }
  send({ event, data }: JobEvent): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
}

beforeEach(() => {
  details = { ...running, results: [] };
  requests = [];
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    requests.push(`${method} ${new URL(url, 'http://server').pathname}`);
    if (method === 'POST') return Response.json(running, { status: 202 });
    if (method === 'DELETE') return new Response('200 OK');
    if (details === null) return Response.json({ code: 'not_found' }, { status: 404 });
    return Response.json(details);
  });
});
afterEach(() => {
  details = null;
  applyJobs({ event: 'snapshot', data: { jobs: [] } });
  keepToken(null);
  vi.unstubAllGlobals();
});

const begin = () =>
  runJobs({
    kind: 'copy',
    items: ['a', 'b', 'c'],
    itemOf: (name) => ({ from: `/${name}`, to: `/to/${name}` }),
    note: { name: '', destination: null },
  });
const isFollowed = () =>
  vi.waitFor(() => {
    expect(useJobs.getState().jobs.map(({ id }) => id)).toEqual(['job1']);
    expect(followers.at(-1)?.readyState).toBe(1);
  });

test('what became of each item is told when the job has ended, and the job is forgotten', async () => {
  const outcome = begin();
  await isFollowed();
  expect(followers.at(-1)?.url).toBe('/api/jobs/events');
  details = {
    ...running,
    state: 'done',
    results: [
      { index: 2, path: '/c', to: '/to/c(1)' },
      { index: 0, path: '/a', to: '/to/a' },
      { index: 1, path: '/b', code: 'already_exists' },
    ],
  };
  followers.at(-1)?.send({ event: 'job', data: { ...running, state: 'done' } });
  const { done, failed, left } = await outcome;
  expect(done).toEqual([
    { item: 'a', result: '/to/a' },
    { item: 'c', result: '/to/c(1)' },
  ]);
  expect(failed.map(({ item, error }) => [item, isApiError(error, 'already_exists')])).toEqual([['b', true]]);
  expect(left).toEqual([]);
  expect(requests).toEqual(['POST /api/jobs', 'GET /api/jobs/job1', 'DELETE /api/jobs/job1']);
});

test('an event that comes before the answer to the request is not lost', async () => {
  const outcome = begin();
  details = { ...running, state: 'done', results: [] };
  applyJobs({ event: 'job', data: { ...running, state: 'done' } });
  expect((await outcome).failed.map(({ item }) => item)).toEqual(['a', 'b', 'c']);
});

test('what a stopped job did not come to is left', async () => {
  const outcome = begin();
  await isFollowed();
  details = { ...running, state: 'cancelled', results: [{ index: 0, path: '/a', to: '/to/a' }] };
  followers.at(-1)?.send({ event: 'job', data: { ...running, state: 'cancelled' } });
  expect(await outcome).toMatchObject({ done: [{ item: 'a' }], failed: [], left: ['b', 'c'] });
});

test('a job that a snapshot does not name is sought before it counts as lost', async () => {
  const outcome = begin();
  await isFollowed();
  const end = vi.fn();
  outcome.then(end, end);
  followers.at(-1)?.send({ event: 'snapshot', data: { jobs: [] } });
  await vi.waitFor(() => expect(requests).toContain('GET /api/jobs/job1'));
  expect(end).not.toHaveBeenCalled();
  details = null;
  followers.at(-1)?.send({ event: 'snapshot', data: { jobs: [] } });
  await expect(outcome).rejects.toThrow(RefusedError);
});
