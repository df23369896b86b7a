import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '@filestead/contract/jobs';
import type { User } from '@filestead/contract/users';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasTool, unpack } from '../fixtures/archive-reading.ts';
import type { RawResponse } from './raw-client.ts';
import { prepareStage } from './stage.ts';

// Attacks beyond the listed cases: paths, links, rules and permissions through every verb that accepts a path.
const { stage } = prepareStage({ config: { uploadsPerUser: '50' } });
const ask = (who: string, method: string, target: string, sent = {}): Promise<RawResponse> =>
  stage().request(who, method, target, sent);
const status = (who: string, method: string, target: string, sent = {}): Promise<number> =>
  stage().status(who, method, target, sent);
const disk = (path: string): string => join(stage().folder, path);
const tus = { 'Tus-Resumable': '1.0.0' };
const part = (offset: number): Record<string, string> => ({
  ...tus,
  'Upload-Offset': String(offset),
  'Content-Type': 'application/offset+octet-stream',
});
/** Creates an upload and returns its address. */
async function begin(who: string, path: string, length: string | number): Promise<string> {
  const begun = await ask(who, 'POST', `/api/tus${path}`, {
    headers: { ...tus, 'Upload-Length': String(length) },
  });
  expect(begun.status, begun.text).toBe(201);
  return (begun.headers.location ?? '').replace(/^https?:\/\/[^/]+/, '');
}
/** Runs a job to its end and returns the codes of its items. */
async function runJob(who: string, json: object): Promise<readonly string[] | number> {
  const begun = await ask(who, 'POST', '/api/jobs', { json });
  if (begun.status !== 202) return begun.status;
  const { id } = JSON.parse(begun.text) as Job;
  for (;;) {
    const { text } = await ask(who, 'GET', `/api/jobs/${id}`);
    const { state, results } = JSON.parse(text) as { state: string; results: { code?: string }[] };
    if (state !== 'queued' && state !== 'running') return results.map(({ code }) => code ?? 'done');
    await sleep(5);
  }
}

beforeAll(async () => {
  const { addUser } = stage();
  await addUser(
    'ruled',
    { create: true, rename: true, modify: true, delete: true, share: true, download: true },
    {
      rules: [{ path: '/docs/secret' }, { path: '/private' }],
    },
  );
  await addUser('reader', { download: true });
  await addUser('creator', { create: true });
  await addUser('renamer', { rename: true });
  await addUser('brief', { create: true, modify: true });
  symlinkSync(disk('data'), disk('root/data-link'));
  symlinkSync(disk('data/filestead.db'), disk('root/db-link'));
  const own = 'root/users/ruled';
  stage().deny(`${own}/docs/secret`);
  stage().deny(`${own}/private`);
});

