import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Operation, OperationPage, UndoReport } from '@filestead/contract/endpoints/operations';
import type { Job, JobDetails } from '@filestead/contract/jobs';
import { expect } from 'vitest';
import type { TestApp } from '../../test/start-app.ts';

/** Requests of one user to the log of operations of a test server. */
export interface HistoryClient {
  readonly token: string;
  /** Sends a request that has to succeed, and returns the id of its operation. */
  act(method: string, path: string, options?: { body?: string; json?: unknown }): Promise<string>;
  upload(path: string, body: string): Promise<string>;
  save(path: string, body: string): Promise<string>;
  move(from: string, to: string, more?: string): Promise<string>;
  copy(from: string, to: string, more?: string): Promise<string>;
  remove(path: string): Promise<string>;
  list(query?: string): Promise<OperationPage>;
  /** The operations as `kind path`, the latest first. */
  lines(query?: string): Promise<string[]>;
  find(id: string): Promise<Operation | undefined>;
  check(id: string): Promise<UndoReport>;
  undo(id: string): Promise<UndoReport>;
  /** The status and the error code of an undo that fails. */
  refusal(id: string, query?: string): Promise<string>;
  post(path: string, json?: unknown): Promise<Response>;
  /** Waits for the end of a job. */
  ended(job: Job): Promise<JobDetails>;
}

/** Signs in as a user of `app`. */
export async function historyClient(app: TestApp, username: string): Promise<HistoryClient> {
  const token = await app.signIn(username);
  const accept = { accept: 'application/json' };
  const post = (path: string, json: unknown = undefined): Promise<Response> =>
    app.fetch(path, { method: 'POST', token, headers: accept, ...(json === undefined ? {} : { json }) });
  const act: HistoryClient['act'] = async (method, path, { body, json } = {}) => {
    const response = await app.fetch(path, {
      method,
      token,
      headers: accept,
      ...(body === undefined ? {} : { body }),
      ...(json === undefined ? {} : { json }),
    });
    expect([response.status, response.ok ? '' : await response.clone().text()]).toEqual([200, '']);
    await response.arrayBuffer();
    const id = response.headers.get('x-operation') ?? '';
    expect(id).toMatch(/^[\w-]{22}$/);
    return id;
  };
  const transfer = (action: string, from: string, to: string, more = ''): Promise<string> =>
    act('PATCH', `/api/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`);
  const read = async (path: string): Promise<unknown> => {
    const response = await app.fetch(path, { token });
    expect(response.status).toBe(200);
    return response.json();
  };
  const list = async (query = ''): Promise<OperationPage> =>
    (await read(`/api/operations${query}`)) as OperationPage;
  const undo = async (id: string, query = ''): Promise<UndoReport> => {
    const response = await post(`/api/operations/${id}/undo${query}`);
    expect([response.status, response.ok ? '' : await response.clone().text()]).toEqual([200, '']);
    return (await response.json()) as UndoReport;
  };
  return {
    token,
    act,
    post,
    list,
    upload: (path, body) => act('POST', `/api/resources${path}?override=true`, { body }),
    save: (path, body) => act('PUT', `/api/resources${path}`, { body }),
    move: (from, to, more) => transfer('rename', from, to, more),
    copy: (from, to, more) => transfer('copy', from, to, more),
    remove: (path) => act('DELETE', `/api/resources${path}`),
    lines: async (query) => (await list(query)).items.map(({ kind, path }) => `${kind} ${path}`),
    find: async (id) => (await list()).items.find((operation) => operation.id === id),
    check: (id) => undo(id, '?check=true'),
    undo: (id) => undo(id),
    async refusal(id, query = '') {
      const response = await post(`/api/operations/${id}/undo${query}`);
      const { code } = (await response.json()) as { code: string };
      return `${response.status} ${code}`;
    },
    async ended({ id }) {
      for (;;) {
        const job = (await read(`/api/jobs/${id}`)) as JobDetails;
        if (job.endedAt !== null) return job;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/** Files of a served folder on the disk. */
export interface ServedFiles {
  plant(name: string, content?: string): void;
  /** The content of a file; `null` if it does not exist. */
  content(name: string): string | null;
  /** All paths below a folder with the contents of files, without stores; folders end with a slash. */
  tree(name: string): Record<string, string>;
}

/** Accesses the served folder of `app`. */
export function servedFiles(app: Pick<TestApp, 'root'>): ServedFiles {
  const at = (name: string): string => join(app.root, name);
  const collect = (folder: string, prefix: string, found: Record<string, string>): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === '.filestead-trash') continue;
      const path = `${prefix}/${entry.name}`;
      if (entry.isDirectory()) {
        found[`${path}/`] = '';
        collect(join(folder, entry.name), path, found);
      } else found[path] = readFileSync(join(folder, entry.name), 'utf8');
    }
  };
  return {
    plant(name, content = name) {
      if (name.endsWith('/')) return void mkdirSync(at(name), { recursive: true });
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
    },
    content: (name) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null),
    tree(name) {
      const found: Record<string, string> = {};
      collect(at(name), '', found);
      return found;
    },
  };
}
