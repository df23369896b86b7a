import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '@filestead/contract/files';
import type { Share } from '@filestead/contract/shares';
import { maxUnknownSharesPerAddress } from '@filestead/contract/values/limits';
import { describe, expect } from 'vitest';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
import { type RawResponse, bytesOf, exchange, parseResponse } from './raw-client.ts';
import { prepareStage } from './stage.ts';

const password = 'open sesame, please';
const { stage, attack } = prepareStage(
  { config: { shareTokenLife: '2s', loginAttemptsPerName: '100000', loginAttemptsPerAddress: '100000' } },
  {
    opensFor: 'each test',
    async prepare({ keepSecret, plant, addUser }) {
      keepSecret(password);
      for (const name of ['one.txt', 'two.txt', 'three.txt', 'pub/x.txt'])
        await plant(`root/users/alice/${name}`, ['alice', 'admin']);
      await addUser('giver', { share: true, download: true, create: true, delete: true });
      await addUser('taker', { download: true });
    },
  },
);
const inside = ['root/users/alice'];
const withPassword = { headers: { 'X-SHARE-PASSWORD': encodeURIComponent(password) } };
const visit = (target: string, headers: Record<string, string> = {}): Promise<RawResponse> =>
  stage().request('', 'GET', `/api/public/${target}`, { headers });
const visits = async (target: string): Promise<number> => (await visit(target)).status;
/** A token as visitors get one for the right password. */
async function openWith(hash: string): Promise<string> {
  const response = await stage().request('', 'GET', `/api/public/share/${hash}`, withPassword);
  const { token = '' } = JSON.parse(response.text) as Resource;
  expect(token).not.toBe('');
  return token;
}

