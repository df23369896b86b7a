import type { Version, VersionPage } from '@filestead/contract/endpoints/versions';
import { expect } from 'vitest';
import type { TestApp } from '../../test/start-app.ts';

/** Requests of one user to the versions of a test server. */
export interface VersionClient {
  readonly token: string;
  /** Replaces the content of a file. */
  save(path: string, text: string): Promise<void>;
  send(method: string, path: string, json?: unknown): Promise<Response>;
  status(method: string, path: string, json?: unknown): Promise<number>;
  list(path: string, query?: string): Promise<VersionPage>;
  /** The contents of the versions of a file, the latest first. */
  texts(path: string): Promise<string[]>;
  /** The content of the version with this id. */
  text(id: string): Promise<string>;
  /** The version of a file at a position, by default the latest. */
  version(path: string, position?: number): Promise<Version>;
}

/** Signs in as a user of `app`. */
export async function versionClient(app: TestApp, username: string): Promise<VersionClient> {
  const token = await app.signIn(username);
  const send = (method: string, path: string, json?: unknown): Promise<Response> =>
    app.fetch(path, { method, token, ...(json === undefined ? {} : { json }) });
  const list = async (path: string, query = ''): Promise<VersionPage> => {
    const response = await send('GET', `/api/versions/list${path}${query}`);
    expect(response.status).toBe(200);
    return (await response.json()) as VersionPage;
  };
  const text = async (id: string): Promise<string> => {
    const response = await send('GET', `/api/versions/raw/${id}`);
    expect(response.status).toBe(200);
    return response.text();
  };
  return {
    token,
    send,
    list,
    text,
    status: async (method, path, json) => (await send(method, path, json)).status,
    async save(path, content) {
      const response = await app.fetch(`/api/resources${path}`, { method: 'PUT', token, body: content });
      expect(response.status).toBe(200);
    },
    texts: async (path) => Promise.all((await list(path)).versions.map(({ id }) => text(id))),
    async version(path, position = 0) {
      const found = (await list(path)).versions[position];
      if (found === undefined) throw new Error(`${path} has no version ${position}`);
      return found;
    },
  };
}
