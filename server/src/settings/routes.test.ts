import type { Settings } from '@filestead/contract/settings';
import { noPermissions } from '@filestead/contract/values/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startApp({
    files: { 'docs/a.txt': 'a', 'docs/open/b.txt': 'b', 'docs2/c.txt': 'c', 'x.key': 'k' },
    web: { 'index.html': '<!doctype html><html><head><title>Filestead</title></head><body></body></html>' },
  });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const read = async (): Promise<Settings> =>
  (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
const save = (settings: unknown): Promise<Response> =>
  app.fetch('/api/settings', { method: 'PUT', token: admin, json: settings });

test('a new installation has these settings and no key among them', async () => {
  const settings = await read();
  expect(Object.keys(settings)).toEqual([
    'signup',
    'createUserDir',
    'userHomeBasePath',
    'confirmedDefaultScope',
    'defaults',
    'rules',
    'branding',
    'shell',
    'commands',
    'hideLoginButton',
    'minimumPasswordLength',
    'tus',
    'requireCurrentPassword',
    'shareDefaults',
    'trashDays',
    'trashVisibility',
    'versionDays',
    'keptSize',
    'authMethod',
    'letterCase',
  ]);
  expect(settings).toMatchObject({ signup: false, createUserDir: false, userHomeBasePath: '/users' });
  expect(settings.defaults.perm.admin).toBe(false);
  expect(Object.keys(settings.commands)).toHaveLength(14);
});

test('saved settings are read back; empty rules are dropped and unknown keys ignored', async () => {
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
  expect(saved).toMatchObject({ authMethod: 'json' });
  expect((await save(settings)).status).toBe(200);
});

test('the light theme is sent as empty, as existing clients expect, and stays light when they save it', async () => {
  const before = await read();
  const themed = async (branding: object): Promise<unknown> => {
    const { followsSystem: _, ...known } = (await read()).branding as Settings['branding'] & {
      followsSystem: boolean;
    };
    expect((await save({ ...before, branding: { ...known, ...branding } })).status).toBe(200);
    const shown = (await read()).branding as { theme: string; followsSystem?: boolean };
    const page = /"Theme":"(\w*)"/.exec(await (await app.fetch('/')).text())?.[1];
    return [shown.theme, shown.followsSystem, page];
  };
  expect(await themed({})).toEqual(['', true, '']);
  expect(await themed({ theme: 'light' })).toEqual(['', false, 'light']);
  expect(await themed({ name: 'Saved by an older client' })).toEqual(['', false, 'light']);
  expect(await themed({ theme: 'dark' })).toEqual(['dark', false, 'dark']);
  expect(await themed({ theme: '' })).toEqual(['', false, 'light']);
  expect(await themed({ theme: '', followsSystem: true })).toEqual(['', true, '']);
  expect(await themed({ theme: '', followsSystem: false })).toEqual(['', false, 'light']);
  expect((await save(before)).status).toBe(200);
  expect((await read()).branding).toEqual(before.branding);
});

test.each([
  [{ rules: [{ regex: true, regexp: { raw: '(' } }] }],
  [{ rules: [{ regex: true, regexp: { raw: '(a)\\1' } }] }],
  [{ rules: [{ path: '/a/../b' }] }],
  [{ rules: 'all' }],
  [{ signup: 'yes' }],
  [{ branding: { theme: 'pink' } }],
  [{ branding: { reportURL: 'javascript:alert(1)' } }],
  [{ branding: { reportURL: '/issues' } }],
  [{ userHomeBasePath: '/../..' }],
  [{ defaults: { viewMode: 'grid' } }],
  [{ commands: { after_upload: 'echo' } }],
  [{ minimumPasswordLength: 0 }],
  [{ minimumPasswordLength: '8' }],
  [{ tus: { chunkSize: -1 } }],
  [{ tus: { retryCount: 1.5 } }],
  [{ hideLoginButton: 1 }],
  [{ defaults: { scope: '/../..' } }],
])('%j is refused and changes nothing', async (change) => {
  const before = await read();
  const response = await save({ ...before, ...change });
  expect(response.status).toBe(400);
  expect(await read()).toEqual(before);
});

test('null and missing lists are empty, every event has its list, and fields unknown to older clients are kept', async () => {
  const before = await read();
  const own = {
    hideLoginButton: true,
    minimumPasswordLength: 12,
    tus: { chunkSize: 1_000_000, retryCount: 2 },
    requireCurrentPassword: true,
    branding: { ...before.branding, color: '#00ff00', disableUsedPercentage: true },
    defaults: {
      ...before.defaults,
      redirectAfterCopyMove: false,
      aceEditorTheme: 'chaos',
      autoplay: true,
      startOn: 'home',
    },
  };
  expect((await save({ ...before, ...own })).status).toBe(200);
  expect(await read()).toMatchObject(own);
  const older = {
    signup: false,
    createUserDir: false,
    userHomeBasePath: '',
    defaults: {
      scope: '/x',
      locale: '',
      viewMode: '',
      sorting: { by: '', asc: false },
      perm: {},
      commands: null,
    },
    rules: null,
    branding: { name: 'Old', theme: '' },
    shell: null,
    commands: { after_upload: null, mine: ['echo'] },
    authMethod: 'noauth',
  };
  // Changing the commands of the server requires the password.
  expect((await save(older)).status).toBe(400);
  expect(await read()).toMatchObject(own);
  const confirmed = { ...older, current_password: testPassword };
  expect((await save(confirmed)).status).toBe(200);
  const saved = await read();
  expect(saved).toMatchObject({
    userHomeBasePath: '/users',
    rules: [],
    shell: [],
    hideLoginButton: true,
    minimumPasswordLength: 12,
    tus: own.tus,
    requireCurrentPassword: true,
    authMethod: 'json',
    branding: { name: 'Old', disableExternal: false, files: '', theme: '', color: '#00ff00' },
  });
  expect(saved.branding.disableUsedPercentage).toBe(true);
  expect(saved.defaults).toEqual({
    scope: '/x',
    locale: '',
    viewMode: 'mosaic',
    singleClick: false,
    redirectAfterCopyMove: false,
    sorting: { by: 'name', asc: false },
    perm: { ...noPermissions, purge: true },
    commands: [],
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: 'chaos',
    autoplay: true,
    startOn: 'home',
  });
  expect(saved.commands.mine).toEqual(['echo']);
  expect(Object.values(saved.commands).filter((lines) => lines.length === 0)).toHaveLength(14);
  expect((await save({ ...older, commands: { mine: ['echo'], after_save: null } })).status).toBe(200);
  expect((await save({ ...older, shell: ['sh', '-c'] })).status).toBe(400);
  expect((await save({ ...confirmed, commands: null })).status).toBe(200);
  expect(Object.keys((await read()).commands)).toHaveLength(14);
  expect((await save({})).status).toBe(200);
  expect(await read()).toMatchObject({ branding: { name: '', color: '#00ff00' }, minimumPasswordLength: 12 });
  expect((await save({ ...before, current_password: testPassword })).status).toBe(200);
});

test('the keys of a response are in the order that existing clients know', async () => {
  const settings = await read();
  expect(Object.keys(settings.defaults)).toEqual([
    'scope',
    'locale',
    'viewMode',
    'singleClick',
    'redirectAfterCopyMove',
    'sorting',
    'perm',
    'commands',
    'hideDotfiles',
    'dateFormat',
    'aceEditorTheme',
    'autoplay',
    'startOn',
  ]);
  expect(Object.keys(settings.branding)).toEqual([
    'name',
    'disableExternal',
    'files',
    'theme',
    'color',
    'disableUsedPercentage',
    'reportURL',
    'followsSystem',
  ]);
});

test('a minimum length given at server start overrides the setting', async () => {
  const other = await startApp({ config: { minimumPasswordLength: '15' } });
  try {
    const token = await other.signIn('admin');
    const settings = (await (await other.fetch('/api/settings', { token })).json()) as Settings;
    expect(settings.minimumPasswordLength).toBe(15);
    const json = { ...settings, minimumPasswordLength: 4 };
    await other.fetch('/api/settings', { method: 'PUT', token, json });
    const own = { what: 'user', which: ['password'], data: { id: 1, password: 'fourteen chars' } };
    expect((await other.fetch('/api/users/1', { method: 'PUT', token, json: own })).status).toBe(400);
  } finally {
    await other.close();
  }
});

test('only administrators can read or change the settings', async () => {
  await app.createUser({ username: 'plain' });
  const token = await app.signIn('plain');
  expect((await app.fetch('/api/settings', { token })).status).toBe(403);
  expect((await app.fetch('/api/settings', { method: 'PUT', token, json: {} })).status).toBe(403);
  expect((await app.fetch('/api/settings')).status).toBe(401);
});

describe('global rules', () => {
  const rule = (path: string, allow = false): object => ({ path, allow });
  const statusOf = async (path: string, token: string): Promise<number> => {
    const response = await app.fetch(`/api/resources/${path}`, { token });
    await response.text();
    return response.status;
  };

  test('apply to all users at once, rules of a user come after them, and the last match decides', async () => {
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
