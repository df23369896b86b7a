import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@filestead/contract/endpoints';
import type { Resource } from '@filestead/contract/files';
import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { beforeAll, expect } from 'vitest';
import { readRequests, unexpectedStatuses, writeRequests } from './file-requests.ts';
import { pixel, prepareStage } from './stage.ts';

const { stage, attack } = prepareStage();
const inside = ['root/users/alice'];
const all = { create: true, rename: true, modify: true, delete: true, share: true, download: true };
const claims = { headers: { 'X-Permissions': 'admin' }, json: { perm: { admin: true, download: true } } };

beforeAll(async () => {
  const { addUser, folder } = stage();
  await addUser('nobody', {});
  await addUser('sharer', { share: true });
  await addUser('creator', { create: true });
  await addUser('renamer', { rename: true });
  await addUser('writer', { create: true, modify: true, rename: true });
  await addUser('hider', all, { hideDotfiles: true });
  for (const name of ['nobody', 'sharer', 'alice']) {
    writeFileSync(join(folder, `root/users/${name}/movie.mp4`), 'not really');
    writeFileSync(join(folder, `root/users/${name}/movie.vtt`), 'WEBVTT\n\n00:01.000 --> 00:02.000\nsaid\n');
    writeFileSync(join(folder, `root/users/${name}/img.png`), pixel);
  }
});
/** Adds forged parameters to a request; only the permissions of its sender count. */
const forged = (target: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}perm=admin&download=true&override=true`;

attack('PV-01', async ({ request, status }) => {
  for (const who of ['nobody', 'sharer']) {
    for (const [method, query, headers] of [
      ['GET', '', {}],
      ['GET', '?inline=true', {}],
      ['GET', '', { Range: 'bytes=0-3' }],
      ['HEAD', '', {}],
    ] as const) {
      const response = await request(who, method, forged(`/api/raw/a.txt${query}`), { headers });
      expect(response.status).toBe(403);
      expect(response.headers['content-length']).not.toBe('32');
      expect(response.headers.etag).toBeUndefined();
    }
  }
  expect(await status('alice', 'GET', '/api/raw/a.txt')).toBe(200);
});

attack('PV-03', async ({ request, status }) => {
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
    const response = await request('nobody', 'GET', forged(`/api/resources/a.txt?checksum=${algorithm}`));
    expect([response.status, /[0-9a-f]{32}/.test(response.text)]).toEqual([403, false]);
  }
  const json = { kind: 'checksum', items: [{ from: '/a.txt' }] };
  expect(await status('nobody', 'POST', '/api/jobs', { json })).toBe(403);
  const plain = await request('nobody', 'GET', '/api/resources/a.txt');
  expect(JSON.parse(plain.text)).not.toHaveProperty('content');
  expect(await status('alice', 'GET', '/api/resources/a.txt?checksum=md5')).toBe(200);
});

attack('PV-05', async ({ request, status }) => {
  const seen = JSON.parse((await request('alice', 'GET', '/api/resources/movie.mp4')).text) as Resource;
  expect(seen.subtitles).toEqual(['/movie.vtt']);
  for (const path of seen.subtitles ?? []) {
    for (const prefix of ['/api/subtitle', '/api/raw']) {
      expect(await status('nobody', 'GET', forged(`${prefix}${path}`))).toBe(403);
      expect(await status('alice', 'GET', `${prefix}${path}`)).toBe(200);
    }
  }
});

attack('PV-07', async ({ request, status }) => {
  for (const algo of ['zip', 'tar', 'targz', 'tarbz2', 'tarxz', 'tarlz4', 'tarsz', 'tarzst', 'tarbr']) {
    for (const target of [`/api/raw/docs/?algo=${algo}`, `/api/raw/docs/?files=a.txt&algo=${algo}`]) {
      const response = await request('nobody', 'GET', forged(target));
      expect([response.status, response.text]).toEqual([403, '403 Forbidden\n']);
    }
  }
  expect(await status('nobody', 'POST', '/api/archives', { json: { paths: ['/docs'] } })).toBe(403);
  expect(await status('alice', 'GET', '/api/raw/docs/?algo=tar')).toBe(200);
});

attack('PV-09', async ({ request, status, plant }) => {
  const before = statSync(join(stage().folder, 'root/users/creator/a.txt'));
  expect(await status('creator', 'POST', '/api/resources/a.txt?override=true', { body: 'x' })).toBe(403);
  expect(await status('creator', 'PUT', '/api/resources/a.txt', { body: 'x' })).toBe(403);
  expect(
    await status('creator', 'PATCH', '/api/resources/b.txt?action=copy&destination=/a.txt&override=true'),
  ).toBe(403);
  const headers = { 'Upload-Length': '1' };
  expect(await status('creator', 'POST', '/api/tus/a.txt?override=true', { headers })).toBe(403);
  const json = { kind: 'copy', items: [{ from: '/b.txt', to: '/a.txt', overwrite: true }] };
  expect(await status('creator', 'POST', '/api/jobs', { json })).toBe(403);
  const after = statSync(join(stage().folder, 'root/users/creator/a.txt'));
  expect([after.mode, after.mtimeMs, after.ino]).toEqual([before.mode, before.mtimeMs, before.ino]);
  stage().allowed.push('root/users/alice');
  await plant('root/users/alice/spare.txt', ['alice', 'admin']);
  expect(
    (await request('alice', 'POST', '/api/resources/spare.txt?override=true', { body: 'x' })).status,
  ).toBe(200);
});

attack('PV-11', async ({ status }) => {
  const copy = '/api/resources/a.txt?action=copy&destination=/c.txt';
  const move = '/api/resources/a.txt?action=rename&destination=/c.txt';
  for (const [who, target] of [
    ['renamer', copy],
    ['creator', move],
    ['nobody', copy],
    ['nobody', move],
  ] as const) {
    expect(await status(who, 'PATCH', target, claims)).toBe(403);
  }
  stage().allowed.push('root/users/renamer', 'root/users/creator');
  expect(await status('renamer', 'PATCH', move)).toBe(200);
  expect(await status('creator', 'PATCH', copy)).toBe(200);
});

attack('PV-13', async ({ status, allowed }) => {
  for (const path of ['/a.txt', '/docs/', '/docs']) {
    expect(await status('writer', 'DELETE', `/api/resources${path}`)).toBe(403);
  }
  const json = { kind: 'delete', items: [{ from: '/a.txt' }] };
  expect(await status('writer', 'POST', '/api/jobs', { json })).toBe(403);
  allowed.push('root/users/alice');
  expect(await status('alice', 'DELETE', '/api/resources/docs2/')).toBe(200);
});

attack('PV-15', async ({ status, folder }) => {
  for (const target of [
    '/api/resources/a.txt?action=copy&destination=/docs&override=true',
    '/api/resources/a.txt?action=rename&destination=/docs&override=true',
    '/api/resources/docs2?action=rename&destination=/a.txt&override=true',
    '/api/resources/docs2?action=copy&destination=/a.txt&override=true',
  ]) {
    expect(await status('writer', 'PATCH', target), target).toBe(409);
  }
  stage().allowed.push('root/users/writer');
  expect(
    await status('writer', 'PATCH', '/api/resources/docs2?action=rename&destination=/docs&override=true'),
  ).toBe(200);
  // Folders are merged: all that was there still is.
  const left = readdirSync(join(folder, 'root/users/writer'), { recursive: true }).map(String);
  for (const path of ['docs/a.txt', 'docs/ok.txt', 'docs/secret/deny.txt', 'docs/pub/open.txt']) {
    expect(left).toContain(path);
  }
});

attack('PV-17', async ({ status, request }) => {
  for (const path of ['/a.txt', '/docs', '/docs/']) {
    expect(await status('creator', 'DELETE', `/api/tus${path}`)).toBe(403);
    expect(await status('creator', 'DELETE', `/api/tus${path}?upload=x`)).toBe(404);
  }
  stage().allowed.push('root/users/alice');
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '9' };
  const begun = await request('alice', 'POST', '/api/tus/part.bin', { headers });
  const address = (begun.headers.location ?? '').replace(/^https?:\/\/[^/]*/, '');
  expect(await status('creator', 'DELETE', address, { headers: { 'Tus-Resumable': '1.0.0' } })).toBe(404);
  expect(await status('alice', 'DELETE', address, { headers: { 'Tus-Resumable': '1.0.0' } })).toBe(204);
});

attack('PV-19', async ({ status }) => {
  for (const action of [
    '',
    'COPY',
    'Rename',
    'move',
    'copy%00',
    'copy,rename',
    '__proto__',
    'constructor',
    'toString',
  ]) {
    const target = `/api/resources/a.txt?action=${action}&destination=/c.txt`;
    expect(await status('alice', 'PATCH', target), action).toBe(400);
  }
  expect(await status('alice', 'PATCH', '/api/resources/a.txt?destination=/c.txt')).toBe(400);
  expect(await status('alice', 'PATCH', '/api/resources/a.txt?action=copy')).toBe(400);
});

attack('PV-21', async ({ request, status }) => {
  const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as User[];
  const bob = users.find(({ username }) => username === 'bob');
  const json = { what: 'user', which: ['perm'], data: { ...bob, perm: { admin: true } } };
  for (const [method, target, sent] of [
    ['GET', `/api/users/${bob?.id}`, {}],
    ['PUT', `/api/users/${bob?.id}`, { json }],
    ['DELETE', `/api/users/${bob?.id}`, {}],
    ['GET', '/api/users', {}],
    ['POST', '/api/users', { json }],
    ['GET', '/api/settings', {}],
    ['PUT', '/api/settings', { json: {} }],
    ['GET', `/api/sessions?user=${bob?.id}`, {}],
    ['DELETE', `/api/sessions?user=${bob?.id}`, {}],
  ] as const) {
    expect(await status('alice', method, target, sent), `${method} ${target}`).toBe(403);
  }
  const after = JSON.parse((await request('admin', 'GET', '/api/users')).text) as User[];
  expect(after).toEqual(users);
  expect(await status('bob', 'GET', `/api/users/${bob?.id}`)).toBe(200);
});

attack('PV-23', async ({ request, share }) => {
  const hashes = { alice: (await share('alice', '/docs/')).hash, bob: (await share('bob', '/docs/')).hash };
  for (const who of ['alice', 'bob'] as const) {
    for (const target of ['/api/shares', '/api/share/docs/']) {
      const seen = JSON.parse((await request(who, 'GET', target)).text) as Share[];
      expect(
        seen.map(({ hash }) => hash),
        target,
      ).toEqual([hashes[who]]);
    }
  }
  const everybodys = JSON.parse((await request('admin', 'GET', '/api/shares')).text) as Share[];
  expect(everybodys.map(({ hash }) => hash)).toEqual(expect.arrayContaining(Object.values(hashes)));
  const ofAdmins = JSON.parse((await request('admin', 'GET', '/api/share/users/alice/docs')).text) as Share[];
  expect(ofAdmins.map(({ hash }) => hash)).toEqual([hashes.alice]);
  expect((await request('bob', 'DELETE', `/api/share/${hashes.alice}`)).status).toBe(403);
});

attack(
  'PV-25',
  async ({ status, share, plant, letRead }) => {
    await plant('root/users/alice/abc/x.txt', ['alice', 'admin']);
    const { hash } = await share('alice', '/abc/x.txt');
    letRead('', 'root/users/alice/abc/x.txt');
    for (const path of ['/a', '/ab', '/abc', '/abc/x.txt']) {
      const target = path.endsWith('.txt') ? path : `${path}/`;
      expect(await status('bob', 'POST', `/api/resources${target}`, { body: '' })).toBe(200);
      expect(await status('bob', 'DELETE', `/api/resources${path}`)).toBe(200);
    }
    expect(await status('', 'GET', `/api/public/dl/${hash}`)).toBe(200);
    expect(await status('alice', 'DELETE', '/api/resources/abc')).toBe(200);
    expect(await status('', 'GET', `/api/public/dl/${hash}`)).toBe(404);
  },
  { changes: ['root/users/alice', 'root/users/bob'] },
);

attack('PV-27', async ({ request, status }) => {
  for (const path of [
    '/api/resources/',
    '/api/raw/a.txt',
    '/api/users',
    '/api/settings',
    '/api/public/dl/x',
  ]) {
    for (const method of ['TRACE', 'PROPFIND', 'MOVE', 'LOCK', 'QUERY', 'get', 'CONNECT', 'OPTIONS']) {
      const response = await request('alice', method, path, { headers: { 'X-Echo': 'echo-me' } });
      // A connection that asks to be tunneled is closed without a response.
      // The parser of HTTP does not know QUERY, nor a method in small letters.
      const wanted = method === 'CONNECT' ? 0 : ['QUERY', 'get'].includes(method) ? 400 : 405;
      expect(response.status, `${method} ${path}`).toBe(wanted);
      expect(response.raw.includes('echo-me')).toBe(false);
      if (response.status === 405) expect(response.headers.allow).toMatch(/GET/);
    }
    expect(await status('alice', 'HEAD', path)).toBe(await status('alice', 'GET', path));
    expect(await status('', 'HEAD', path)).toBe(await status('', 'GET', path));
  }
});

attack('PV-29', async ({ request, share, status }) => {
  const hidden = '.dot';
  const listing = JSON.parse((await request('hider', 'GET', '/api/resources/')).text) as Resource;
  expect(listing.items?.map(({ name }) => name)).not.toContain(hidden);
  for (const target of ['/api/search/?query=hidden', '/api/recursive/', '/api/raw/?algo=tar']) {
    const response = await request('hider', 'GET', target);
    expect([response.status, response.body.includes('hidden.txt')], target).toEqual([200, false]);
  }
  const { hash } = await share('hider', '/');
  for (const prefix of ['share', 'dl']) {
    const response = await request('hider', 'GET', `/api/public/${prefix}/${hash}/?algo=tar`);
    expect([response.status, response.body.includes(hidden)]).toEqual([200, false]);
    expect(await status('', 'GET', `/api/public/${prefix}/${hash}/.dot/hidden.txt`)).toBe(403);
  }
  // A hidden entry is refused by its name, in every way to read and to change it.
  expect(await unexpectedStatuses(stage(), 'hider', readRequests('/.dot'), 403)).toEqual([]);
  expect(await unexpectedStatuses(stage(), 'hider', writeRequests('/.dot'), 403)).toEqual([]);
});

attack(
  'PV-31',
  async ({ request, folder }) => {
    const copies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        request(
          'alice',
          'PATCH',
          `/api/resources/b.txt?action=copy&destination=/a.txt&rename=true${index % 2 ? '&override=true' : ''}`,
        ),
      ),
    );
    const finals = copies.map(({ status, headers }) => `${status} ${headers['x-final-path']}`);
    expect(new Set(finals).size).toBe(50);
    expect(finals.every((final) => /^200 %?2?F?\/?.*a.*/.test(final))).toBe(true);
    expect(
      readdirSync(join(folder, 'root/users/alice')).filter((name) => /^a.*\.txt$/.test(name)),
    ).toHaveLength(51);
  },
  { changes: inside },
);

attack(
  'PV-33',
  async ({ status, folder }) => {
    mkdirSync(join(folder, 'root/users/alice/tree'));
    writeFileSync(join(folder, 'root/users/alice/tree/leaf.txt'), 'leaf');
    writeFileSync(join(folder, 'root/users/alice/gone.txt'), 'gone');
    const statuses = [];
    for (const [method, target, body] of [
      ['PUT', '/api/resources/tree', 'x'],
      ['POST', '/api/resources/tree?override=true', 'x'],
      ['PUT', '/api/resources/tree/', 'x'],
      ['POST', '/api/resources/a.txt/', ''],
      ['GET', '/api/recursive/a.txt', undefined],
      ['GET', '/api/raw/a.txt?files=b.txt', undefined],
      // Existing clients write a slash behind the names of files too: it means the file and nothing else.
      ['GET', '/api/resources/a.txt/', undefined],
      ['GET', '/api/raw/a.txt/', undefined],
      ['DELETE', '/api/resources/gone.txt/', undefined],
    ] as const) {
      statuses.push(await status('alice', method, target, body === undefined ? {} : { body }));
    }
    expect(statuses).toEqual([405, 405, 405, 409, 409, 404, 200, 200, 200]);
    expect(existsSync(join(folder, 'root/users/alice/gone.txt'))).toBe(false);
    expect(readdirSync(join(folder, 'root/users/alice/tree'))).toEqual(['leaf.txt']);
  },
  { changes: inside },
);

attack('PV-35', async ({ request }) => {
  const target = (path: string): string =>
    path
      .replace('{id}', '2')
      .replace('{hash}', 'abc')
      .replace('{size}', 'thumb')
      .replace('{ticket}', 't')
      .replace('*', 'a.txt');
  for (const { id, method, path, access } of endpoints) {
    if (access === 'anyone') continue;
    for (const auth of [
      undefined,
      'null',
      'undefined',
      '',
      'Bearer x',
      'a.b.c',
      'eyJhbGciOiJub25lIn0.eyJ1c2VyIjp7ImlkIjoxfX0.',
    ]) {
      const headers: Record<string, string> = auth === undefined ? {} : { 'X-Auth': auth };
      const response = await request('', method, target(path), { headers, body: '{"what":"user"}' });
      expect(response.status, `${id} with ${auth}`).toBe(401);
    }
  }
});