describe('jobs', () => {
  test('rules, permissions and scopes apply to every item of a job', async () => {
    stage().allowed.push('root/users/ruled');
    const ruled = (kind: string, from: string, to?: string): Promise<readonly string[] | number> =>
      runJob('ruled', { kind, items: [{ from, ...(to === undefined ? {} : { to, overwrite: true }) }] });
    for (const from of [
      '/private/secret.txt',
      '//private//secret.txt',
      '/docs/./secret',
      '/docs/secret/deny.txt',
      '/docs',
    ]) {
      for (const kind of ['copy', 'move']) {
        const codes = await ruled(kind, from, '/copied');
        expect(codes, `${kind} ${from}`).toEqual(['forbidden']);
      }
      expect(await ruled('delete', from), from).toEqual(['forbidden']);
      // In a folder, the files that may be read are hashed.
      if (from !== '/docs') expect(await ruled('checksum', from), from).toEqual(['forbidden']);
    }
    for (const to of ['/private/x.txt', '/private', '/docs/secret', '/docs/secret/x']) {
      expect(await ruled('copy', '/a.txt', to), to).toEqual(['forbidden']);
      expect(await ruled('move', '/a.txt', to), to).toEqual(['forbidden']);
    }
    for (const path of ['../bob/a.txt', '/../bob/a.txt', '/docs/../../bob/a.txt', '/a.txt\0']) {
      expect(await ruled('copy', path, '/x'), path).toBe(400);
      expect(await ruled('copy', '/a.txt', path), path).toBe(400);
    }
  });

  test('each kind of job needs its permissions at source and destination', async () => {
    const items = [{ from: '/a.txt', to: '/new.txt' }];
    for (const who of ['reader', 'creator', 'renamer']) {
      for (const [kind, needed] of [
        ['copy', 'creator'],
        ['move', 'renamer'],
        ['delete', ''],
        ['checksum', 'reader'],
      ] as const) {
        if (who === needed) continue;
        expect(await runJob(who, { kind, items }), `${who} ${kind}`).toBe(403);
      }
    }
    // Overwriting also requires the permission to modify.
    const over = [{ from: '/a.txt', to: '/b.txt', overwrite: true }];
    expect(await runJob('creator', { kind: 'copy', items: over })).toBe(403);
    expect(await runJob('renamer', { kind: 'move', items: over })).toBe(403);
  });

  test('jobs of other users cannot be seen, followed or cancelled', async () => {
    const begun = await ask('alice', 'POST', '/api/jobs', {
      json: { kind: 'checksum', items: [{ from: '/a.txt' }] },
    });
    const { id } = JSON.parse(begun.text) as Job;
    for (const who of ['bob', 'admin']) {
      expect(await status(who, 'GET', `/api/jobs/${id}`)).toBe(404);
      expect(await status(who, 'DELETE', `/api/jobs/${id}`)).toBe(404);
      expect((await ask(who, 'GET', '/api/jobs')).text).not.toContain(id);
    }
    expect(await status('', 'GET', `/api/jobs/${id}`)).toBe(401);
  });
});

describe('archives', () => {
  test('tickets obey rules and scopes, and are valid for their session only', async () => {
    for (const paths of [['/private'], ['/docs/secret/deny.txt'], ['/docs', '/private/secret.txt']]) {
      const planned = await ask('ruled', 'POST', '/api/archives', { json: { paths, format: 'tar' } });
      expect(planned.status, JSON.stringify(paths)).toBe(403);
    }
    for (const paths of [['../bob'], ['/..'], ['/a.txt\0'], [''], [{}], 'x', [], ['/a.txt', ['/b.txt']]]) {
      const response = await ask('alice', 'POST', '/api/archives', { json: { paths } });
      // An empty path is the user's scope.
      expect(response.status, JSON.stringify(paths)).toBe(JSON.stringify(paths) === '[""]' ? 200 : 400);
    }
    const planned = await ask('alice', 'POST', '/api/archives', {
      json: { paths: ['/a.txt'], name: '../../x\r\nSet-Cookie: a=b' },
    });
    expect(planned.status).toBe(400);
    const allowed = await ask('alice', 'POST', '/api/archives', { json: { paths: ['/a.txt'] } });
    expect(allowed.status).toBe(200);
    const { ticket } = JSON.parse(allowed.text) as { ticket: string };
    expect(await status('bob', 'GET', `/api/archives/${ticket}`)).toBe(404);
    expect(await status('', 'GET', `/api/archives/${ticket}`)).toBe(401);
  });

  test.skipIf(!hasTool('unzip'))(
    'an archive of a folder skips denied entries and links out of the scope',
    async () => {
      symlinkSync(disk('out'), disk('root/users/ruled/docs2/away'));
      symlinkSync('../private/secret.txt', disk('root/users/ruled/docs2/near.txt'));
      stage().allowed.push('root/users/ruled/docs2');
      const { status: code, body } = await ask('ruled', 'GET', '/api/raw/docs2/?algo=zip');
      expect(code).toBe(200);
      expect([...unpack(body, 'zip').keys()].toSorted()).not.toContain('docs2/near.txt');
    },
  );
});

