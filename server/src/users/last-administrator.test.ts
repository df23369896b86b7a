import type { User } from '@filestead/contract/users';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../test/start-app.ts';

describe('the last administrator', () => {
  test.each([
    ['demote each other', ['PUT', 'PUT']],
    ['delete each other', ['DELETE', 'DELETE']],
    ['leave by different ways', ['PUT', 'DELETE']],
  ] as const)('remains when two %s concurrently', async (_name, methods) => {
    const app = await startApp({ users: [{ username: 'second', perm: { admin: true } }] });
    try {
      const tokens = [await app.signIn('admin'), await app.signIn('second')];
      const removeAdministrator = (method: string, id: number, token: string): Promise<Response> =>
        app.fetch(`/api/users/${id}`, {
          method,
          token,
          ...(method === 'PUT' ? { json: { what: 'user', which: ['perm'], data: { id, perm: {} } } } : {}),
        });
      const responses = await Promise.all([
        removeAdministrator(methods[0], 2, tokens[0] ?? ''),
        removeAdministrator(methods[1], 1, tokens[1] ?? ''),
      ]);
      const statuses = responses.map(({ status }) => status);
      const winner = statuses.indexOf(200);
      // The other request loses its user with a deletion, and its permission with a demotion.
      const refusal = methods[winner] === 'DELETE' ? 401 : 403;
      expect(statuses).toEqual(winner === 0 ? [200, refusal] : [refusal, 200]);
      const left = await Promise.all(
        tokens.map(async (token) => (await app.fetch('/api/users', { token })).status),
      );
      expect(left.filter((status) => status === 200)).toHaveLength(1);
    } finally {
      await app.close();
    }
  });

  test('remains after a whole record without permissions, and after any other change', async () => {
    const app = await startApp();
    try {
      const token = await app.signIn('admin');
      for (const [which, perm] of [
        [['all'], undefined],
        [[], undefined],
        [['perm'], { create: true }],
      ]) {
        const json = { what: 'user', which, data: { id: 1, username: 'admin', perm } };
        expect((await app.fetch('/api/users/1', { method: 'PUT', token, json })).status).toBe(403);
      }
      expect((await app.fetch('/api/users/1', { method: 'DELETE', token })).status).toBe(403);
      const users = (await (await app.fetch('/api/users', { token })).json()) as User[];
      expect(users.map(({ perm }) => perm.admin)).toEqual([true]);
    } finally {
      await app.close();
    }
  });
});
