import type { Settings } from '@filestead/contract/settings';
import { describe, expect } from 'vitest';
import { openAttemptLimiter } from '../../src/access/sign-in/attempt-limiter.ts';
import { hashPassword } from '../../src/access/sign-in/passwords.ts';
import { cpuTimeOfMs } from '../cpu-time.ts';
import { testPassword } from '../start-app.ts';
import { prepareStage, type Stage } from './stage.ts';

const tooMany = 429;
type Sent = Parameters<Stage['request']>[3];
const credentials = (username: unknown, password: unknown, headers: Record<string, string> = {}): Sent => ({
  json: { username, password },
  headers,
});

describe('the default rate limits', () => {
  const { attack, stage } = prepareStage(
    { config: { loginAttemptsPerName: '10', loginAttemptsPerAddress: '60' } },
    { opensFor: 'each test' },
  );

  attack('BF-01', async ({ request, status }) => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 30; guess++) {
      statuses.push(await status('', 'POST', '/api/login', credentials('alice', `guess ${guess}`)));
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 403));
    expect(new Set(statuses.slice(10))).toEqual(new Set([tooMany]));
    const refused = await request('', 'POST', '/api/login', credentials('ALICE', 'guess'));
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([tooMany, true]);
    // Another name is not locked out with her.
    expect(await status('', 'POST', '/api/login', credentials('bob', testPassword))).toBe(200);
  });

  attack('BF-03', async ({ status }) => {
    const headers = (n: number): Record<string, string> => ({
      'X-Forwarded-For': `198.51.100.${n}, 203.0.113.${n}`,
      'X-Real-IP': `198.51.100.${n}`,
      Forwarded: `for=198.51.100.${n}`,
      'CF-Connecting-IP': `198.51.100.${n}`,
    });
    const statuses = [];
    for (let n = 1; n <= 70; n++)
      statuses.push(await status('', 'POST', '/api/login', credentials(`name ${n}`, 'x', headers(n))));
    expect(statuses.at(-1)).toBe(tooMany);
    expect(stage().app.log.join('')).not.toContain('198.51.100.');
  });
});

describe('behind a trusted proxy', () => {
  const { attack } = prepareStage({
    config: {
      loginAttemptsPerName: '1000',
      loginAttemptsPerAddress: '10',
      trustedProxies: '127.0.0.1,10.0.0.0/8',
    },
  });
  attack(
    'BF-03',
    async ({ status }) => {
      const from = (forwarded: string): Promise<number> =>
        status('', 'POST', '/api/login', credentials('alice', 'wrong', { 'X-Forwarded-For': forwarded }));
      const statuses = [];
      for (let n = 0; n < 12; n++) statuses.push(await from(`198.51.100.${n}, 203.0.113.7, 10.1.1.1`));
      expect(statuses.at(-1)).toBe(tooMany);
      expect(await from('198.51.100.1, 203.0.113.8')).toBe(403);
    },
    { note: 'the right-most untrusted hop counts' },
  );
});

describe('with a separate account', () => {
  const { attack } = prepareStage({
    config: { loginAttemptsPerName: '1000', loginAttemptsPerAddress: '10' },
  });
  attack(
    'BF-01',
    async ({ status }) => {
      const guess = (n: number): Promise<number> =>
        status('', 'POST', '/api/login', credentials('alice', `guess ${n}`));
      for (let n = 0; n < 10; n++) {
        expect(await guess(n)).toBe(403);
        if (n < 9) expect(await status('', 'POST', '/api/login', credentials('bob', testPassword))).toBe(200);
      }
      expect(await guess(10)).toBe(tooMany);
    },
    { note: 'a success cancels its own attempt, never those of others' },
  );
});

describe('concurrent attempts', () => {
  const { attack } = prepareStage({
    config: { loginAttemptsPerName: '10', loginAttemptsPerAddress: '1000' },
  });
  attack('BF-05', async ({ status }) => {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        status('', 'POST', '/api/login', credentials('alice', `guess ${n}`)),
      ),
    );
    expect(statuses.filter((code) => code === 403)).toHaveLength(10);
    expect(statuses.filter((code) => code === tooMany)).toHaveLength(90);
  });
});