describe('symbolic and hard links', () => {
  test('the data folder is not served through links in the served folder', async () => {
    for (const path of ['/data-link', '/data-link/filestead.db', '/data-link/canary-data.txt', '/db-link']) {
      for (const target of [
        `/api/resources${path}`,
        `/api/raw${path}`,
        `/api/raw${path}?algo=zip`,
        `/api/usage${path}`,
      ]) {
        expect(await status('admin', 'GET', target), target).toBe(403);
      }
      expect(await status('admin', 'PUT', `/api/resources${path}`, { body: 'x' })).toBe(403);
    }
  });

  test('replacing a hard link does not change the file under its other names', async () => {
    linkSync(disk('out/canary-out.txt'), disk('root/users/alice/twin.txt'));
    stage().letRead('alice', 'out/canary-out.txt');
    stage().letRead('admin', 'out/canary-out.txt');
    stage().allowed.push('root/users/alice');
    const before = readFileSync(disk('out/canary-out.txt'), 'utf8');
    for (const [method, target] of [
      ['PUT', '/api/resources/twin.txt'],
      ['POST', '/api/resources/twin.txt?override=true'],
      ['PATCH', '/api/resources/a.txt?action=copy&destination=%2Ftwin.txt&override=true'],
    ] as const) {
      expect(await status('alice', method, target, { body: 'mine' }), target).toBe(200);
      expect(readFileSync(disk('out/canary-out.txt'), 'utf8')).toBe(before);
    }
    stage().deny('out/canary-out.txt');
  });

  test('uploads never become executable', async () => {
    stage().allowed.push('root/users/alice');
    await status('alice', 'POST', '/api/resources/run.sh', { body: '#!/bin/sh\n' });
    const address = await begin('alice', '/run-parts.sh', 3);
    expect(await status('alice', 'PATCH', address, { headers: part(0), body: 'abc' })).toBe(204);
    for (const name of ['run.sh', 'run-parts.sh']) {
      expect(statSync(disk(`root/users/alice/${name}`)).mode & 0o7111).toBe(0);
    }
  });
});

