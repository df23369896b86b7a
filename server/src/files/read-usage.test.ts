import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startApp({
    files: { '/docs/a.txt': 'text', '/secret/deny.txt': 'canary-deny' },
    users: [{ username: 'ruled', rules: [{ path: '/secret' }] }],
  });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const usage = (path: string, token = admin): Promise<Response> => app.fetch(`/api/usage${path}`, { token });

test('the usage of a folder is that of its file system, and that of a file is 0', async () => {
  const { total, used } = (await (await usage('/docs')).json()) as { total: number; used: number };
  expect(total).toBeGreaterThan(used);
  expect(used).toBeGreaterThan(0);
  expect((await usage('/')).status).toBe(200);
  expect((await usage('')).status).toBe(200);
  expect(await (await usage('/docs/a.txt')).json()).toEqual({ total: 0, used: 0, kept: 0, reclaimable: 0 });
});

test('the usage of missing and denied entries cannot be read', async () => {
  expect((await usage('/missing')).status).toBe(404);
  expect((await usage('/secret', await app.signIn('ruled'))).status).toBe(403);
});

test('no usage can be read without a session', async () => {
  expect((await app.fetch('/api/usage/')).status).toBe(401);
});
