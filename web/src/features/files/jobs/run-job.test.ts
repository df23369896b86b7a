import type { Job, JobDetails } from '@filestead/contract/jobs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isApiError } from '../../../api/call.ts';
import { testJob } from '../../../api/test-job.ts';
import { storeToken } from '../../../api/token-store.ts';
import { RefusedError } from '../feedback/failure.ts';
import { applyJobs } from './follow-jobs.ts';
import { useJobs } from './job-store.ts';
import { runJobs } from './run-job.ts';

const running = testJob();

/** The response of the stubbed server; `null` means that it has forgotten the job. */
let details: JobDetails | null = null;
/** The jobs of the stubbed server as its list contains them. */
let listed: Job[] = [];
let requests: string[] = [];
/** The event streams that the page has opened. One serves all jobs. */
const streams: FakeEventSource[] = [];

/** An event stream of the browser, without a server. */
class FakeEventSource extends EventTarget {
  readyState = 1;
  constructor() {
    super();
    streams.push(this);
  }
  close(): void {
    this.readyState = 2;
  }
}
/** Sends an event of the server to the open stream. */
function send(event: 'job' | 'jobs', data: object): void {
  streams.at(-1)?.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
}

beforeEach(() => {
  vi.stubGlobal('EventSource', FakeEventSource);
  storeToken('token');
  details = { ...running, results: [] };
  listed = [running];
  requests = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(url, 'http://server');
    // Jobs are also requested when no event arrives for a second.
    if (method === 'GET' && pathname === '/api/jobs') return Response.json(listed);
    requests.push(`${method} ${pathname}`);
    if (method === 'POST') return Response.json(running, { status: 202 });
    if (method === 'DELETE') return new Response('200 OK');
    if (details === null) return Response.json({ code: 'not_found' }, { status: 404 });
    return Response.json(details);
  });
});
afterEach(() => {
  details = null;
  applyJobs({ event: 'snapshot', data: { jobs: [] } });
  storeToken(null);
  vi.unstubAllGlobals();
});

const startJob = () =>
  runJobs({
    kind: 'copy',
    items: ['a', 'b', 'c'],
    itemOf: (name) => ({ from: `/${name}`, to: `/to/${name}` }),
    note: { name: '', destination: null },
  });
const waitUntilFollowed = () =>
  vi.waitFor(() => {
    expect(useJobs.getState().jobs.map(({ id }) => id)).toEqual(['job1']);
    expect(streams.at(-1)?.readyState).toBe(1);
  });

test('returns the result of each item when the job has ended, and forgets the job', async () => {
  const outcome = startJob();
  await waitUntilFollowed();
  details = {
    ...running,
    state: 'done',
    results: [
      { index: 2, path: '/c', to: '/to/c(1)' },
      { index: 0, path: '/a', to: '/to/a' },
      { index: 1, path: '/b', code: 'already_exists' },
    ],
  };
  send('job', { ...running, state: 'done' });
  const { done, failed, unprocessed } = await outcome;
  expect(done).toEqual([
    { item: 'a', result: '/to/a' },
    { item: 'c', result: '/to/c(1)' },
  ]);
  expect(failed.map(({ item, error }) => [item, isApiError(error, 'already_exists')])).toEqual([['b', true]]);
  expect(unprocessed).toEqual([]);
  expect(requests).toEqual(['POST /api/jobs', 'GET /api/jobs/job1', 'DELETE /api/jobs/job1']);
});

test('handles an event that arrives before the response to the request', async () => {
  const outcome = startJob();
  details = { ...running, state: 'done', results: [] };
  applyJobs({ event: 'job', data: { ...running, state: 'done' } });
  expect((await outcome).failed.map(({ item }) => item)).toEqual(['a', 'b', 'c']);
});

test('learns within a second of an end that no event reports', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const outcome = startJob();
    await vi.advanceTimersByTimeAsync(999);
    details = { ...running, state: 'done', results: [{ index: 0, path: '/a', to: '/to/a' }] };
    listed = [{ ...running, state: 'done' }];
    expect(requests).toEqual(['POST /api/jobs']);
    await vi.advanceTimersByTimeAsync(1);
    expect((await outcome).done).toEqual([{ item: 'a', result: '/to/a' }]);
  } finally {
    vi.useRealTimers();
  }
});

test('leaves the items that a stopped job did not reach', async () => {
  const outcome = startJob();
  await waitUntilFollowed();
  details = { ...running, state: 'cancelled', results: [{ index: 0, path: '/a', to: '/to/a' }] };
  send('job', { ...running, state: 'cancelled' });
  expect(await outcome).toMatchObject({ done: [{ item: 'a' }], failed: [], unprocessed: ['b', 'c'] });
});

test('looks up a job that is missing in a snapshot before reporting it lost', async () => {
  const outcome = startJob();
  await waitUntilFollowed();
  const end = vi.fn();
  outcome.then(end, end);
  send('jobs', { jobs: [] });
  await vi.waitFor(() => expect(requests).toContain('GET /api/jobs/job1'));
  expect(end).not.toHaveBeenCalled();
  details = null;
  send('jobs', { jobs: [] });
  await expect(outcome).rejects.toThrow(RefusedError);
});