describe('passwords and tokens', () => {
  attack('SH-01', async ({ share, request }) => {
    const folder = await share('alice', '/pub/', { password });
    const file = await share('alice', '/one.txt', { password });
    const shapes = new Set<string>();
    for (const hash of [folder.hash, file.hash]) {
      for (const [method, target, headers] of [
        ['GET', `share/${hash}`, {}],
        ['GET', `share/${hash}/x`, {}],
        ['GET', `dl/${hash}/x.txt`, {}],
        ['GET', `dl/${hash}/?algo=zip`, {}],
        ['GET', `dl/${hash}/x.txt?inline=true`, {}],
        ['HEAD', `dl/${hash}`, {}],
        ['GET', `dl/${hash}/x.txt`, { Range: 'bytes=0-3' }],
        ['GET', `preview/thumb/${hash}/x.txt`, {}],
        ['GET', `share/${hash}`, { 'X-SHARE-PASSWORD': 'wrong' }],
        ['GET', `share/${hash}`, { Accept: 'application/x-ndjson' }],
      ] as const) {
        const response = await request('', method, `/api/public/${target}`, { headers });
        expect(response.status, target).toBe(401);
        expect(response.text).toMatch(/^(?:401 Unauthorized\n)?$/);
        if (method === 'GET') shapes.add(Object.keys(response.headers).sort().join());
      }
      // Signing in opens no protected share.
      expect((await request('bob', 'GET', `/api/public/share/${hash}`)).status).toBe(401);
      expect((await request('', 'GET', `/api/public/share/${hash}`, withPassword)).status).toBe(200);
    }
    expect(shapes.size).toBe(1);
  });

  attack('SH-03', async ({ share }) => {
    const guarded = await share('alice', '/pub/', { password });
    const other = await share('alice', '/two.txt', { password });
    const open = await share('alice', '/three.txt');
    const token = await openWith(guarded.hash);
    const foreign = await openWith(other.hash);
    const { letRead } = stage();
    for (const odd of [
      '',
      'undefined',
      'null',
      token.slice(0, -1),
      foreign,
      token.toUpperCase(),
      `${token}%00`,
      'x'.repeat(20_000),
    ]) {
      expect((await visit(`dl/${guarded.hash}/x.txt?token=${odd}`)).status, odd.slice(0, 20)).toBe(401);
    }
    for (const query of ['?token', '?token[]=x', '?Token=x', `?token=x&token=${token}`]) {
      expect((await visit(`dl/${guarded.hash}/x.txt${query}`)).status, query).toBe(401);
    }
    letRead('', 'root/users/alice');
    expect((await visit(`dl/${guarded.hash}/x.txt?token=${token}`)).status).toBe(200);
    expect((await visit(`dl/${open.hash}?token=`)).status).toBe(200);
  });

  attack('SH-05', async ({ request, share }) => {
    const made = await share('alice', '/docs/', { password });
    const stored = openSqlite(join(stage().app.data, 'filestead.db'));
    const hashes = stored
      .prepare('SELECT password_hash FROM shares WHERE password_hash IS NOT NULL')
      .all() as { password_hash: string }[];
    stored.close();
    expect(hashes.length).toBeGreaterThan(0);
    for (const { password_hash } of hashes) stage().keepSecret(password_hash);
    for (const [who, target] of [
      ['alice', '/api/shares'],
      ['alice', '/api/share/docs/'],
      ['admin', '/api/shares'],
    ] as const) {
      const rows = JSON.parse((await request(who, 'GET', target)).text) as Share[];
      const row = rows.find(({ hash }) => hash === made.hash);
      const known = new Set([
        'created',
        'expire',
        'hasPassword',
        'hash',
        'path',
        'userID',
        'username',
        'visits',
      ]);
      expect(Object.keys(row ?? {}).filter((key) => !known.has(key))).toEqual([]);
      expect(row?.hasPassword).toBe(true);
    }
  });

  attack('SH-07', async ({ share, status }) => {
    const { hash } = await share('alice', '/pub/', { password });
    const token = await openWith(hash);
    stage().letRead('', 'root/users/alice/pub');
    expect(await visits(`dl/${hash}/x.txt?token=${token}`)).toBe(200);
    stage().app.clock.advance(3_000);
    expect(await visits(`dl/${hash}/x.txt?token=${token}`)).toBe(401);
    const fresh = await openWith(hash);
    expect(await status('alice', 'DELETE', `/api/share/${hash}`)).toBe(200);
    expect(await visits(`dl/${hash}/x.txt?token=${fresh}`)).toBe(404);
    const again = await share('alice', '/pub/', { password });
    expect(await visits(`dl/${again.hash}/x.txt?token=${fresh}`)).toBe(401);
  });

  attack('SH-09', async ({ share, request, port }) => {
    const { hash } = await share('alice', '/pub/', { password });
    for (const odd of ['%', '%zz', '%00', '%ff', 'x'.repeat(10_000), 'pässwörd', '', ' ']) {
      const response = await request('', 'GET', `/api/public/share/${hash}`, {
        headers: { 'X-SHARE-PASSWORD': odd },
      });
      // A value that cannot be decoded does not count as a password.
      expect(response.status, odd.slice(0, 10)).toBe(['%', '%zz', '%ff'].includes(odd) ? 400 : 401);
    }
    const twice = bytesOf({
      method: 'GET',
      target: `/api/public/share/${hash}`,
      headers: [
        ['X-SHARE-PASSWORD', 'wrong'],
        ['X-SHARE-PASSWORD', encodeURIComponent(password)],
      ],
    });
    expect(parseResponse(await exchange(port, twice)).status).toBe(401);
  });

  attack('SH-11', async ({ request, share }) => {
    const blank = await share('alice', '/a.txt', { password: '   ' });
    expect(blank.hasPassword).toBe(false);
    // Existing clients send null for nothing; the response says that the share has no password.
    expect((await share('alice', '/a.txt', { password: null })).hasPassword).toBe(false);
    for (const json of [
      { password: ['x'] },
      { password: 0 },
      { password: true },
      { Password: 'x' },
      { passwd: 'x' },
      { password: {} },
    ]) {
      expect(
        (await request('alice', 'POST', '/api/share/a.txt', { json })).status,
        JSON.stringify(json),
      ).toBe(400);
    }
  });

  attack('SH-29', async ({ share, request }) => {
    const { hash } = await share('alice', '/pub/', { password });
    stage().letRead('', 'root/users/alice/pub');
    for (const target of [`share/${hash}`, `dl/${hash}/x.txt`]) {
      const opened = await request('', 'GET', `/api/public/${target}`, withPassword);
      expect(opened.status).toBe(200);
      expect(opened.headers['cache-control']).toMatch(/no-store|^private, no-cache$/);
      const refused = await visit(target);
      expect([refused.status, refused.headers['cache-control']]).toEqual([401, 'no-store']);
      expect(refused.headers.etag).toBeUndefined();
      // A cached response is revalidated, and then the password is required.
      const etag = opened.headers.etag ?? '"x"';
      expect((await visit(target, { 'If-None-Match': etag })).status).toBe(401);
    }
  });
});

