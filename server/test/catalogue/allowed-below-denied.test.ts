import type { ContentResult } from '@filestead/contract/endpoints/contents';
import type { DuplicatesResult } from '@filestead/contract/endpoints/duplicates';
import type { User } from '@filestead/contract/users';
import type { VersionPage } from '@filestead/contract/endpoints/versions';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MarksClient, marksClient } from '../../src/marks/marks-testing.ts';
import { type TrashClient, trashClient } from '../../src/trash/trash-testing.ts';
import { type HistoryClient, historyClient } from '../fixtures/history-testing.ts';
import { jobsClient } from '../fixtures/jobs-client.ts';
import { type CatalogueApp, startCatalogueApp, until } from './catalogue-app.ts';

/** The rules of the user, whose files existed before. */
const pathRule = (path: string, allow: boolean): User['rules'][number] => ({
  regex: false,
  allow,
  path,
  regexp: null,
});
const rules = [
  pathRule('/private', false),
  pathRule('/private/open', true),
  pathRule('/private/one.txt', true),
];

let app: CatalogueApp;
let token: string;
let trash: TrashClient;
let marks: MarksClient;
let history: HistoryClient;
/** Entries in the trash. */
let deletedInOpen: string;
let deletedOne: string;

const get = async <T>(path: string): Promise<T> => {
  const response = await app.fetch(path, { token });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return (await response.json()) as T;
};
const found = async (folder: string, query: string): Promise<string[]> =>
  (await app.find(token, folder, query)).rows.map(({ path }) => path).sort();