describe('information in responses', () => {
  const { attack, stage } = prepareStage({
    config: { signupsPerAddress: '20' },
    settings: { signup: true, createUserDir: true },
  });

  attack('BF-07', async ({ app, request }) => {
    // With the usual hash: those of other users of tests need less work.
    await app.createUser({ username: 'known', passwordHash: await hashPassword(testPassword) });
    await app.createUser({ username: 'broken', passwordHash: 'no hash at all' });
    const names = ['known', 'nobody-of-that-name', 'broken'];
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    const texts = new Set<string>();
    for (let round = 0; round < 15; round++) {
      for (const name of names) {
        const timeMs = await cpuTimeOfMs(async () => {
          const response = await request('', 'POST', '/api/login', credentials(name, 'a wrong password'));
          texts.add(`${response.status} ${response.text} ${Object.keys(response.headers).join()}`);
        });
        times.get(name)?.push(timeMs);
      }
    }
    const median = (values: number[] = []): number =>
      values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const [known, unknown] = [median(times.get('known')), median(times.get('nobody-of-that-name'))];
    expect(texts.size).toBe(1);
    // Processor time, so that other programs do not matter. Without a dummy verification an unknown name would cost a
    // millisecond or two.
    expect(Math.max(known, unknown) / Math.min(known, unknown), `${known} and ${unknown} ms`).toBeLessThan(
      2.5,
    );
  });

  attack('BF-09', async ({ status }) => {
    const statuses = [];
    for (let n = 0; n < 30; n++)
      statuses.push(await status('', 'POST', '/api/signup', credentials('alice', 'a good password')));
    expect(new Set(statuses)).toEqual(new Set([409, tooMany]));
    expect(statuses.slice(20)).toEqual(Array.from({ length: 10 }, () => tooMany));
  });

  attack('BF-13', async ({ request, status }) => {
    for (const [username, password] of [
      [{ $gt: '' }, { $ne: null }],
      [['alice'], [testPassword]],
      [1, 2],
      [true, true],
      [null, null],
      [{ username: 'alice' }, testPassword],
      ['alice', [testPassword]],
      ['alice', { toString: testPassword }],
      ['x'.repeat(1025), 'x'],
    ]) {
      expect(await status('', 'POST', '/api/login', credentials(username, password))).toBe(403);
    }
    const good = JSON.stringify({ username: 'alice', password: testPassword });
    for (const [body, type] of [
      [`\uFEFF${good}`, 'application/json'],
      [Buffer.from(good, 'utf16le'), 'application/json'],
      [`username=alice&password=${encodeURIComponent(testPassword)}`, 'application/x-www-form-urlencoded'],
      ['', 'application/json'],
      ['null', 'application/json'],
      ['[]', 'application/json'],
      [`{"username":"alice","password":"${testPassword}","password":"wrong"}`, 'application/json'],
      ['{"__proto__":{"username":"alice"}}', 'application/json'],
    ] as const) {
      const response = await request('', 'POST', '/api/login', { body, headers: { 'Content-Type': type } });
      expect(response.status, type).toBe(403);
    }
  });

  attack('BF-15', async ({ request, status, app }) => {
    const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
    expect(settings.minimumPasswordLength).toBe(8);
    const { id } = await app.createUser({ username: 'changer' });
    const weak = ['', 'x', 'seven77', 'password', 'PASSWORD', 'changer', 'aaaaaaaaaaaa', '12345678'];
    for (const password of weak) {
      const data = { id: 0, username: 'fresh', password, scope: '/users/fresh', locale: 'en', perm: {} };
      const created = await status('admin', 'POST', '/api/users', {
        json: {
          what: 'user',
          which: [],
          data: { ...data, username: password.toLowerCase() === 'changer' ? 'changer2' : 'fresh' },
        },
      });
      if (password !== 'changer') expect(created, `create with ${password}`).toBe(400);
      if (password === '') continue;
      const json = { what: 'user', which: ['password'], data: { id, password } };
      expect(await status('admin', 'PUT', `/api/users/${id}`, { json }), `change to ${password}`).toBe(400);
    }
    const { allowed } = stage();
    allowed.push('root');
    const long = `${'a long and good password '.repeat(8)}é`;
    const spaced = '  spaces around  ';
    for (const password of [long, spaced]) {
      const json = { what: 'user', which: ['password'], data: { id, password } };
      expect(await status('admin', 'PUT', `/api/users/${id}`, { json })).toBe(200);
      expect(await status('', 'POST', '/api/login', credentials('changer', password))).toBe(200);
      for (const other of [password.trim(), password.slice(0, -1), password.slice(0, 72)]) {
        if (other === password) continue;
        expect(await status('', 'POST', '/api/login', credentials('changer', other))).toBe(403);
      }
    }
  });

  attack('BF-17', async ({ request }) => {
    const body = JSON.stringify({ username: 'alice', password: testPassword });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = {
        'Content-Type': type,
        Origin: 'https://evil.example',
        'Sec-Fetch-Site': 'cross-site',
      };
      const response = await request('', 'POST', '/api/login', { body, headers });
      expect(response.status).toBe(415);
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  attack('BF-11', async () => {
    const limiter = openAttemptLimiter({ perAddress: 1e9, perName: 1e9, windowMs: 60_000 });
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 40_000; n++)
      await limiter.begin(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, {
        account: `${n}${'x'.repeat(1_000)}`,
      });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
  });
});