describe('the target of a share', () => {
  attack('SH-13', async ({ share }) => {
    const { hash } = await share('alice', '/docs/a.txt');
    stage().letRead('', 'root/users/alice/docs/a.txt');
    const wanted = stage().canary('root/users/alice/docs/a.txt');
    // A link to a file is that file, whatever follows.
    for (const [below, expected] of [
      ['/ok.txt', 200],
      ['/../ok.txt', 400],
      ['/%2e%2e/ok.txt', 400],
      ['?files=ok.txt', 200],
      ['/?files=ok.txt', 200],
      ['/../a.txt', 400],
      ['/secret/deny.txt', 200],
    ] as const) {
      const { status, text } = await visit(`dl/${hash}${below}`);
      expect(status, below).toBe(expected);
      if (status === 200) expect(text, below).toBe(wanted);
    }
    const shown = await visit(`share/${hash}/`);
    expect(shown.status).toBe(200);
    expect(JSON.parse(shown.text)).toMatchObject({ isDir: false, name: 'a.txt' });
    expect((await visit(`dl/${hash}`)).text).toBe(wanted);
  });

  attack(
    'SH-15',
    async ({ share, status, plant }) => {
      const { hash } = await share('alice', '/one.txt');
      expect(await status('alice', 'DELETE', '/api/resources/one.txt')).toBe(200);
      await plant('root/users/alice/one.txt', ['alice', 'admin']);
      expect(await visits(`dl/${hash}`)).toBe(404);
      expect(await visits(`share/${hash}`)).toBe(404);
    },
    { changes: inside },
  );

  attack(
    'SH-17',
    async ({ share, status, plant, folder }) => {
      const { hash } = await share('alice', '/two.txt');
      const wanted = stage().canary('root/users/alice/two.txt');
      stage().letRead('', 'root/users/alice/two.txt');
      expect(
        await status('alice', 'PATCH', '/api/resources/two.txt?action=rename&destination=/moved.txt'),
      ).toBe(200);
      await plant('root/users/alice/two.txt', ['alice', 'admin']);
      const after = await visit(`dl/${hash}`);
      expect(after.status === 404 || after.text === wanted).toBe(true);
      expect(await status('alice', 'DELETE', '/api/resources/two.txt')).toBe(200);
      mkdirSync(join(folder, 'root/users/alice/two.txt'));
      await plant('root/users/alice/two.txt/inner.txt', ['alice', 'admin']);
      const later = await visit(`dl/${hash}`);
      expect(later.status === 404 || later.text === wanted).toBe(true);
    },
    { changes: inside },
  );

  attack(
    'SH-19',
    async ({ share, request, status, app, plant }) => {
      const leaver = await stage().addUser('leaver', { share: true, download: true });
      const { hash } = await share('leaver', '/a.txt');
      expect((await request('admin', 'DELETE', `/api/users/${leaver.id}`)).status).toBe(200);
      expect(await visits(`dl/${hash}`)).toBe(404);
      const next = await app.createUser({ username: 'leaver2', scope: '/users/leaver' });
      await plant('root/users/leaver/a.txt', ['admin']);
      expect(next.id).not.toBe(leaver.id);
      expect(await visits(`share/${hash}`)).toBe(404);
      expect(await status('leaver', 'GET', '/api/shares')).toBe(401);
    },
    { changes: ['root/users'] },
  );

  attack('SH-21', async ({ share, request }) => {
    const { hash } = await share('alice', '/pub/', { password, expires: '3', unit: 'minutes' });
    const token = await openWith(hash);
    stage().letRead('', 'root/users/alice/pub');
    expect(await visits(`dl/${hash}/x.txt?token=${token}`)).toBe(200);
    stage().app.clock.advance(181_000);
    for (const target of [
      `share/${hash}?token=${token}`,
      `dl/${hash}/x.txt?token=${token}`,
      `dl/${hash}/?algo=zip&token=${token}`,
    ]) {
      expect((await request('', 'GET', `/api/public/${target}`, withPassword)).status).toBe(404);
    }
    expect((await request('alice', 'GET', '/api/shares')).text).not.toContain(hash);
  });

  attack('SH-23', async ({ app, share, token }) => {
    const hashes: string[] = [];
    for (let round = 0; round < 20; round++) {
      const made = await Promise.all(
        Array.from({ length: 10 }, () =>
          app.fetch('/api/share/pub/', { method: 'POST', token: token('alice'), json: {} }),
        ),
      );
      for (const response of made) hashes.push(((await response.json()) as Share).hash);
    }
    expect(new Set(hashes).size).toBe(200);
    for (const hash of hashes) expect(hash).toMatch(/^[\w-]{22,}$/);
    const ended = await share('alice', '/pub/');
    await stage().status('alice', 'DELETE', `/api/share/${ended.hash}`);
    const unknown = await visit(`share/${'A'.repeat(ended.hash.length)}`);
    const gone = await visit(`share/${ended.hash}`);
    expect([gone.status, gone.text]).toEqual([unknown.status, unknown.text]);
    // Two guesses are used up; further ones have to wait.
    const guesses = maxUnknownSharesPerAddress - 2;
    for (let guess = 0; guess < guesses + 10; guess++) {
      expect(await visits(`share/${guess}${'x'.repeat(20)}`)).toBe(guess < guesses ? 404 : 429);
    }
    expect(await visits(`dl/${hashes[0]}/none.txt`)).toBe(404);
  });
});

