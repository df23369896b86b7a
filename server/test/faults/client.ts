import { setTimeout as sleep } from 'node:timers/promises';
import { password } from './real-server.ts';

/** The client of the server, with the same token across restarts. */
export class Client {
  url = '';
  token = '';

  /** Sends a request. Throws unless it succeeds. */
  async call(
    method: string,
    path: string,
    options: {
      body?: Uint8Array | string;
      json?: unknown;
      headers?: Record<string, string>;
      token?: string;
    } = {},
  ): Promise<Response> {
    const response = await this.send(method, path, options);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Sends a request, and resolves to the response whatever its status is. */
  send(
    method: string,
    path: string,
    {
      body,
      json,
      headers = {},
      token = this.token,
    }: { body?: Uint8Array | string; json?: unknown; headers?: Record<string, string>; token?: string } = {},
  ): Promise<Response> {
    const content = json === undefined ? body : JSON.stringify(json);
    return fetch(`${this.url}/api${path}`, {
      method,
      ...(content === undefined ? {} : { body: content as string }),
      headers: {
        'x-auth': token,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
  }

  async json<T>(path: string): Promise<T> {
    return (await (await this.call('GET', path)).json()) as T;
  }

  async signIn(username = 'admin', secret = password): Promise<string> {
    return (await this.call('POST', '/login', { json: { username, password: secret }, token: '' })).text();
  }

  /** Starts a job and waits for its end. */
  async job(kind: 'copy' | 'move' | 'delete', items: readonly object[]): Promise<void> {
    const job = (await (await this.call('POST', '/jobs', { json: { kind, items } })).json()) as {
      id: string;
    };
    for (;;) {
      const { state, failures } = await this.json<{ state: string; failures: unknown[] }>(`/jobs/${job.id}`);
      if (state === 'done' && failures.length === 0) return;
      if (state !== 'queued' && state !== 'running') throw new Error(`the job ended as ${state}`);
      await sleep(10);
    }
  }
}

/** Waits until no job runs. Resolves to the ids of all jobs, the newest first. */
export async function settleJobs(client: Client): Promise<string[]> {
  for (;;) {
    const jobs = await client.json<{ id: string; state: string }[]>('/jobs');
    if (jobs.every(({ state }) => state !== 'queued' && state !== 'running')) return jobs.map(({ id }) => id);
    await sleep(10);
  }
}
