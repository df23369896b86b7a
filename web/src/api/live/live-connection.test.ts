import type { LiveEvent } from '@filestead/contract/endpoints/live';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testJob } from '../test-job.ts';
import { helloTimeoutMs, pollIntervalMs } from './live-connection.ts';
import { LiveHub } from './live-hub.ts';
import type { LiveRequest, LiveUpdate } from './live-messages.ts';

class FakeSource extends EventTarget {
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    sources.push(this);
  }
  send({ event, data }: LiveEvent): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = 2;
  }
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly folders: readonly { path: string; version: string }[];
}

const addresses = { stream: '/api/live', feeds: '/api/live', versions: '/api/live/versions' };
let sources: FakeSource[];
let requests: Sent[];
let respond: (request: Sent) => Response;
let updates: LiveUpdate[];
beforeEach(() => {
  vi.useFakeTimers();
  sources = [];
  requests = [];
  updates = [];
  respond = () => Response.json([]);
});
afterEach(() => vi.useRealTimers());

const openHub = (pausesWhenHidden = false): LiveHub =>
  new LiveHub({
    openEvents: (url) => new FakeSource(url) as unknown as EventSource,
    fetch: async (url, { method = '', body }) => {
      const { folders } = JSON.parse(String(body)) as Pick<Sent, 'folders'>;
      const request = { method, url, folders };
      requests.push(request);
      return respond(request);
    },
    pausesWhenHidden,
  });
function openPage(hub: LiveHub): (request: LiveRequest) => void {
  const send = hub.connect((update) => updates.push(update));
  send({ kind: 'setup', addresses });
  send({ kind: 'token', token: 'token' });
  return send;
}
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const openSources = (): FakeSource[] => sources.filter(({ readyState }) => readyState !== 2);
const sendHello = async (feed: string): Promise<void> => {
  sources.at(-1)?.send({ event: 'hello', data: { feed } });
  await settle();
};

test('one stream serves all pages, with the folders of all', async () => {
  const hub = openHub();
  const [one, two] = [openPage(hub), openPage(hub)];
  one({ kind: 'follow', path: '/a', version: 'at-1' });
  two({ kind: 'follow', path: '/b', version: 'at-2' });
  await sendHello('f1');
  expect(sources).toHaveLength(1);
  expect(requests).toEqual([
    {
      method: 'PUT',
      url: '/api/live/f1',
      folders: [
        { path: '/a', version: 'at-1' },
        { path: '/b', version: 'at-2' },
      ],
    },
  ]);
  one({ kind: 'leave' });
  await settle();
  expect(requests.at(-1)?.folders).toEqual([{ path: '/b', version: 'at-2' }]);
  two({ kind: 'unfollow', path: '/b' });
  expect(openSources()).toEqual([]);
});

test('after a reconnection the latest versions are sent', async () => {
  const send = openPage(openHub());
  send({ kind: 'follow', path: '/a', version: 'at-1' });
  await sendHello('f1');
  sources[0]?.send({ event: 'folder', data: { path: '/a', version: 'x-1', removed: ['b'] } });
  expect(updates).toEqual([{ kind: 'changes', changes: { path: '/a', version: 'x-1', removed: ['b'] } }]);
  sources[0]?.fail(0);
  await sendHello('f2');
  expect(requests.at(-1)).toEqual({
    method: 'PUT',
    url: '/api/live/f2',
    folders: [{ path: '/a', version: 'x-1' }],
  });
});

test('polls versions until the first event arrives', async () => {
  const send = openPage(openHub());
  send({ kind: 'follow', path: '/a', version: 'at-1' });
  respond = () => Response.json([{ path: '/a', version: 'x-1', removed: ['b'], source: 'polling' }]);
  await vi.advanceTimersByTimeAsync(helloTimeoutMs + 1);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /api/live/versions']);
  expect(updates).toEqual([
    { kind: 'source', path: '/a', source: 'polling' },
    { kind: 'changes', changes: { path: '/a', version: 'x-1', removed: ['b'], source: 'polling' } },
  ]);
  await vi.advanceTimersByTimeAsync(pollIntervalMs);
  expect(requests.at(-1)?.folders).toEqual([{ path: '/a', version: 'x-1' }]);
  send({ kind: 'visible', isVisible: false });
  await vi.advanceTimersByTimeAsync(3 * pollIntervalMs);
  expect(requests).toHaveLength(2);
  await sendHello('f1');
  send({ kind: 'visible', isVisible: true });
  await vi.advanceTimersByTimeAsync(3 * pollIntervalMs);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT']);
});

