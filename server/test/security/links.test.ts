import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, readdirSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { mkdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Resource } from '@filestead/contract/files';
import { beforeAll, expect } from 'vitest';
import { bytesOf, exchange } from './raw-client.ts';
import { type ExpectedStatus, readRequests, unexpectedStatuses, writeRequests } from './file-requests.ts';
import { type Stage, prepareStage } from './stage.ts';

const { stage, attack } = prepareStage({ config: { uploadExpiration: '10m' } });
const ownFolder = ['root/users/alice'];
const refused = 403;
const home = (path: string): string => join(stage().folder, 'root/users/alice', path);
const out = (path: string): string => join(stage().folder, 'out', path);

beforeAll(async () => {
  await symlink(out('canary-out.txt'), home('esc'));
  await symlink(out('dir'), home('d'));
  await symlink(out('dir'), home('m'));
  await symlink(out('no-such-file'), home('esc-missing'));
  await symlink('nowhere', home('dangling'));
  await symlink('loop-b', home('loop-a'));
  await symlink('loop-a', home('loop-b'));
  await symlink('../escaped', out('dir/evil'));
  await symlink('../private', home('docs/pub/l'));
  await symlink('docs', home('within'));
  await symlink('/proc/self/environ', home('env'));
  await symlink('/dev/stdin', home('stdin'));
  await symlink('/proc/self/root', home('proc-root'));
  execFileSync('mkfifo', [home('pipe')]);
  await new Promise<void>((resolve) => {
    const server = createServer().listen(home('socket'), () => server.unref() && resolve());
  });
});

/** A link that leads out of the scope is refused with 403; its name is not that of a subtitle file, which is 400. */
const linkRead: ExpectedStatus = ({ target }) => (/^\/api\/subtitle\/[^/]*$/.test(target) ? 400 : 403);

attack('SL-01', async (stage) => {
  for (const path of ['/esc', '/d/f.txt', '/d/sub/f.txt']) {
    expect(await unexpectedStatuses(stage, 'alice', readRequests(path), linkRead)).toEqual([]);
  }
  // The permitted counterpart: a link within the scope.
  expect(await stage.status('alice', 'GET', '/api/raw/within/ok.txt')).toBe(200);
});

attack('SL-03', async ({ request, folder }) => {
  const {
    items = [],
    numDirs,
    numFiles,
  } = JSON.parse((await request('alice', 'GET', '/api/resources/')).text) as Resource;
  const named = (name: string) => items.find((item) => item.name === name);
  for (const name of ['esc', 'd', 'esc-missing', 'dangling', 'loop-a', 'loop-b', 'env', 'proc-root']) {
    const item = named(name);
    if (item === undefined) continue;
    const own = lstatSync(join(folder, 'root/users/alice', name));
    expect(item).toMatchObject({ type: 'invalid_link', isSymlink: true, isDir: false, size: own.size });
  }
  expect(named('a.txt')).toMatchObject({ type: 'text' });
  expect(named('within')).toMatchObject({ isDir: true });
  expect(items.filter(({ isDir }) => isDir)).toHaveLength(numDirs ?? -1);
  expect(items.filter(({ isDir }) => !isDir)).toHaveLength(numFiles ?? -1);
});

attack(
  'SL-05',
  async (stage) => {
    for (const path of ['/d/new.txt', '/d/a/b/c.txt', '/d/f.txt']) {
      expect(await unexpectedStatuses(stage, 'alice', writeRequests(path), 403)).toEqual([]);
    }
    const json = { kind: 'copy', items: [{ from: '/b.txt', to: '/d/x' }] };
    const job = JSON.parse((await stage.request('alice', 'POST', '/api/jobs', { json })).text) as {
      id: string;
    };
    const readJob = async (): Promise<unknown> =>
      JSON.parse((await stage.request('alice', 'GET', `/api/jobs/${job.id}`)).text);
    await expect.poll(readJob).toMatchObject({ state: 'failed', failures: [{ code: 'external_link' }] });
  },
  { changes: ownFolder },
);

attack('SL-07', async ({ status }) => {
  expect(await status('alice', 'POST', '/api/resources/m/evil?override=true', { body: 'x' })).toBe(refused);
  expect(await status('alice', 'PUT', '/api/resources/m/evil', { body: 'x' })).toBe(refused);
  expect(readlinkSync(out('dir/evil'))).toBe('../escaped');
});

attack('SL-09', async (stage) => {
  await stage.addUser('creator', { create: true });
  stage.allowed.push('root/users/creator', 'root/users');
  symlinkSync(out('dir'), join(stage.folder, 'root/users/creator/link'));
  expect(await stage.status('creator', 'POST', '/api/resources/link/victim.txt', { body: 'x' })).toBe(
    refused,
  );
  const half = bytesOf({
    method: 'POST',
    target: '/api/resources/link/victim.txt',
    headers: [
      ['X-Auth', stage.token('creator')],
      ['Content-Length', '100000'],
    ],
    body: 'x'.repeat(100),
  });
  await exchange(stage.port, half, { timeoutMs: 200 });
  expect(readFileSync(out('dir/victim.txt'), 'utf8')).toBe(stage.canary('out/dir/victim.txt'));
});

