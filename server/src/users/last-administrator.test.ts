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
          headers: { accept: 'application/problem+json' },
          ...(method === 'PUT' ? { json: { what: 'user', which: ['perm'], data: { id, perm: {} } } } : {}),
        });
      const responses = await Promise.all([
        removeAdministrator(methods[0], 2, tokens[0] ?? ''),
        removeAdministrator(methods[1], 1, tokens[1] ?? ''),
      ]);
      const winner = responses.findIndex(({ status }) => status === 200);
      expect(winner).toBeGreaterThanOrEqual(0);
      const loser = responses.find((_response, index) => index !== winner) ?? new Response();
      const { code } = (await loser.json()) as { code: string };
      // The other request loses its user with a deletion, and its permission with a demotion. One that was past these checks already is
      // refused because it would remove the last administrator.
      const refusal = methods[winner] === 'DELETE' ? 401 : 403;
      expect(loser.status).toBe(code === 'last_administrator' ? 403 : refusal);
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
