import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { User } from '@filestead/contract/users';
import { maxFavorites, maxMarkedAtOnce, maxTagsPerEntry } from '@filestead/contract/values/limits';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';
import { randomOf } from '../../test/random.ts';
import { type MarksClient, marksClient } from './marks-testing.ts';

/** Changes fields of a user as an administrator. */
async function changeUser(app: TestApp, token: string, username: string, data: Partial<User>): Promise<void> {
  const users = (await (await app.fetch('/api/users', { token })).json()) as User[];
  const id = users.find((user) => user.username === username)?.id ?? 0;
  const json = { what: 'user', which: Object.keys(data), data: { id, ...data } };
  expect((await app.fetch(`/api/users/${id}`, { method: 'PUT', token, json })).status).toBe(200);
}

const deny = (path: string): User['rules'][number] => ({ regex: false, allow: false, path, regexp: null });

describe('a user who loses the permission to list a marked entry', () => {
  let app: TestApp;
  let bob: MarksClient;
  let admin: MarksClient;
  beforeEach(async () => {
    app = await startApp({
      files: { 'docs/plan.txt': 'plan', 'docs/.hidden.txt': 'hidden', 'secret/target.txt': 'target' },
      users: [{ username: 'bob' }],
    });
    bob = await marksClient(app, 'bob');
    admin = await marksClient(app, 'admin');
  });
  afterEach(() => app.close());

  /** All marks that the user can see, as texts. */
  const everything = async (): Promise<string[]> => [
    ...(await bob.favorites()),
    ...(await bob.tagged('t')),
    ...(await bob.recents()),
  ];
  const mark = async (path: string): Promise<void> => {
    expect(await bob.change({ paths: [path], favorite: true, addTags: ['t'] })).toEqual([]);
    expect(await bob.status('POST', '/api/marks/recents', { paths: [path] })).toBe(200);
    expect(await everything()).toEqual([path, path, `opened ${path}`]);
  };

  test('sees no new name after a rule denies its folder and another user renames it', async () => {
    await mark('/docs/plan.txt');
    await changeUser(app, admin.token, 'bob', { rules: [deny('/docs')] });
    await admin.move('/docs/plan.txt', '/docs/canary.txt');
    expect(await everything()).toEqual([]);
    expect(await bob.status('GET', '/api/marks/folder/docs')).toBe(403);
    const id = await admin.remove('/docs/canary.txt');
    expect(await everything()).toEqual([]);
    await admin.restore(id);
    await changeUser(app, admin.token, 'bob', { rules: [] });
    expect(await bob.favorites()).toEqual(['/docs/canary.txt']);
  });

  test('sees nothing of an entry that a rule allows below a denied folder', async () => {
    await mark('/docs/plan.txt');
    const allow = { ...deny('/docs/plan.txt'), allow: true };
    await changeUser(app, admin.token, 'bob', { rules: [deny('/docs'), allow] });
    expect(await everything()).toEqual([]);
    await changeUser(app, admin.token, 'bob', { rules: [allow] });
    expect(await bob.favorites()).toEqual(['/docs/plan.txt']);
  });

  test('sees nothing of it in another scope, and nothing of hidden names', async () => {
    await mark('/docs/.hidden.txt');
    await changeUser(app, admin.token, 'bob', { hideDotfiles: true });
    expect(await everything()).toEqual([]);
    await changeUser(app, admin.token, 'bob', { hideDotfiles: false, scope: '/secret' });
    bob = await marksClient(app, 'bob');
    expect(await everything()).toEqual([]);
  });

  test('sees nothing of a link whose target is denied', async () => {
    await symlink('../secret/target.txt', join(app.root, 'docs/link.txt'));
    await mark('/docs/link.txt');
    await changeUser(app, admin.token, 'bob', { rules: [deny('/secret')] });
    expect(await everything()).toEqual([]);
    expect(await bob.inFolder('/docs')).toEqual([]);
  });

  test('gets the same response for a denied entry and for a denied name that does not exist', async () => {
    await changeUser(app, admin.token, 'bob', { rules: [deny('/secret')] });
    for (const change of [{ favorite: true }, { addTags: ['x'] }, { favorite: false }]) {
      const [real, none] = await Promise.all(
        ['/secret/target.txt', '/secret/none.txt'].map(async (path) =>
          (await bob.change({ paths: [path], ...change })).map(({ code }) => code),
        ),
      );
      expect(real).toEqual(none);
    }
    expect(await everything()).toEqual([]);
  });

  test('loses all marks with the account', async () => {
    await mark('/docs/plan.txt');
    await bob.status('POST', '/api/marks/recents', { paths: ['/docs/plan.txt'] });
    const users = (await (await app.fetch('/api/users', { token: admin.token })).json()) as User[];
    const id = users.find(({ username }) => username === 'bob')?.id ?? 0;
    expect(await admin.status('DELETE', `/api/users/${id}`)).toBe(200);
    app.clock.advance(5_000);
    await app.createUser({ username: 'bob', password: testPassword });
    bob = await marksClient(app, 'bob');
    expect(await everything()).toEqual([]);
    expect((await bob.marks()).tags).toEqual([]);
    expect(app.log.filter((line) => line.includes('could not be stored'))).toEqual([]);
  });
});