describe('the limits of a share', () => {
  attack('SH-25', async ({ share, status }) => {
    const { hash } = await share('alice', '/pub/');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const target of [
        `share/${hash}`,
        `share/${hash}/x.txt`,
        `dl/${hash}/x.txt`,
        `dl/${hash}/new.txt?action=rename&destination=/a.txt`,
        `preview/big/${hash}/x.txt`,
      ]) {
        for (const who of ['', 'alice']) {
          const sent = { json: { path: '/a.txt', source: '/docs', items: ['/a.txt'] } };
          expect(await status(who, method, `/api/public/${target}`, sent), `${method} ${target}`).toBe(405);
        }
      }
    }
  });

  attack('SH-27', async ({ share }) => {
    const folder = await share('alice', '/docs/');
    const file = await share('alice', '/docs/a.txt');
    stage().letRead('', 'root/users/alice/docs');
    for (const { hash } of [folder, file]) {
      const { text } = await visit(`share/${hash}`);
      expect(text).not.toMatch(/alice|users|userID|"scope"|"rules"|\/docs/);
      expect(text).not.toContain('root/');
    }
    expect(JSON.parse((await visit(`share/${folder.hash}`)).text)).toMatchObject({ path: '/', name: 'docs' });
  });

  attack('SH-31', async ({ share, status }) => {
    const { hash } = await share('alice', '/docs/');
    for (const [method, target] of [
      ['GET', '/api/shares'],
      ['GET', '/api/share/a.txt'],
      ['POST', '/api/share/a.txt'],
      ['DELETE', `/api/share/${hash}`],
    ] as const) {
      expect(await status('taker', method, target)).toBe(403);
    }
    expect(await status('giver', 'GET', '/api/shares')).toBe(200);
  });

  attack(
    'SH-33',
    async ({ share, folder }) => {
      writeFileSync(join(folder, 'root/users/alice/pub/x.txt'), 'known');
      const { hash } = await share('alice', '/pub/');
      const swapped = hash.replaceAll(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      );
      for (const other of [
        swapped,
        `${hash}%20`,
        `%20${hash}`,
        `${hash}%00`,
        `${hash}a`,
        hash.slice(0, -1),
        `${hash}%cc%81`,
        `${hash}=`,
      ]) {
        expect(await visits(`share/${other}`), other).toBe(404);
      }
      expect(await visits(`share/${hash}`)).toBe(200);
    },
    { changes: inside },
  );
});
