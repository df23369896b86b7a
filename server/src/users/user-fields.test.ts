import { initialPreferences, addedPreferences, preferences } from '@filestead/contract/user-fields';
import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';
import { userOfToken } from '../../test/fixtures/user-of-token.ts';
import { commands } from '../cli/commands.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

/** For each preference a value that no user has at first. */
const otherValues: Record<string, unknown> = {
  locale: 'de',
  viewMode: 'mosaic',
  sorting: { by: 'size', asc: true },
  aceEditorTheme: 'chaos',
  startOn: 'last',
};
const otherOf = (name: (typeof preferences)[number]): unknown =>
  typeof initialPreferences[name] === 'boolean' ? !initialPreferences[name] : otherValues[name];

const read = async (id: number): Promise<User> =>
  (await (await app.fetch(`/api/users/${id}`, { token: admin })).json()) as User;
async function write(id: number, which: string[], data: object, token = admin): Promise<void> {
  const json = { what: 'user', which, data: { id, ...data } };
  expect((await app.fetch(`/api/users/${id}`, { method: 'PUT', token, json })).status).toBe(200);
}
async function create(data: object): Promise<number> {
  const json = { what: 'user', which: [], data: { password: testPassword, ...data } };
  const response = await app.fetch('/api/users', { method: 'POST', token: admin, json });
  expect(response.status).toBe(201);
  return Number(response.headers.get('location')?.split('/').at(-1));
}

test.each(preferences)('users change their own %s; it is stored and in their next token', async (name) => {
  const username = `own-${name}`;
  const { id } = await app.createUser({ username });
  const value = otherOf(name);
  expect((await read(id))[name]).not.toEqual(value);
  await write(id, [name], { [name]: value }, await app.signIn(username));
  expect((await read(id))[name]).toEqual(value);
  expect(userOfToken(await app.signIn(username))[name]).toEqual(value);
});

test.each(preferences)(
  'the preference %s is an option of users add, users update and the defaults of new users',
  (name) => {
    const expected = name === 'sorting' ? ['sorting.by', 'sorting.asc'] : [name];
    for (const path of ['users add', 'users update', 'config set']) {
      const names = commands.find((command) => command.path === path)?.options.map((option) => option.name);
      expect(names, path).toEqual(expect.arrayContaining(expected));
    }
  },
);

test.each(addedPreferences)(
  'a record of an older client, which lacks %s, leaves it as it is',
  async (name) => {
    const username = `older-${name}`;
    const id = await create({ username });
    await write(id, [name], { [name]: otherOf(name) });
    const { [name]: _added, ...known } = await read(id);
    await write(id, [], { ...known, singleClick: true });
    expect(await read(id)).toMatchObject({ [name]: otherOf(name), singleClick: true });
  },
);

test('an older client creates users with the defaults of the fields that it does not send, and keeps these defaults', async () => {
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  const others = Object.fromEntries(preferences.map((name) => [name, otherOf(name)]));
  const json = { ...settings, defaults: { ...settings.defaults, ...others } };
  expect((await app.fetch('/api/settings', { method: 'PUT', token: admin, json })).status).toBe(200);
  const created = await read(await create({ username: 'fresh' }));
  for (const name of preferences) {
    const isAdded = addedPreferences.some((added) => added === name);
    expect(created[name], name).toEqual(isAdded ? otherOf(name) : initialPreferences[name]);
  }
  const older = Object.fromEntries(
    Object.entries(json.defaults).filter(([name]) => !addedPreferences.some((added) => added === name)),
  );
  const sent = { ...json, defaults: older };
  expect((await app.fetch('/api/settings', { method: 'PUT', token: admin, json: sent })).status).toBe(200);
  const after = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  expect(after.defaults).toEqual(json.defaults);
});
