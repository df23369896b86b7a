import type { Stage, Sender } from './stage.ts';

/** A request: its method, target and body. */
export interface FileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly json?: unknown;
}

const get = (target: string, headers: FileRequest['headers'] = {}): FileRequest => ({
  method: 'GET',
  target,
  headers,
});

/** Every request that reads something of the file at `path` (raw, from the scope). */
export const readRequests = (path: string): readonly FileRequest[] => [
  get(`/api/resources${path}`),
  get(`/api/resources${path}`, { Accept: 'application/x-ndjson' }),
  get(`/api/resources${path}?checksum=sha256`),
  get(`/api/resources${path}`, { 'X-Encoding': 'true' }),
  get(`/api/raw${path}`),
  get(`/api/raw${path}?inline=true`),
  get(`/api/raw${path}`, { Range: 'bytes=0-3' }),
  { method: 'HEAD', target: `/api/raw${path}` },
  get(`/api/raw/?files=${encodeURIComponent(path.slice(1))}&algo=tar`),
  get(`/api/preview/thumb${path}`),
  get(`/api/preview/big${path}?inline=true`),
  get(`/api/subtitle${path}`),
  get(`/api/usage${path}`),
  get(`/api/recursive${path}`),
  get(`/api/search${path}?query=txt`),
  { method: 'POST', target: `/api/share${path}`, json: {} },
  { method: 'POST', target: '/api/archives', json: { paths: [decodeURIComponent(path)] } },
];

/** Every request that changes the file at `path`. `from` is another file of the user. */
export const writeRequests = (path: string, from = '/b.txt'): readonly FileRequest[] => [
  { method: 'POST', target: `/api/resources${path}`, body: 'x' },
  { method: 'POST', target: `/api/resources${path}?override=true`, body: 'x' },
  { method: 'POST', target: `/api/resources${path}/` },
  { method: 'PUT', target: `/api/resources${path}`, body: 'x' },
  { method: 'PATCH', target: `/api/resources${from}?action=copy&destination=${path}&override=true` },
  { method: 'PATCH', target: `/api/resources${from}?action=rename&destination=${path}&override=true` },
  { method: 'PATCH', target: `/api/resources${path}?action=copy&destination=/copied.txt` },
  { method: 'POST', target: `/api/tus${path}?override=true`, headers: { 'Upload-Length': '1' } },
];

/** Sends `requests` one after the other and returns their statuses. */
export async function statusesOf(
  stage: Stage,
  who: Sender,
  requests: readonly FileRequest[],
): Promise<number[]> {
  const statuses: number[] = [];
  for (const { method, target, ...sent } of requests)
    statuses.push(await stage.status(who, method, target, sent));
  return statuses;
}

/** The expected status of a request. */
export type ExpectedStatus = number | ((request: FileRequest) => number);

/** Sends `requests` and returns those with another status than the expected one, together with the status. */
export async function unexpectedStatuses(
  stage: Stage,
  who: Sender,
  requests: readonly FileRequest[],
  expected: ExpectedStatus,
): Promise<string[]> {
  const statuses = await statusesOf(stage, who, requests);
  return requests.flatMap((request, index) => {
    const status = statuses[index] ?? 0;
    const isExpected = status === (typeof expected === 'number' ? expected : expected(request));
    return isExpected ? [] : [`${request.method} ${request.target} ${status}`];
  });
}
