import type { Settings } from '@filestead/contract/settings';
import { expect, test } from 'vitest';
import { testPassword } from '../start-app.ts';
import { prepareStage } from './stage.ts';

// An attacker with an administrator's token, but without the password, has to confirm changes of accounts. The
// confirmation is useless if the same token can disable it.
const { stage } = prepareStage(
  {},
  {
    opensFor: 'each test',
    async prepare() {
      expect(await save({ ...(await read()), requireCurrentPassword: true })).toBe(200);
    },
  },
);
const read = async (): Promise<Settings> =>
  JSON.parse((await stage().request('admin', 'GET', '/api/settings')).text) as Settings;
const save = (settings: object): Promise<number> =>
  stage().status('admin', 'PUT', '/api/settings', { json: settings });
const makeAdministrator = (): Promise<number> =>
  stage().status('admin', 'POST', '/api/users', {
    json: {
      what: 'user',
      which: [],
      data: { username: 'intruder', password: 'a long one of theirs', scope: '/', perm: { admin: true } },
    },
  });

test('a token alone cannot disable the confirmation with the current password', async () => {
  expect(await makeAdministrator()).toBe(400);
  const settings = await read();
  for (const attempt of [
    { ...settings, requireCurrentPassword: false },
    { ...settings, requireCurrentPassword: false, current_password: '' },
    { ...settings, requireCurrentPassword: false, current_password: 'wrong one' },
    { ...settings, requireCurrentPassword: false, currentPassword: testPassword },
    { requireCurrentPassword: false },
  ]) {
    expect(await save(attempt), JSON.stringify(attempt)).toBe(400);
    expect((await read()).requireCurrentPassword).toBe(true);
  }
  for (const odd of [null, 0, '', 'false', []]) {
    expect(await save({ ...settings, requireCurrentPassword: odd }), JSON.stringify(odd)).toBe(400);
  }
  // Older clients do not know of it and leave it out: it stays.
  const { requireCurrentPassword: _left, ...older } = settings;
  expect(await save(older)).toBe(200);
  expect((await read()).requireCurrentPassword).toBe(true);
  expect(await makeAdministrator()).toBe(400);
});

test('the confirmation can be disabled with the password, and other settings do not need it', async () => {
  const settings = await read();
  expect(await save({ ...settings, signup: false })).toBe(200);
  const off = { ...settings, requireCurrentPassword: false };
  expect(await save({ ...off, current_password: testPassword })).toBe(200);
  expect((await read()).requireCurrentPassword).toBe(false);
  expect(await save(off)).toBe(200);
});