describe('uploads in parts', () => {
  test('malformed and deferred lengths are rejected', async () => {
    for (const length of [
      '-1',
      '1.5',
      '1e3',
      '0x10',
      'abc',
      '',
      ' ',
      '9'.repeat(30),
      'NaN',
      '+5',
      '18446744073709551616',
    ]) {
      const response = await ask('alice', 'POST', '/api/tus/never.bin', {
        headers: { ...tus, 'Upload-Length': length },
      });
      expect(response.status, `“${length}”`).toBe(400);
    }
    expect(
      await status('alice', 'POST', '/api/tus/never.bin', {
        headers: { ...tus, 'Upload-Defer-Length': '1' },
      }),
    ).toBe(400);
    expect(await status('alice', 'POST', '/api/tus/never.bin', { headers: tus })).toBe(400);
  });

  test('upload metadata cannot change the path, and is not repeated in responses', async () => {
    const metadata = `filename ${Buffer.from('../../out/w.txt').toString('base64')},relativePath ${Buffer.from('/etc').toString('base64')}`;
    const begun = await ask('alice', 'POST', '/api/tus/named.bin', {
      headers: { ...tus, 'Upload-Length': '1', 'Upload-Metadata': metadata },
    });
    expect(begun.status).toBe(201);
    expect(begun.headers.location).not.toContain('w.txt');
    const address = (begun.headers.location ?? '').replace(/^https?:\/\/[^/]+/, '');
    stage().allowed.push('root/users/alice');
    expect(await status('alice', 'PATCH', address, { headers: part(0), body: 'x' })).toBe(204);
    expect(readFileSync(disk('root/users/alice/named.bin'), 'utf8')).toBe('x');
    for (const odd of ['filename', 'filename !!!', ',,,', 'a b,a c', 'é ü', 'x '.repeat(5_000)]) {
      const response = await ask('alice', 'POST', '/api/tus/odd.bin', {
        headers: { ...tus, 'Upload-Length': '1', 'Upload-Metadata': odd },
      });
      expect(response.status, odd.slice(0, 20)).toBe(201);
      const made = (response.headers.location ?? '').replace(/^https?:\/\/[^/]+/, '');
      expect(await status('alice', 'DELETE', made, { headers: tus })).toBe(204);
    }
  });

  test('concurrent and misplaced parts never mix', async () => {
    stage().allowed.push('root/users/alice');
    const address = await begin('alice', '/together.bin', 4_000);
    const letters = ['a', 'b', 'c', 'd'];
    const statuses = await Promise.all(
      letters.map((letter) =>
        status('alice', 'PATCH', address, { headers: part(0), body: letter.repeat(4_000) }),
      ),
    );
    expect(statuses.filter((code) => code === 204)).toHaveLength(1);
    const content = readFileSync(disk('root/users/alice/together.bin'), 'utf8');
    expect(letters.map((letter) => letter.repeat(4_000))).toContain(content);
    const other = await begin('alice', '/gap.bin', 10);
    for (const [offset, expected] of [
      [1, 409],
      [5, 409],
      [10, 409],
      [11, 400],
    ] as const) {
      const sent = { headers: part(offset), body: 'x' };
      expect(await status('alice', 'PATCH', other, sent), `${offset}`).toBe(expected);
    }
    for (const offset of ['-1', 'x', '1e1', '']) {
      const headers = { ...part(0), 'Upload-Offset': offset };
      expect(await status('alice', 'PATCH', other, { headers, body: 'x' }), offset).toBe(400);
    }
    expect.soft(await status('alice', 'PATCH', other, { headers: part(0), body: 'x'.repeat(11) })).toBe(413);
    expect(await status('alice', 'DELETE', other, { headers: tus })).toBe(204);
  });

  test('an upload ends when its user loses the permission', async () => {
    const users = JSON.parse((await ask('admin', 'GET', '/api/users')).text) as User[];
    const user = users.find(({ username }) => username === 'brief');
    if (user === undefined) throw new Error('there is no such user');
    const { id } = user;
    const address = await begin('brief', '/later.bin', 4);
    expect(await status('brief', 'PATCH', address, { headers: part(0), body: 'ab' })).toBe(204);
    const data = { ...user, perm: { ...user.perm, create: false } };
    expect(
      await status('admin', 'PUT', `/api/users/${id}`, { json: { what: 'user', which: ['perm'], data } }),
    ).toBe(200);
    expect(await status('brief', 'PATCH', address, { headers: part(2), body: 'cd' })).toBe(403);
    stage().allowed.push('root/users/brief');
  });

  test('a method override header is checked like the method itself', async () => {
    stage().allowed.push('root/users/alice');
    const address = await begin('alice', '/kept.bin', 4);
    for (const [method, refusal] of [
      ['DELETE', 404],
      ['PATCH', 404],
      ['GET', 405],
      ['PUT', 405],
    ] as const) {
      const headers = {
        'X-HTTP-Method-Override': method,
        'X-HTTP-Method': method,
        'X-Method-Override': method,
      };
      for (const [target, expected] of [
        ['/api/resources/a.txt', 403],
        ['/api/users/1', 405],
        ['/api/settings', 405],
        ['/api/tus/a.txt', 403],
      ] as const) {
        expect
          .soft(await status('reader', 'POST', target, { headers, body: 'x' }), `${method} ${target}`)
          .toBe(expected);
      }
      const sent = { headers: { ...part(0), ...headers }, body: 'x' };
      expect(await status('bob', 'POST', address, sent), method).toBe(refusal);
      expect(await status('', 'POST', address, { headers: { ...headers, ...tus } })).toBe(401);
    }
    expect(await status('alice', 'DELETE', address, { headers: tus })).toBe(204);
  });
});