test('random users with random rules see no marked name that a current listing would not show', async () => {
  const random = randomOf(11);
  const folders = ['/one', '/one/.two', '/one/three', '/four'];
  const files = folders.flatMap((folder) => ['a.txt', '.b.txt', 'c.txt'].map((name) => `${folder}/${name}`));
  const app = await startApp({
    files: Object.fromEntries(files.map((path) => [path.slice(1), path])),
    users: Array.from({ length: 6 }, (_, i) => ({ username: `user-${i}` })),
  });
  try {
    const admin = await marksClient(app, 'admin');
    let current = [...files];
    for (let i = 0; i < 6; i++) {
      const user = await marksClient(app, `user-${i}`);
      await user.change({ paths: [...current, '/one', '/four'], favorite: true, addTags: ['t'] });
      await user.status('POST', '/api/marks/recents', { paths: current });
      await user.recents();
      const rules = Array.from({ length: random.below(3) + 1 }, () =>
        random.below(4) === 0
          ? { ...deny(''), regex: true, regexp: { raw: 'c\\.txt$' } }
          : deny(random.pick(folders)),
      );
      await changeUser(app, admin.token, `user-${i}`, { rules, hideDotfiles: random.below(2) === 0 });
      const from = random.pick(current);
      const to = from.replace(/[^/]+$/, `canary-${i}.txt`);
      await admin.move(from, to);
      current = current.map((path) => (path === from ? to : path));
      const listed = new Set<string>();
      for (const folder of ['/', ...folders]) {
        const response = await app.fetch(`/api/resources${folder}/`, { token: user.token });
        if (response.status !== 200) continue;
        const { items } = (await response.json()) as { items: { name: string }[] };
        for (const { name } of items) listed.add(folder === '/' ? `/${name}` : `${folder}/${name}`);
      }
      const marked = [...current, '/one', '/four'];
      const expected = marked.filter((path) => isReachable(path, listed)).sort();
      expect((await user.favorites()).sort()).toEqual(expected);
      expect((await user.tagged('t')).sort()).toEqual(expected);
      const recents = (await user.recents()).map((text) => text.replace('opened ', '')).sort();
      expect(recents).toEqual(expected.filter((path) => path.endsWith('.txt')));
    }
  } finally {
    await app.close();
  }
});

/** Whether listings from the root down to a path show it. */
const isReachable = (path: string, listed: ReadonlySet<string>): boolean => {
  const parts = path.slice(1).split('/');
  return parts.every((_, i) => listed.has(`/${parts.slice(0, i + 1).join('/')}`));
};