describe('an entry that a rule allows below a denied folder', () => {
  beforeAll(async () => {
    app = await startCatalogueApp({
      files: {
        'public/copy.txt': 'the canary',
        'private/one.txt': 'the canary',
        'private/gone.txt': 'x',
        'private/open/two.txt': 'the canary',
        'private/open/three.txt': 'the canary',
        'private/open/removed.txt': 'y',
        'private/open/below/four.txt': 'four',
      },
      users: [{ username: 'bob' }],
      config: { contentSearch: 'on' },
    });
    marks = await marksClient(app, 'bob');
    trash = await trashClient(app, 'bob');
    history = await historyClient(app, 'bob');
    await history.save('/private/one.txt', 'the canary of today');
    await history.save('/private/one.txt', 'the canary');
    await history.move('/private/open/below/four.txt', '/private/open/below/4.txt');
    deletedInOpen = await trash.remove('/private/open/removed.txt');
    await history.move('/private/gone.txt', '/private/one-more.txt');
    await history.move('/private/one-more.txt', '/private/open/one-more.txt');
    deletedOne = await trash.remove('/private/open/one-more.txt');
    const paths = ['/private/one.txt', '/private/open', '/private/open/two.txt'];
    expect(await marks.change({ paths, favorite: true, addTags: ['t'] })).toEqual([]);
    expect(await marks.status('POST', '/api/marks/recents', { paths })).toBe(200);
    const admin = await app.signIn('admin');
    const users = (await (await app.fetch('/api/users', { token: admin })).json()) as User[];
    const id = users.find(({ username }) => username === 'bob')?.id;
    const json = { what: 'user', which: ['rules'], data: { id, rules } };
    expect((await app.fetch(`/api/users/${id}`, { method: 'PUT', token: admin, json })).status).toBe(200);
    token = marks.token;
    await app.waitUntilBuilt();
    app.clock.advance(5_000);
    await until(async () => (await get<ContentResult>('/api/contents/?query=x')).percent === 100);
    return () => app.close();
  });

  it('can be opened by its address', async () => {
    const statusOf = async (path: string): Promise<number> => (await app.fetch(path, { token })).status;
    expect(await statusOf('/api/raw/private/one.txt')).toBe(200);
    expect(await statusOf('/api/resources/private/open')).toBe(200);
    expect(await statusOf('/api/resources/private')).toBe(403);
  });

  it('is in no search from the root, and in those of an allowed folder', async () => {
    expect(await found('/', 'query=')).toEqual(['public', 'public/copy.txt']);
    expect(await found('/', 'query=tag:t')).toEqual([]);
    expect(await found('/', 'query=&sort=size')).toEqual(['public', 'public/copy.txt']);
    expect(await found('/private/open', 'query=')).toEqual(['below', 'below/4.txt', 'three.txt', 'two.txt']);
    expect(await found('/private/open', 'query=tag:t')).toEqual(['two.txt']);
    const contents = async (folder: string): Promise<string[]> =>
      (await get<ContentResult>(`/api/contents${folder}?query=canary`)).rows.map(({ path }) => path).sort();
    expect(await contents('/')).toEqual(['public/copy.txt']);
    expect(await contents('/private/open')).toEqual(['three.txt', 'two.txt']);
  });

  it('is in no total and no map from the root', async () => {
    const { self, rows } = await app.totals(token, '/');
    expect([self?.files, self?.folders, rows.map(({ name }) => name)]).toEqual([1, 1, ['public']]);
    const map = await app.map(token, '/', 'depth=4');
    expect(map.rows.map(({ path }) => path).sort()).toEqual(['public', 'public/copy.txt']);
    expect((await app.totals(token, '/private/open')).self).toMatchObject({ files: 3, folders: 1 });
  });

  it('is no duplicate in the root, but in its folder', async () => {
    const groupsIn = async (from: string): Promise<string[][]> => {
      const job = await jobsClient(app, token).run({ kind: 'duplicates', items: [{ from }] });
      const { groups } = await get<DuplicatesResult>(`/api/jobs/duplicates/${job.id}`);
      return groups.map(({ files }) => files.map(({ path }) => path).sort());
    };
    expect(await groupsIn('/')).toEqual([]);
    expect(await groupsIn('/private/open')).toEqual([['/private/open/three.txt', '/private/open/two.txt']]);
  });

  it('is no favorite, tagged or recent entry, and cannot become one', async () => {
    expect([await marks.favorites(), await marks.tagged('t'), await marks.recents()]).toEqual([[], [], []]);
    expect((await marks.inFolder('/private/open')).map(({ name }) => name)).toEqual(['two.txt']);
    expect(await marks.change({ paths: ['/private/one.txt'], favorite: true })).toEqual([
      { path: '/private/one.txt', code: 'forbidden' },
    ]);
  });

  it('is not in the trash, except below an allowed folder, and can be restored by its id', async () => {
    expect(await trash.names()).toEqual([]);
    expect((await trash.list()).total).toBe(0);
    expect(await trash.names('?below=/private')).toEqual([]);
    expect(await trash.names('?below=/private/open')).toEqual(['one-more.txt', 'removed.txt']);
    expect((await trash.item(deletedOne)).path).toBe('/private/open/one-more.txt');
    expect(await trash.restore([deletedOne])).toEqual(['/private/open/one-more.txt']);
    expect(await trash.restore([deletedInOpen], { to: '/public', conflict: 'skip' })).toEqual([
      '/public/removed.txt',
    ]);
  });

  it('is not in the history, except in that of an allowed entry, and can be changed back by its operation', async () => {
    const fromRoot = ['restore /public/removed.txt'];
    expect(await history.lines()).toEqual(fromRoot);
    expect(await history.lines('?below=/private')).toEqual([]);
    expect(await history.lines('?below=/private/open')).toEqual([
      'restore /private/open/one-more.txt',
      'delete /private/open/one-more.txt',
      'move /private/open/one-more.txt',
      'delete /private/open/removed.txt',
      'move /private/open/below/4.txt',
    ]);
    expect(await history.lines('?of=/private/one.txt')).toEqual([
      'save /private/one.txt',
      'save /private/one.txt',
    ]);
    const open = await history.list('?below=/private/open');
    const restoration = open.items[0]?.id ?? '';
    expect((await history.undo(restoration)).undone).toBe(1);
    expect(await trash.names('?below=/private/open')).toEqual(['one-more.txt']);
  });

  it('has its versions', async () => {
    const { versions, total } = await get<VersionPage>('/api/versions/list/private/one.txt');
    expect([versions.length, total]).toEqual([2, 2]);
    expect((await app.fetch(`/api/versions/raw/${versions[0]?.id}`, { token })).status).toBe(200);
  });
});