describe('files that helper programs read', () => {
  const hasFfmpeg = hasTool('ffmpeg');
  test.skipIf(!hasFfmpeg)(
    'a playlist with the name of a video opens no other file and no address',
    async () => {
      const secret = disk('out/canary-out.txt');
      const playlists = [
        `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nconcat:${secret}|file://${secret}\n#EXT-X-ENDLIST\n`,
        `#EXTM3U\n#EXTINF:10.0,\nhttp://127.0.0.1:${stage().port}/health\n#EXT-X-ENDLIST\n`,
        `ffconcat version 1.0\nfile '${secret}'\n`,
      ];
      stage().allowed.push('root/users/alice');
      for (const [index, playlist] of playlists.entries()) {
        for (const ending of ['mp4', 'avi', 'mkv', 'm3u8']) {
          const name = `list-${index}.${ending}`;
          writeFileSync(disk(`root/users/alice/${name}`), playlist);
          expect(await status('alice', 'GET', `/api/preview/thumb/${name}`), name).toBe(501);
        }
      }
      expect(stage().app.log.join('')).not.toMatch(/\/health: 200 [^"]*Lavf/);
    },
  );

  test('a file name that looks like an option is treated as a name', async () => {
    stage().allowed.push('root/users/alice');
    for (const name of [
      '-i',
      '--help',
      '-rf',
      '-y evil.mp4',
      '@list.txt',
      '%d.png',
      'file:x.mp4',
      'concat:a.mp4',
      '|id.png',
    ]) {
      const target = encodeURIComponent(name);
      expect(await status('alice', 'POST', `/api/resources/${target}`, { body: 'x' }), name).toBe(200);
      expect((await ask('alice', 'GET', `/api/raw/${target}`)).text).toBe('x');
      expect(await status('alice', 'GET', `/api/raw/?files=${encodeURIComponent(target)}&algo=tar`)).toBe(
        200,
      );
      await status('alice', 'GET', `/api/preview/thumb/${target}`);
      expect(await status('alice', 'DELETE', `/api/resources/${target}`)).toBe(200);
    }
  });

  test('pictures with huge dimensions and SVGs with nested or external entities are never decoded', async () => {
    stage().allowed.push('root/users/alice');
    const huge = Buffer.from('89504e470d0a1a0a0000000d494844527fffffff7fffffff0806000000', 'hex');
    writeFileSync(disk('root/users/alice/huge.png'), Buffer.concat([huge, Buffer.alloc(1_000)]));
    writeFileSync(
      disk('root/users/alice/huge.gif'),
      Buffer.concat([Buffer.from('GIF89a\xff\xff\xff\xff\xf7\x00\x00', 'latin1'), Buffer.alloc(1_000)]),
    );
    writeFileSync(
      disk('root/users/alice/bomb.svg'),
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY x SYSTEM "file:///etc/hostname">]><svg xmlns="http://www.w3.org/2000/svg"><text>&d;&d;&d;&x;</text><image href="file:///etc/hostname"/></svg>`,
    );
    for (const name of ['huge.png', 'huge.gif', 'bomb.svg']) {
      const response = await ask('alice', 'GET', `/api/preview/big/${name}`, { timeoutMs: 40_000 });
      expect(response.status, name).toBe(name === 'huge.png' ? 422 : 200);
    }
  });
});

test('names that differ in one byte or letter are different files', async () => {
  stage().allowed.push('root/users/alice');
  mkdirSync(disk('root/users/alice/forms'));
  const names = ['é', 'e\u0301', 'É', 'ss', 'ß', 'K', '\u212a'];
  for (const name of names) {
    const target = `/api/resources/forms/${encodeURIComponent(name)}`;
    expect(await status('alice', 'POST', target, { body: name }), name).toBe(200);
  }
  for (const name of names) {
    expect((await ask('alice', 'GET', `/api/raw/forms/${encodeURIComponent(name)}`)).text).toBe(name);
  }
});

test('files that the server has created are not writable by all system users', () => {
  const listed = execFileSync(
    'find',
    [disk('root/users/alice'), '-newer', disk('data/filestead.db'), '-perm', '/002'],
    { encoding: 'utf8' },
  );
  expect(listed).toBe('');
});
