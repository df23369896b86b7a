import type { Settings } from '@filestead/contract/settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startApp({
    files: { 'docs/a.txt': 'a', 'docs/open/b.txt': 'b', 'docs2/c.txt': 'c', 'x.key': 'k' },
  });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const read = async (): Promise<Settings> =>
  (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
const save = (settings: unknown): Promise<Response> =>
  app.fetch('/api/settings', { method: 'PUT', token: admin, json: settings });

test('a fresh installation has these settings, and no key among them', async () => {
  const settings = await read();
  expect(Object.keys(settings)).toEqual([
    'signup',
    'createUserDir',
    'userHomeBasePath',
    'defaults',
    'rules',
    'branding',
    'shell',
    'commands',
  ]);
  expect(settings).toMatchObject({ signup: false, createUserDir: false, userHomeBasePath: '/users' });
  expect(settings.defaults.perm.admin).toBe(false);
  expect(Object.keys(settings.commands)).toHaveLength(10);
});

test('what is saved is what is read; empty rules are dropped and unknown keys ignored', async () => {
  const settings = await read();
  const changed = {
    ...settings,
    createUserDir: true,
    userHomeBasePath: ' homes/./of ',
    branding: { ...settings.branding, theme: 'dark', color: '#123456' },
    shell: ['bash', '-c'],
    commands: { after_upload: ['echo'], mine: [] },
    rules: [
      { regex: false, allow: true, path: '', regexp: null },
      { regex: true, allow: false, path: '/kept', regexp: { raw: '^/never$' } },
    ],
    key: 'x',
    authMethod: 'noauth',
    noAuth: true,
  };
  expect((await save(changed)).status).toBe(200);
  const saved = await read();
  expect(saved).toMatchObject({
    createUserDir: true,
    userHomeBasePath: '/homes/of',
    branding: { theme: 'dark', color: '#123456' },
    shell: ['bash', '-c'],
    rules: [{ regex: true, allow: false, path: '/kept', regexp: { raw: '^/never$' } }],
  });
  expect(saved.commands).toMatchObject({ after_upload: ['echo'], mine: [], before_save: [] });
  expect(saved).not.toHaveProperty('key');
  expect(saved).not.toHaveProperty('authMethod');
  expect((await save(settings)).status).toBe(200);
});

test.each([
  [{ rules: [{ regex: true, regexp: { raw: '(' } }] }],
  [{ rules: [{ regex: true, regexp: { raw: '(a)\\1' } }] }],
  [{ rules: [{ path: '/a/../b' }] }],
  [{ rules: 'all' }],
  [{ signup: 'yes' }],
  [{ branding: { theme: 'pink' } }],
  [{ userHomeBasePath: '/../..' }],
  [{ defaults: { viewMode: 'grid' } }],
  [{ commands: { after_upload: 'echo' } }],
])('%j is refused and changes nothing', async (change) => {
  const before = await read();
  const answer = await save({ ...before, ...change });
  expect(answer.status).toBe(400);
  expect(await read()).toEqual(before);
});

describe('global rules', () => {
  const rule = (path: string, allow = false): object => ({ path, allow });
  const statusOf = async (path: string, token: string): Promise<number> => {
    const answer = await app.fetch(`/api/resources/${path}`, { token });
    await answer.text();
    return answer.status;
  };

  test('bind everyone at once, a user’s own rules come after them, and the last match wins', async () => {
    await app.createUser({ username: 'alice', rules: [{ path: '/docs/open', allow: true }] });
    const alice = await app.signIn('alice');
    const settings = await read();
    expect(await statusOf('docs/a.txt', alice)).toBe(200);
    const rules = [rule('/docs'), { regex: true, allow: false, regexp: { raw: '\\.key$' } }];
    expect((await save({ ...settings, rules })).status).toBe(200);
    for (const token of [alice, admin]) {
      for (const path of [
        'docs',
        'docs/',
        'docs/a.txt',
        '/docs/a.txt',
        'docs//a.txt',
        'docs%2Fa.txt',
        'x.key',
      ]) {
        expect(await statusOf(path, token), path).toBe(403);
      }
      expect(await statusOf('docs2/c.txt', token)).toBe(200);
    }
    expect(await statusOf('docs/open/b.txt', alice)).toBe(200);
    expect(await statusOf('docs/open/b.txt', admin)).toBe(403);
    const listing = (await (await app.fetch('/api/resources/', { token: admin })).json()) as {
      items: { name: string }[];
    };
    expect(listing.items.map(({ name }) => name)).toEqual(['docs2']);
    expect((await save(settings)).status).toBe(200);
    expect(await statusOf('docs/a.txt', alice)).toBe(200);
  });
});
