import type { Settings } from '@filestead/contract/settings';
import { beforeAll, expect, test } from 'vitest';
import { testPassword } from '../start-app.ts';
import { prepareStage } from './stage.ts';

// Hooks get the username as a separate argument: a name that looks like an option would be interpreted as one.
const { stage } = prepareStage();

beforeAll(async () => {
  const { text } = await stage().request('admin', 'GET', '/api/settings');
  const settings = { ...(JSON.parse(text) as Settings), signup: true };
  expect(await stage().status('admin', 'PUT', '/api/settings', { json: settings })).toBe(200);
});

test('usernames that look like options are rejected', async () => {
  const users = async (): Promise<string> => (await stage().request('admin', 'GET', '/api/users')).text;
  const before = await users();
  for (const username of ['-rf', '--help', '--checkpoint-action=exec=sh x', '-', '--']) {
    const password = testPassword;
    expect(await stage().status('', 'POST', '/api/signup', { json: { username, password } }), username).toBe(
      400,
    );
    const data = { username, password, scope: '/users/alice', perm: {} };
    const json = { what: 'user', which: [], data };
    expect(await stage().status('admin', 'POST', '/api/users', { json }), username).toBe(400);
  }
  expect(await users()).toBe(before);
});