test('opens a refused stream again later, and polls versions meanwhile', async () => {
  const send = openPage(openHub());
  send({ kind: 'follow', path: '/a', version: 'at-1' });
  sources[0]?.fail(2);
  await settle();
  expect(requests.map(({ method }) => method)).toEqual(['POST']);
  expect(sources).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(sources).toHaveLength(2);
});

test('an ended session closes the stream until there is another token', async () => {
  const send = openPage(openHub());
  send({ kind: 'follow', path: '/a', version: 'at-1' });
  await sendHello('f1');
  sources[0]?.send({ event: 'bye', data: { why: 'session' } });
  expect(openSources()).toEqual([]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sources).toHaveLength(1);
  send({ kind: 'token', token: null });
  send({ kind: 'token', token: 'another' });
  expect(sources).toHaveLength(2);
});

test('asks the page to reload a folder that cannot be followed, and reports one that does not exist', async () => {
  const send = openPage(openHub());
  respond = () => Response.json([{ path: '/a', code: 'forbidden' }]);
  send({ kind: 'follow', path: '/a', version: 'at-1' });
  await sendHello('f1');
  const again = { path: '/a', version: '', again: true };
  expect(updates).toEqual([{ kind: 'changes', changes: again }]);
  respond = () => Response.json([{ path: '/a', code: 'not_found' }]);
  sources[0]?.send({ event: 'hello', data: { feed: 'f2' } });
  await vi.waitFor(() =>
    expect(updates.at(-1)).toEqual({ kind: 'changes', changes: { ...again, code: 'not_found' } }),
  );
});

test('a page without a shared worker closes its stream while it is hidden', async () => {
  const send = openPage(openHub(true));
  send({ kind: 'follow', path: '/a', version: 'at-1' });
  expect(openSources()).toHaveLength(1);
  send({ kind: 'visible', isVisible: false });
  expect(openSources()).toEqual([]);
  send({ kind: 'visible', isVisible: true });
  await sendHello('f2');
  expect(requests.at(-1)?.folders).toEqual([{ path: '/a', version: 'at-1' }]);
});

test('events of jobs reach the pages that follow jobs', async () => {
  const hub = openHub();
  openPage(hub)({ kind: 'follow', path: '/a', version: 'at-1' });
  await sendHello('f1');
  sources[0]?.send({ event: 'job_removed', data: { id: 'j' } });
  expect(updates).toEqual([]);
  openPage(hub)({ kind: 'jobs', isFollowed: true });
  sources[0]?.send({ event: 'job_removed', data: { id: 'j' } });
  expect(updates).toEqual([{ kind: 'jobs', event: { event: 'removed', data: { id: 'j' } } }]);
});

test('a page that begins to follow jobs gets those that the open stream has reported', async () => {
  const hub = openHub();
  const page = openPage(hub);
  page({ kind: 'follow', path: '/a', version: 'at-1' });
  await sendHello('f1');
  const [stream] = sources;
  stream?.send({ event: 'jobs', data: { jobs: [testJob({ id: 'old' })] } });
  stream?.send({ event: 'job', data: testJob({ id: 'new' }) });
  stream?.send({ event: 'job_removed', data: { id: 'old' } });
  expect(updates).toEqual([]);
  page({ kind: 'jobs', isFollowed: true });
  expect(updates).toEqual([{ kind: 'jobs', event: { event: 'job', data: testJob({ id: 'new' }) } }]);
});

test('the jobs of a closed stream are forgotten, since the next session may be of another user', async () => {
  const page = openPage(openHub());
  page({ kind: 'follow', path: '/a', version: 'at-1' });
  await sendHello('f1');
  sources[0]?.send({ event: 'job', data: testJob() });
  page({ kind: 'token', token: null });
  page({ kind: 'token', token: 'another' });
  await sendHello('f2');
  page({ kind: 'jobs', isFollowed: true });
  expect(updates).toEqual([]);
});
