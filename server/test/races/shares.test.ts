import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp } from '../start-app.ts';
import { together } from './together.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({ config: { loginAttemptsPerName: '10', loginAttemptsPerAddress: '1000' } });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const share = async (path: string, password = ''): Promise<string | null> => {
  const response = await app.fetch(`/api/share${path}`, { method: 'POST', token, json: { password } });
  const made = (await response.json().catch(() => null)) as { hash: string } | null;
  return response.status === 200 ? (made?.hash ?? '') : null;
};

test.each([
  ['deleted', () => app.fetch('/api/resources/plan.txt', { method: 'DELETE', token })],
  [
    'moved away',
    () =>
      app.fetch('/api/resources/plan.txt?action=rename&destination=%2Faway.txt', { method: 'PATCH', token }),
  ],
])(
  'a share that is created while its file is %s does not open a later file of the same name',
  async (_how, removeFile) => {
    for (let round = 0; round < 12; round++) {
      writeFileSync(join(app.root, 'plan.txt'), 'shared');
      const password = round % 2 === 0 ? 'a word' : '';
      const made = await together<string | null>(
        [
          ...Array.from({ length: 4 }, () => () => share('/plan.txt', password)),
          async () => {
            expect((await removeFile()).status).toBe(200);
            return null;
          },
        ],
        round % 2 === 0 ? 80 : 4,
      );
      rmSync(join(app.root, 'away.txt'), { force: true });
      await app.fetch('/api/resources/plan.txt', { method: 'POST', token, body: 'secret, and later' });
      for (const hash of made) {
        if (hash === null) continue;
        const headers = { 'x-share-password': password };
        const visit = await app.fetch(`/api/public/dl/${hash}`, { headers });
        expect(await visit.text(), `round ${round}`).not.toContain('later');
      }
      rmSync(join(app.root, 'plan.txt'), { force: true });
      for (const line of app.log) expect(line).not.toMatch(/"level":(?:50|60)/);
    }
  },
  120_000,
);

test('concurrent guesses of a share password are counted before they are verified', async () => {
  mkdirSync(join(app.root, 'docs'), { recursive: true });
  const hash = await share('/docs', 'the right word');
  const statuses = await together(
    Array.from({ length: 60 }, (_, guess) => async () => {
      const headers = { 'x-share-password': `guess ${guess}` };
      return (await app.fetch(`/api/public/share/${hash}`, { headers })).status;
    }),
  );
  expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(401), ...Array<number>(50).fill(429)]);
});
