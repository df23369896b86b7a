import { describe, expect, test } from 'vitest';
import { startApp, testPassword } from '../../test/start-app.ts';

const refusal = async (response: Response): Promise<[number, string]> => [
  response.status,
  await response.text(),
];

describe('the current password, if the settings require it', () => {
  test('is required for changes of accounts, but not of display settings', async () => {
    const app = await startApp({ settings: { requireCurrentPassword: true } });
    try {
      const username = 'dora';
      const { id } = await app.createUser({ username });
      const token = await app.signIn('admin');
      const write = (path: string, method: string, json: object, as = token): Promise<Response> =>
        app.fetch(path, { method, token: as, json });
      const envelope = (which: string[], data: object, more: object = {}): object => ({
        what: 'user',
        which,
        data: { id, ...data },
        ...more,
      });
      const confirmed = { current_password: testPassword };
      const created = { what: 'user', which: [], data: { username: 'emil', password: 'a good password' } };
      expect((await write('/api/users', 'POST', created)).status).toBe(400);
      expect((await write('/api/users', 'POST', { ...created, ...confirmed })).status).toBe(201);
      const changes: [string[], object][] = [
        [[], { username }],
        [['username'], { username: 'dorothea' }],
        [['password'], { password: 'a good password' }],
        [['Scope'], { scope: '/' }],
        [['LockPassword'], { lockPassword: false }],
        [['perm'], { perm: { download: true } }],
        [['locale', 'commands'], { locale: 'de', commands: [] }],
      ];
      for (const [which, data] of changes) {
        const refused = await write(`/api/users/${id}`, 'PUT', envelope(which, data));
        expect(await refusal(refused)).toEqual([
          400,
          '400 Bad Request (this change needs the current password)\n',
        ]);
        const done = await write(`/api/users/${id}`, 'PUT', envelope(which, data, confirmed));
        expect(done.status, which.join()).toBe(200);
      }
      const renewed = await app.signIn('dorothea', 'a good password');
      const display = await write(`/api/users/${id}`, 'PUT', envelope(['locale'], { locale: 'fr' }), renewed);
      expect(display.status).toBe(200);
      expect((await write(`/api/users/${id}`, 'DELETE', {}, renewed)).status).toBe(400);
      expect((await app.fetch(`/api/users/${id}`, { method: 'DELETE', token: renewed })).status).toBe(400);
      const leaving = { current_password: 'a good password' };
      expect((await write(`/api/users/${id}`, 'DELETE', leaving, renewed)).status).toBe(200);
    } finally {
      await app.close();
    }
  });

  test('is protected against guessing like a sign-in', async () => {
    const strict = await startApp({ config: { loginAttemptsPerName: '3' } });
    try {
      const token = await strict.signIn('admin');
      const json = {
        what: 'user',
        which: ['locale'],
        data: { id: 1, locale: 'de' },
        current_password: 'wrong',
      };
      const statuses: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const response = await strict.fetch('/api/users/1', { method: 'PUT', token, json });
        statuses.push(response.status);
        if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(statuses).toEqual([400, 400, 400, 429]);
    } finally {
      await strict.close();
    }
  });
});