attack(
  'SL-11',
  async ({ status }) => {
    expect(await status('alice', 'PATCH', '/api/resources/esc?action=rename&destination=/docs/esc2')).toBe(
      200,
    );
    expect(readlinkSync(home('docs/esc2'))).toBe(out('canary-out.txt'));
    expect(await status('alice', 'PATCH', '/api/resources/docs/a.txt?action=rename&destination=/d/x')).toBe(
      refused,
    );
    expect(await status('alice', 'PATCH', '/api/resources/docs?action=rename&destination=/docs2/moved')).toBe(
      200,
    );
    expect(readlinkSync(home('docs2/moved/esc2'))).toBe(out('canary-out.txt'));
    expect(await status('alice', 'GET', '/api/raw/docs2/moved/esc2')).toBe(refused);
    expect(await status('alice', 'PATCH', '/api/resources/docs2/moved?action=rename&destination=/docs')).toBe(
      200,
    );
    expect(await status('alice', 'PATCH', '/api/resources/docs/esc2?action=rename&destination=/esc')).toBe(
      200,
    );
  },
  { changes: ownFolder },
);

attack('SL-13', async ({ share, request, status, letRead }) => {
  const { hash } = await share('alice', '/docs/pub/');
  letRead('', 'root/users/alice/docs/pub');
  for (const path of ['l/', 'l/secret.txt', 'l']) {
    for (const prefix of ['share', 'dl', 'preview/thumb']) {
      // Behind a link that leads out of the share there is no folder to be shown.
      const expected = path === 'l/' || (path === 'l' && prefix === 'share') ? 404 : refused;
      const target = `/api/public/${prefix}/${hash}/${path}`;
      expect(await status('', 'GET', target), target).toBe(expected);
    }
  }
  const archive = await request('', 'GET', `/api/public/dl/${hash}/?algo=tar`);
  expect([archive.status, archive.body.includes('open.txt'), archive.body.includes('secret.txt')]).toEqual([
    200,
    true,
    false,
  ]);
  expect(await status('', 'GET', `/api/public/dl/${hash}/open.txt`)).toBe(200);
});

attack(
  'SL-15',
  async ({ request }) => {
    await mkdir(home('t'));
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '100' };
    const created = await request('alice', 'POST', '/api/tus/t/f.txt', { headers });
    expect(created.status).toBe(201);
    const address = created.headers.location ?? '';
    await request('alice', 'PATCH', address.replace(/^https?:\/\/[^/]*/, ''), {
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      },
      body: 'half',
    });
    renameSync(home('t'), home('t-away'));
    symlinkSync(out('dir'), home('t'));
    const later = await request('alice', 'POST', '/api/tus/later.txt', { headers });
    expect(later.status).toBe(201);
    stage().app.clock.advance(11 * 60_000);
    // Uploads are removed in order: when the later one is gone, so is the first.
    await expect.poll(() => readdirSync(home('')).filter((name) => name.endsWith('.part'))).toEqual([]);
    // The comparison of the disk after the test checks that the folder outside is unchanged.
    expect(readFileSync(out('dir/f.txt'), 'utf8')).toHaveLength(32);
  },
  { changes: ownFolder },
);

attack(
  'SL-17',
  async (stage) => {
    const target = home('swapped.txt');
    const requests = [
      { method: 'PUT', target: '/api/resources/swapped.txt', body: 'written' },
      { method: 'POST', target: '/api/resources/swapped.txt?override=true', body: 'written' },
      { method: 'GET', target: '/api/raw/swapped.txt' },
    ] as const;
    // The possible responses to each request, recorded in each state of the path: missing, a link, and the stages of a file.
    const possible = { PUT: new Set<string>(), POST: new Set<string>(), GET: new Set<string>() };
    const ask = async ({ method, target: path, ...sent }: (typeof requests)[number]): Promise<string> => {
      const { status, text } = await stage.request('alice', method, path, sent);
      return `${status} ${text}`;
    };
    const states = [
      { plant: async () => undefined, statuses: [404, 200, 404] },
      { plant: () => symlink(out('w.txt'), target), statuses: [403, 403, 403] },
      { plant: () => writeFile(target, ''), statuses: [200, 200, 200] },
      { plant: () => writeFile(target, 'mine'), statuses: [200, 200, 200] },
      { plant: () => writeFile(target, 'written'), statuses: [200, 200, 200] },
    ];
    for (const { plant, statuses } of states) {
      for (const [index, row] of requests.entries()) {
        await rm(target, { force: true });
        await plant();
        const outcome = await ask(row);
        expect(outcome.slice(0, 4), row.method).toBe(`${statuses[index]} `);
        possible[row.method].add(outcome);
      }
    }
    // The entry that is overwritten may vanish between the checks of the request and its end.
    possible.POST.add('404 404 Not Found\n');
    // `cannot_keep`: it was swapped while its former state was moved to the store; nothing has changed then.
    possible.POST.add('409 409 Conflict\n');
    possible.PUT.add('409 409 Conflict\n');
    await rm(target, { force: true });
    let rounds = 0;
    const finished = new AbortController();
    const swapping = (async () => {
      for (; !finished.signal.aborted; rounds++) {
        await unlink(target).catch(() => undefined);
        await symlink(out('w.txt'), target).catch(() => undefined);
        await unlink(target).catch(() => undefined);
        // Never truncates a file that a request has just written: its download would be cut short.
        await writeFile(target, 'mine', { flag: 'wx' }).catch(() => undefined);
      }
    })();
    const unexpected: string[] = [];
    for (let round = 0; round < 60; round++) {
      for (const row of requests) {
        const outcome = await ask(row);
        if (!possible[row.method].has(outcome)) unexpected.push(`${row.method} ${outcome}`);
      }
    }
    finished.abort();
    await swapping;
    expect(unexpected).toEqual([]);
    expect(rounds).toBeGreaterThan(20);
  },
  { changes: ownFolder },
);

