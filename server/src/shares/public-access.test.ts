import type { User } from '@filestead/contract/users';
import { allPermissions } from '@filestead/contract/values/permissions';
import { describe, expect, test } from 'vitest';
import {
  password,
  app,
  admin,
  alice,
  share,
  info,
  download,
  show,
  withPassword,
  status,
  usePublicShares,
} from '../../test/fixtures/public-shares.ts';

usePublicShares();

describe('unknown shares', () => {
  test('are not found, even with similar hashes', async () => {
    const hash = await share('/docs');
    const flipped = [...hash]
      .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
      .join('');
    for (const other of [
      flipped,
      `${hash}%20`,
      `${hash}%00`,
      `${hash}A`,
      hash.slice(0, -1),
      `%20${hash}`,
      'x'.repeat(200),
      '__proto__',
      'constructor',
      '%F0%9F%92%A9',
      '',
    ]) {
      const response = await info(`${other}/x`);
      expect([response.status, await response.text()], other).toEqual([404, '404 Not Found\n']);
    }
  });

  test.each([
    '/api/public/share/',
    '/api/public/share',
    '/api/public/dl/',
    '/api/public/dl/%2f',
    '/api/public/x',
  ])('%s is not found', async (path) => {
    expect(await status(app.fetch(path))).toBe(404);
  });

  test.each(['/api/public/share/..%2f..%2f', '/api/public/dl/%00', '/api/public/dl/%ff'])(
    '%s is refused',
    async (path) => {
      const response = await app.rawRequest(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(response).toMatch(/^HTTP\/1\.1 40[04] /);
    },
  );
});

describe('a write request', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is rejected for a share', async (method) => {
    const hash = await share('/docs');
    for (const path of [
      `share/${hash}/ok.txt`,
      `dl/${hash}/ok.txt`,
      `preview/thumb/${hash}/ok.txt`,
      `subtitle/${hash}/movie.en.vtt`,
      `share/${hash}`,
    ]) {
      const response = await app.fetch(`/api/public/${path}?action=rename&destination=/x`, {
        method,
        token: alice,
        body: 'overwritten',
      });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect(await (await download(`${hash}/ok.txt`)).text()).toBe('fine');
  });
});

describe('the owner of a share', () => {
  const change = async (data: Partial<User>): Promise<void> => {
    const users = (await (await app.fetch('/api/users', { token: admin })).json()) as User[];
    const user = users.find(({ username }) => username === 'alice');
    const response = await app.fetch(`/api/users/${user?.id}`, {
      method: 'PUT',
      token: admin,
      json: { what: 'user', which: Object.keys(data), data: { ...user, ...data } },
    });
    if (response.status !== 200) throw new Error(await response.text());
  };
  const allowed = { ...allPermissions, admin: false, execute: false };

  test.each(['share', 'download'] as const)(
    'without the permission “%s” shares nothing',
    async (permission) => {
      const hash = await share('/docs');
      const locked = await share('/docs', { password });
      const { token } = await show(locked, withPassword(password));
      expect([await status(info(hash)), await status(download(`${hash}/ok.txt`))]).toEqual([200, 200]);
      try {
        await change({ perm: { ...allowed, [permission]: false } });
        expect([await status(info(hash)), await status(download(`${hash}/ok.txt`))]).toEqual([403, 403]);
        expect(await status(info(locked))).toBe(401);
        expect(await status(info(`${locked}?token=${token}`))).toBe(403);
      } finally {
        await change({ perm: allowed });
      }
      expect([await status(info(hash)), await status(download(`${hash}/ok.txt`))]).toEqual([200, 200]);
    },
  );

  test('who hides names that begin with a dot shares nothing below them', async () => {
    const hash = await share('/docs');
    const hidden = `${hash}/.dot/hidden.txt`;
    expect([await status(info(hidden)), await status(download(hidden))]).toEqual([403, 403]);
    try {
      await change({ hideDotfiles: false });
      expect([await status(info(hidden)), await status(download(hidden))]).toEqual([200, 200]);
    } finally {
      await change({ hideDotfiles: true });
    }
  });

  test('without the permission modify shares texts as textImmutable', async () => {
    const hash = await share('/docs');
    try {
      await change({ perm: { ...allowed, modify: false } });
      expect(await show(`${hash}/ok.txt`)).toMatchObject({ type: 'textImmutable' });
    } finally {
      await change({ perm: allowed });
    }
  });

  test('is bound by later rules on the real paths', async () => {
    const hash = await share('/docs');
    const rule = { regex: false, allow: false, regexp: null };
    const before = [{ ...rule, path: '/docs/secret' }];
    try {
      await change({ rules: [...before, { ...rule, path: '/docs/sub' }] });
      expect(await status(info(`${hash}/sub/`))).toBe(403);
      expect(await status(info(`${hash}/to-sub/`))).toBe(403);
      expect(await status(info(`${hash}/ok.txt`))).toBe(200);
      await change({ rules: [...before, { ...rule, path: '/sub' }] });
      expect(await status(info(`${hash}/sub/`))).toBe(200);
      await change({ rules: [...before, { ...rule, path: '/docs' }] });
      expect(await status(info(hash))).toBe(403);
    } finally {
      await change({ rules: before });
    }
    expect(await status(info(`${hash}/sub/`))).toBe(200);
  });
});
