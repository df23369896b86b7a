import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      'a\n.env': 'secret',
      'nl\ndir/.env': 'secret',
      'nl\ndir/plain.txt': 'plain',
      'cafe\u0301/a.txt': 'secret',
      'caf\u00e9/b.txt': 'secret',
    },
    users: [
      {
        username: 'alice',
        rules: [
          { regex: true, allow: false, regexp: { raw: '^/.*\\.env$' } },
          { allow: false, path: '/caf\u00e9' },
        ],
      },
    ],
  });
  token = await app.signIn('alice');
});
afterAll(() => app.close());

test.each(['/a%0A.env', '/nl%0Adir/.env', '/cafe%CC%81/a.txt', '/caf%C3%A9/b.txt', '/cafe%CC%81'])(
  'a deny rule applies to %s in every read and in writes',
  async (path) => {
    for (const [method, prefix] of [
      ['GET', '/api/resources'],
      ['GET', '/api/raw'],
      ['PUT', '/api/resources'],
      ['DELETE', '/api/resources'],
    ] as const) {
      const response = await app.fetch(`${prefix}${path}`, {
        method,
        token,
        ...(method === 'PUT' ? { body: 'x' } : {}),
      });
      expect(response.status, `${method} ${prefix}`).toBe(403);
    }
  },
);

test('names with a line break that a pattern denies are omitted from listings and searches', async () => {
  const listing = (await (await app.fetch('/api/resources/nl%0Adir', { token })).json()) as {
    items: { name: string }[];
  };
  expect(listing.items.map(({ name }) => name)).toEqual(['plain.txt']);
  const found = (await (await app.fetch('/api/search/?query=env', { token })).json()) as unknown[];
  expect(found).toEqual([]);
});