attack(
  'SL-19',
  async (stage) => {
    for (const path of ['/pipe', '/socket']) {
      for (const row of [...readRequests(path), ...writeRequests(path)]) {
        const { method, target, ...sent } = row;
        // Replacing a pipe with a file only changes its name, which is harmless.
        if (target.includes(`destination=${path}`)) continue;
        // The kind of a pipe may be reported, but no request waits for one (it would have no status), reads from it or writes to it.
        const status = await stage.status('alice', method, target, sent);
        const isReported = method === 'GET' && /^\/api\/(?:usage\/|search\/|resources\/\w+$)/.test(target);
        const isNameTaken = method === 'POST' && /^\/api\/resources\/\w+\/?$/.test(target);
        const isNoFolder = target.startsWith('/api/recursive/');
        const isNoSubtitle = target.startsWith('/api/subtitle/');
        const expected = isReported ? 200 : isNameTaken || isNoFolder ? 409 : isNoSubtitle ? 400 : 403;
        expect(status, `${method} ${target}`).toBe(expected);
      }
    }
  },
  { changes: ownFolder },
);

attack(
  'SL-21',
  async (stage) => {
    const { app, folder } = stage;
    await mkdir(join(folder, 'root/users/real'));
    await symlink('real', join(folder, 'root/users/linked'));
    await app.createUser({ username: 'linked', scope: '/users/linked' });
    await app.createUser({ username: 'whole', scope: '/' });
    for (const who of ['linked', 'whole']) {
      await stage.signIn(who);
      stage.letRead(who, 'root');
      expect(await stage.status(who, 'POST', '/api/resources/made.txt', { body: 'x' })).toBe(200);
      expect(await stage.status(who, 'GET', '/api/raw/made.txt')).toBe(200);
      expect(
        await stage.status(who, 'PATCH', '/api/resources/made.txt?action=rename&destination=/r.txt'),
      ).toBe(200);
      expect(await stage.status(who, 'DELETE', '/api/resources/r.txt')).toBe(200);
      const folderPath = join(folder, who === 'whole' ? 'root' : 'root/users/real');
      await symlink(out('canary-out.txt'), join(folderPath, 'esc'));
      await symlink(out('dir'), join(folderPath, 'd'));
      for (const path of ['/esc', '/d/f.txt']) {
        expect(await unexpectedStatuses(stage, who, readRequests(path), linkRead)).toEqual([]);
      }
      expect(await unexpectedStatuses(stage, who, writeRequests('/d/new.txt', '/a.txt'), 403)).toEqual([]);
    }
  },
  { changes: ['root'] },
);

attack('SL-23', async (stage) => {
  for (const path of ['/env', '/stdin', '/proc-root/etc/passwd', '/proc-root']) {
    expect(await unexpectedStatuses(stage, 'alice', readRequests(path), linkRead)).toEqual([]);
  }
});

attack('SL-25', async (stage: Stage) => {
  const responsesTo = async (path: string): Promise<string[]> => {
    const responses: string[] = [];
    for (const { method, target, ...sent } of [
      ...readRequests(path),
      { method: 'POST', target: `/api/resources${path}`, body: 'x' },
      { method: 'PUT', target: `/api/resources${path}`, body: 'x' },
    ]) {
      const { status, text } = await stage.request('alice', method, target, sent);
      responses.push(`${method} ${status} ${text}`);
    }
    return responses;
  };
  expect(await responsesTo('/esc')).toEqual(await responsesTo('/esc-missing'));
  expect(await responsesTo('/d/f.txt')).toEqual(await responsesTo('/d/no-such-file.txt'));
});
