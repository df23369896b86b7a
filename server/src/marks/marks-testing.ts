import { encodePath } from '@filestead/contract/paths/virtual-path';
import type {
  FolderMarks,
  MarkedRow,
  Marks,
  MarksChanged,
  RecentRow,
} from '@filestead/contract/endpoints/marks';
import { expect } from 'vitest';
import type { TestApp } from '../../test/start-app.ts';

/** Requests of one user about marks, and changes of files, on a test server. */
export interface MarksClient {
  readonly token: string;
  marks(): Promise<Marks>;
  /** The paths of the favorites; missing ones end with " (gone)". */
  favorites(): Promise<string[]>;
  /** The paths of the entries with a tag; missing ones end with " (gone)". */
  tagged(tag: string): Promise<string[]>;
  /** The recent entries as "act path". */
  recents(): Promise<string[]>;
  inFolder(folder: string): Promise<FolderMarks['rows']>;
  change(change: object): Promise<MarksChanged['failures']>;
  /** Sends a request and returns its status. */
  status(method: string, path: string, json?: unknown): Promise<number>;
  move(from: string, to: string): Promise<void>;
  /** Deletes an entry and returns its id in the trash. */
  remove(path: string): Promise<string>;
  restore(id: string): Promise<void>;
  upload(path: string): Promise<void>;
}

const textOf = ({ path, gone }: MarkedRow): string => (gone === true ? `${path} (gone)` : path);

/** Signs in as a user of `app`. */
export async function marksClient(app: TestApp, username: string): Promise<MarksClient> {
  const token = await app.signIn(username);
  const send = async (method: string, path: string, json?: unknown): Promise<Response> =>
    app.fetch(path, { method, token, ...(json !== undefined && { json }) });
  const succeed = async (method: string, path: string, json?: unknown): Promise<Response> => {
    const response = await send(method, path, json);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    return response;
  };
  const read = async <T>(path: string): Promise<T> => (await (await succeed('GET', path)).json()) as T;
  const marks = (): Promise<Marks> => read<Marks>('/api/marks');
  return {
    token,
    marks,
    favorites: async () => (await marks()).favorites.map(textOf),
    async tagged(tag) {
      const { rows } = await read<{ rows: MarkedRow[] }>(`/api/marks/tagged?tag=${encodeURIComponent(tag)}`);
      return rows.map(textOf);
    },
    async recents() {
      const { rows } = await read<{ rows: RecentRow[] }>('/api/marks/recents');
      return rows.map((row) => `${row.act} ${textOf(row)}`);
    },
    inFolder: async (folder) => (await read<FolderMarks>(`/api/marks/folder${encodePath(folder)}`)).rows,
    async change(change) {
      const response = await succeed('POST', '/api/marks', change);
      return ((await response.json()) as MarksChanged).failures;
    },
    status: async (method, path, json) => (await send(method, path, json)).status,
    async move(from, to) {
      const destination = encodeURIComponent(encodePath(to));
      await succeed('PATCH', `/api/resources${encodePath(from)}?action=rename&destination=${destination}`);
    },
    async remove(path) {
      const response = await succeed('DELETE', `/api/resources${encodePath(path)}`);
      return response.headers.get('x-trash-item') ?? '';
    },
    async restore(id) {
      await succeed('POST', '/api/trash/restore', { ids: [id] });
    },
    async upload(path) {
      await app.fetch(`/api/resources${encodePath(path)}?override=true`, {
        method: 'POST',
        token,
        body: 'new',
      });
    },
  };
}
