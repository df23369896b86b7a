import { afterEach, beforeEach, expect, test } from 'vitest';
import { cpuTimeOfMs } from '../../test/cpu-time.ts';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({
    users: [{ username: 'alice' }],
    settings: { signup: true, createUserDir: true },
    config: { loginAttemptsPerName: '5', loginAttemptsPerAddress: '200' },
  });
});
afterEach(() => app.close());

const login = (username: string, password: string): Promise<Response> =>
  app.fetch('/api/login', { method: 'POST', json: { username, password } });

/** Names that a comparison would treat as `alice` if it ended at a NUL or skipped or replaced characters. */
const lookalikes = [
  'alice\0',
  'alice\0x',
  'alice\0\0',
  'alice\u0001',
  '\u0000alice',
  'alice\u007F',
  'alice\u0085',
  'alice\uD800',
];

test('a name with a control character or a lone surrogate cannot sign in', async () => {
  for (const name of lookalikes.slice(0, 4)) {
    expect((await login(name, testPassword)).status, JSON.stringify(name)).toBe(403);
  }
  expect((await login('alice', testPassword)).status).toBe(200);
});

test('names with control characters share one counter, so that suffixes allow no further guesses', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 20; guess++) {
    statuses.push((await login(`alice\0${guess}`, `guess ${guess}`)).status);
  }
  expect(statuses).toEqual([403, 403, 403, 403, 403, ...Array.from({ length: 15 }, () => 429)]);
  expect((await login('alice', testPassword)).status).toBe(200);
});

test('an impossible name takes as much processor time as an unknown one', async () => {
  const times = { nobody: [] as number[], 'alice\0': [] as number[] };
  await login('warm-up', 'x');
  for (let round = 0; round < 5; round++) {
    for (const name of ['nobody', 'alice\0'] as const) {
      const timeMs = await cpuTimeOfMs(async () =>
        expect((await login(name, 'a wrong password')).status).toBe(403),
      );
      times[name].push(timeMs);
    }
  }
  const [unknown, impossible] = Object.values(times).map((all) => Math.min(...all));
  // A response without the same work would take a few milliseconds of processor time instead of tens.
  expect((impossible ?? 0) / (unknown ?? 0)).toBeGreaterThan(0.4);
  expect((impossible ?? 0) / (unknown ?? 0)).toBeLessThan(2.5);
});

test('no account can be created with or renamed to a name with a control character', async () => {
  const token = await app.signIn('admin');
  for (const username of lookalikes) {
    const data = { id: 0, username, password: testPassword, scope: '/x', locale: 'en', perm: {} };
    const created = await app.fetch('/api/users', {
      method: 'POST',
      token,
      json: { what: 'user', which: [], data },
    });
    expect(created.status, JSON.stringify(username)).toBe(400);
    const renamed = await app.fetch('/api/users/2', {
      method: 'PUT',
      token,
      json: { what: 'user', which: ['username'], data: { id: 2, username } },
    });
    expect(renamed.status, JSON.stringify(username)).toBe(400);
    const signedUp = await app.fetch('/api/signup', {
      method: 'POST',
      json: { username, password: testPassword },
    });
    expect(signedUp.status, JSON.stringify(username)).toBe(400);
  }
  expect((await login('alice', testPassword)).status).toBe(200);
});
