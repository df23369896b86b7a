import type { TrashItem, TrashPage } from '@filestead/contract/endpoints/trash';
import { expect } from 'vitest';
import type { TestApp } from '../../test/start-app.ts';

/** Requests of one user to the trash of a test server. */
export interface TrashClient {
  readonly token: string;
  /** Deletes an entry and returns its id in the trash. */
  remove(path: string): Promise<string>;
  list(query?: string): Promise<TrashPage>;
  /** The names in the trash, the latest deletion first. */
  names(query?: string): Promise<string[]>;
  item(id: string): Promise<TrashItem>;
  status(path: string, method?: string): Promise<number>;
  post(path: string, json: unknown): Promise<Response>;
  /** Restores entries, and returns the path or the error code of each. */
  restore(ids: readonly string[], more?: object): Promise<string[]>;
}

/** Signs in as a user of `app`. */
export async function trashClient(app: TestApp, username: string): Promise<TrashClient> {
  const token = await app.signIn(username);
  const read = async (path: string): Promise<unknown> => {
    const response = await app.fetch(path, { token });
    expect(response.status).toBe(200);
    return response.json();
  };
  const post = (path: string, json: unknown): Promise<Response> =>
    app.fetch(path, { method: 'POST', token, json });
  const list = async (query = ''): Promise<TrashPage> => (await read(`/api/trash${query}`)) as TrashPage;
  return {
    token,
    list,
    post,
    async remove(path) {
      const response = await app.fetch(`/api/resources${path}`, { method: 'DELETE', token });
      expect(response.status).toBe(200);
      const id = response.headers.get('x-trash-item');
      expect(id).toMatch(/^[\w-]{22}$/);
      return id ?? '';
    },
    names: async (query) => (await list(query)).items.map(({ name }) => name),
    item: async (id) => (await read(`/api/trash/${id}`)) as TrashItem,
    status: async (path, method = 'GET') => (await app.fetch(path, { method, token })).status,
    async restore(ids, more = {}) {
      const response = await post('/api/trash/restore', { ids, ...more });
      expect(response.status).toBe(200);
      const { results } = (await response.json()) as { results: { path?: string; error?: string }[] };
      return results.map(({ path, error }) => path ?? error ?? '');
    },
  };
}