describe('bad input', () => {
  let app: TestApp;
  let user: MarksClient;
  beforeAll(async () => {
    app = await startApp({ files: { 'a.txt': 'a' }, users: [{ username: 'user' }] });
    user = await marksClient(app, 'user');
  });
  afterAll(() => app.close());

  test.each<[title: string, method: string, path: string, body: unknown, status: number]>([
    ['no paths', 'POST', '/api/marks', { paths: [], favorite: true }, 400],
    ['too many paths', 'POST', '/api/marks', { paths: Array(maxMarkedAtOnce + 1).fill('/a.txt') }, 400],
    ['a path without a slash', 'POST', '/api/marks', { paths: ['a.txt'], favorite: true }, 400],
    ['a path that climbs', 'POST', '/api/marks', { paths: ['/../a.txt'], favorite: true }, 400],
    ['a path with NUL', 'POST', '/api/marks', { paths: ['/a\0.txt'], favorite: true }, 400],
    ['a body that is too large', 'POST', '/api/marks', { paths: ['/'.padEnd(2 ** 20, 'x')] }, 413],
    ['an empty tag', 'POST', '/api/marks', { paths: ['/a.txt'], addTags: ['  '] }, 400],
    ['a tag that is too long', 'POST', '/api/marks', { paths: ['/a.txt'], addTags: ['x'.repeat(65)] }, 400],
    ['a tag with a line break', 'POST', '/api/marks', { paths: ['/a.txt'], addTags: ['a\nb'] }, 400],
    [
      'a tag that changes the direction of the text',
      'POST',
      '/api/marks',
      { paths: ['/a.txt'], addTags: ['a\u202eb'] },
      400,
    ],
    ['a tag with a lone surrogate', 'POST', '/api/marks', { paths: ['/a.txt'], addTags: ['\ud800'] }, 400],
    ['a list without a tag', 'GET', '/api/marks/tagged', undefined, 400],
    ['marks of a file as a folder', 'GET', '/api/marks/folder/a.txt', undefined, 409],
    ['marks of a missing folder', 'GET', '/api/marks/folder/none', undefined, 404],
    ['a switch that is not a boolean', 'PUT', '/api/marks/recents', { on: 'yes' }, 400],
    ['no opened paths', 'POST', '/api/marks/recents', { paths: [] }, 400],
    [
      'an order that is too long',
      'PUT',
      '/api/marks/favorites',
      { paths: Array(maxFavorites + 1).fill('/a') },
      400,
    ],
  ])('refuses %s', async (_title, method, path, body, status) => {
    expect(await user.status(method, path, body)).toBe(status);
  });

  test('reports entries that cannot be marked one by one', async () => {
    const failures = await user.change({ paths: ['/', '/none', '/a.txt/b', '/a.txt'], favorite: true });
    expect(failures).toEqual([
      { path: '/', code: 'root_is_protected' },
      { path: '/none', code: 'not_found' },
      { path: '/a.txt/b', code: 'not_found' },
    ]);
    expect(await user.favorites()).toEqual(['/a.txt']);
  });

  test('stores nothing when an entry would have too many tags', async () => {
    const tags = (from: number, count: number): string[] =>
      Array.from({ length: count }, (_, i) => `tag ${from + i}`);
    expect(await user.status('POST', '/api/marks', { paths: ['/a.txt'], addTags: tags(0, 20) })).toBe(200);
    expect(
      await user.status('POST', '/api/marks', { paths: ['/a.txt'], addTags: tags(20, maxTagsPerEntry) }),
    ).toBe(409);
    expect((await user.inFolder('/'))[0]?.tags).toEqual(tags(0, 20));
  });

  test('answers marks without a session with 401', async () => {
    for (const path of ['/api/marks', '/api/marks/recents', '/api/marks/tagged?tag=x', '/api/marks/folder/'])
      expect((await app.fetch(path)).status).toBe(401);
  });
});
