import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Job } from '@filestead/contract/jobs';
import type { StorageReport } from '@filestead/contract/endpoints/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobsClient } from '../../test/fixtures/jobs-client.ts';
import { Mounts } from '../../test/fixtures/mounts.ts';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { type TrashClient, trashClient } from './trash-testing.ts';

// Requests that are impossible, or that another request or program has made so.
let app: TestApp;
let alice: TrashClient;
beforeAll(async () => {
  app = await startApp({
    files: { 'docs/': '', 'bob/': '' },
    users: [
      { username: 'alice' },
      { username: 'bob', scope: '/bob' },
      { username: 'ruled', rules: [{ path: '/denied' }] },
    ],
  });
  alice = await trashClient(app, 'alice');
});
afterAll(() => app.close());

const plant = (path: string): void => writeFileSync(join(app.root, path), path);
const onDisk = (path: string): boolean => existsSync(join(app.root, path));
/** The status and the code of a request that is refused. */
async function refusal(
  method: string,
  path: string,
  json?: unknown,
  token = alice.token,
): Promise<[number, string]> {
  const headers = { accept: 'application/json' };
  const response = await app.fetch(path, { method, token, headers, ...(json === undefined ? {} : { json }) });
  return [response.status, ((await response.json()) as { code: string }).code];
}
/** Creates and deletes a file. Returns its id in the trash. */
async function deleted(name: string): Promise<string> {
  plant(`docs/${name}`);
  return alice.remove(`/docs/${name}`);
}
/** The path of a deleted entry in the store. */
function storedPath(id: string): string {
  const top = join(app.root, '.filestead-trash');
  const found = readdirSync(top, { recursive: true, encoding: 'utf8' }).find((path) => path.includes(id));
  return join(top, found ?? '');
}

test('treats an unknown, an invisible and a purged id alike', async () => {
  const bob = await trashClient(app, 'bob');
  const invisible = await deleted('invisible.txt');
  const purged = await deleted('purged.txt');
  expect((await alice.post('/api/trash/purge', { ids: [purged] })).status).toBe(200);
  const responses = new Set<string>();
  for (const [client, id] of [
    [alice, 'A'.repeat(22)],
    [bob, invisible],
    [alice, purged],
  ] as const) {
    for (const [method, path, json] of [
      ['GET', id],
      ['GET', `list/${id}/`],
      ['GET', `raw/${id}/`],
      ['GET', `preview/thumb/${id}/`],
      ['POST', 'purge', { ids: [id] }],
      // The user who purged an entry may cancel that.
      ...(id === purged ? [] : ([['POST', 'purge/cancel', { ids: [id] }]] as const)),
    ] as const) {
      const response = await app.fetch(`/api/trash/${path}`, {
        method,
        token: client.token,
        headers: { accept: 'application/json' },
        ...(json === undefined ? {} : { json }),
      });
      const { requestId: _, ...problem } = (await response.json()) as { requestId?: string };
      responses.add(JSON.stringify([response.status, problem]));
    }
    expect(await client.restore([id])).toEqual(['not_found']);
  }
  expect([...responses]).toEqual([expect.stringMatching(/^\[404,.*"code":"not_found"/)]);
  for (const path of ['too-short', 'list/too-short/', 'raw/too-short/', 'preview/thumb/too-short/'])
    expect(await refusal('GET', `/api/trash/${path}`), path).toEqual([400, 'bad_request']);
});

test('tells visitors nothing about an id, not even whether it is one', async () => {
  const id = await deleted('unseen.txt');
  const responses = new Set<string>();
  for (const each of [id, 'A'.repeat(22), 'too-short']) {
    for (const [method, path, json] of [
      ['GET', `/api/trash/${each}`],
      ['GET', `/api/trash/list/${each}/`],
      ['GET', `/api/trash/raw/${each}/`],
      ['GET', `/api/trash/preview/thumb/${each}/`],
      ['POST', '/api/trash/restore', { ids: [each] }],
      ['POST', '/api/trash/purge', { ids: [each] }],
      ['POST', '/api/trash/purge/cancel', { ids: [each] }],
    ] as const) {
      const response = await app.fetch(path, {
        method,
        headers: { accept: 'application/json' },
        ...(json === undefined ? {} : { json }),
      });
      const { requestId: _, ...problem } = (await response.json()) as { requestId?: string };
      responses.add(JSON.stringify([response.status, problem]));
    }
  }
  expect([...responses]).toEqual([expect.stringMatching(/^\[401,.*"code":"not_signed_in"/)]);
  expect(await alice.restore([id])).toEqual(['/docs/unseen.txt']);
});

test('restores, of what is another user’s alone, nothing', async () => {
  const token = await app.signIn('admin');
  const show = async (trashVisibility: string): Promise<void> => {
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as object;
    const json = { ...settings, trashVisibility };
    expect((await app.fetch('/api/settings', { method: 'PUT', token, json })).status).toBe(200);
  };
  const id = await deleted('of-alice.txt');
  await show('deleter');
  try {
    const other = await trashClient(app, 'ruled');
    expect(await other.restore([id])).toEqual(['not_found']);
    expect(await other.restore([id], { to: '/docs/taken' })).toEqual(['not_found']);
    expect(await refusal('GET', `/api/trash/raw/${id}/`, undefined, other.token)).toEqual([404, 'not_found']);
    expect(await refusal('POST', '/api/trash/purge', { ids: [id] }, other.token)).toEqual([404, 'not_found']);
    expect([onDisk('docs/of-alice.txt'), onDisk('docs/taken')]).toEqual([false, false]);
    expect(await alice.restore([id])).toEqual(['/docs/of-alice.txt']);
  } finally {
    await show('place');
  }
});

test.each([
  ['/api/trash/restore', 'body.ids', { ids: ['short'] }],
  ['/api/trash/restore', 'body.conflict', { ids: ['A'.repeat(22)], conflict: 'merge' }],
  ['/api/trash/restore', 'body.to', { ids: ['A'.repeat(22)], to: 'relative' }],
  ['/api/trash/restore', 'body.links', { ids: ['A'.repeat(22)], links: 'yes' }],
  ['/api/trash/restore', 'body.ids', { ids: Array.from({ length: 100_001 }, () => 'A'.repeat(22)) }],
  ['/api/trash/purge', 'body', { ids: ['short'] }],
  ['/api/trash/purge/cancel', 'body.ids', { ids: [] }],
  ['/api/trash/purge/cancel', 'body.ids', { ids: ['short'] }],
  ['/api/trash/purge/cancel', 'body.ids', { ids: Array.from({ length: 100_001 }, () => 'A'.repeat(22)) }],
])('names the invalid part of a request: %s, %s', async (path, place, json) => {
  const response = await app.fetch(path, {
    method: 'POST',
    token: alice.token,
    headers: { accept: 'application/json' },
    json,
  });
  expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining(place),
  ]);
});

test('refuses a cursor of which a single character was altered', async () => {
  for (const name of ['one.txt', 'two.txt']) await deleted(name);
  const { next } = await alice.list('?limit=1');
  expect((await alice.list(`?limit=1&before=${next}`)).items).toHaveLength(1);
  const cursor = next ?? '';
  for (let index = 0; index < cursor.length; index++) {
    const altered = `${cursor.slice(0, index)}${cursor[index] === '1' ? '2' : '1'}${cursor.slice(index + 1)}`;
    const response = await app.fetch(`/api/trash?before=${altered}`, {
      token: alice.token,
      headers: { accept: 'application/json' },
    });
    const { detail } = (await response.json()) as { detail?: string };
    expect([response.status, detail], altered).toEqual([400, expect.stringContaining('before')]);
  }
});

test('restores nothing into a store, a denied folder or a file, alone or in a job', async () => {
  mkdirSync(join(app.root, 'denied'));
  writeFileSync(join(app.root, 'docs/a-file'), 'a file');
  const ids: string[] = [];
  for (let index = 0; index < 6; index++) ids.push(await deleted(`refused-${index}.txt`));
  const ruled = await trashClient(app, 'ruled');
  const before = readdirSync(app.root).toSorted();
  for (const [client, to, code] of [
    [alice, '/.filestead-trash', 'forbidden'],
    [alice, '/docs/.Filestead-Trash/below', 'forbidden'],
    [ruled, '/denied', 'forbidden'],
    [ruled, '/denied/new', 'forbidden'],
    [alice, '/docs/a-file', 'not_a_folder'],
    [alice, '/docs/a-file/below', 'not_a_folder'],
  ] as const) {
    expect(await client.restore(ids.slice(0, 1), { to }), to).toEqual([code]);
    const response = await client.post('/api/trash/restore', { ids, to });
    expect(response.status).toBe(202);
    const { results } = await jobsClient(app, client.token).ended(((await response.json()) as Job).id);
    expect(
      results.map((result) => 'code' in result && result.code),
      to,
    ).toEqual(ids.map(() => code));
  }
  expect([readdirSync(app.root).toSorted(), readdirSync(join(app.root, 'denied'))]).toEqual([before, []]);
  expect(readdirSync(join(app.root, 'docs')).filter((name) => /trash|refused/i.test(name))).toEqual([]);
  expect(readFileSync(join(app.root, 'docs/a-file'), 'utf8')).toBe('a file');
  expect((await alice.restore(ids.slice(0, 5))).every((path) => path.startsWith('/docs/refused-'))).toBe(
    true,
  );
});

test('shows users nothing of their own folder that was deleted, and restores nothing onto their root', async () => {
  mkdirSync(join(app.root, 'home'));
  plant('home/own.txt');
  await app.createUser({ username: 'homeless', scope: '/home' });
  const homeless = await trashClient(app, 'homeless');
  app.clock.advance(1);
  const id = await alice.remove('/home');
  expect(await homeless.status(`/api/trash/${id}`)).toBe(404);
  expect((await homeless.post('/api/trash/restore', { ids: [id] })).status).toBe(404);
  mkdirSync(join(app.root, 'home'));
  for (const more of [{}, { to: '/' }, { to: '/', conflict: 'replace' }])
    expect(await homeless.restore([id], more)).toEqual(['not_found']);
  expect(readdirSync(join(app.root, 'home'))).toEqual([]);
  rmdirSync(join(app.root, 'home'));
  expect(await alice.restore([id])).toEqual(['/home']);
});

test('restores nothing through a link that leads out of the served folder', async () => {
  const id = await deleted('linked.txt');
  symlinkSync(app.data, join(app.root, 'docs/outside'));
  for (const to of ['/docs/outside', '/docs/outside/new']) {
    expect(await alice.restore([id], { to }), to).toEqual(['external_link']);
    expect(readdirSync(app.data).filter((name) => ['linked.txt', 'new'].includes(name))).toEqual([]);
  }
  expect(await refusal('POST', '/api/trash/restore', { ids: [id], to: '/docs/../..' })).toEqual([
    400,
    'invalid_path',
  ]);
  expect(await alice.restore([id])).toEqual(['/docs/linked.txt']);
});

test('restores nothing for a user without the permission to create', async () => {
  await app.createUser({ username: 'reader', perm: { create: false } });
  app.clock.advance(1);
  const id = await deleted('wanted.txt');
  const reader = await trashClient(app, 'reader');
  expect(await refusal('POST', '/api/trash/restore', { ids: [id] }, reader.token)).toEqual([
    403,
    'forbidden',
  ]);
  expect([onDisk('docs/wanted.txt'), (await alice.item(id)).id]).toEqual([false, id]);
});

test.each([
  ['GET', '/api/resources/.filestead-trash/', 404, 'not_found'],
  ['GET', '/api/raw/.Filestead-Trash/README.txt', 404, 'not_found'],
  ['DELETE', '/api/resources/.filestead-trash', 404, 'not_found'],
  ['POST', '/api/resources/.filestead-trash', 403, 'forbidden'],
  ['POST', '/api/resources/docs/.FILESTEAD-TRASH/x.txt', 403, 'forbidden'],
  ['GET', '/api/trash?below=/.filestead-trash', 200, undefined],
  ['GET', '/api/usage/.filestead-trash', 404, 'not_found'],
  ['PUT', '/api/resources/.filestead-trash/README.txt', 404, 'not_found'],
  ['POST', '/api/resources/.filestead-trash/', 403, 'forbidden'],
  ['POST', '/api/resources/.filestead-trash?override=true', 403, 'forbidden'],
  ['POST', '/api/share/.filestead-trash', 404, 'not_found'],
  ['PATCH', '/api/resources/.filestead-trash?action=rename&destination=%2Fx', 404, 'not_found'],
  ['PATCH', '/api/resources/.filestead-trash?action=copy&destination=%2Fx', 404, 'not_found'],
  ['PATCH', '/api/resources/docs?action=rename&destination=%2F.filestead-trash', 403, 'forbidden'],
  ['PATCH', '/api/resources/docs?action=copy&destination=%2Fbob%2F.filestead-trash', 403, 'forbidden'],
] as const)(
  'refuses the name of a store: %s %s is answered with %i %s',
  async (method, path, status, code) => {
    await deleted('for-the-store.txt');
    const before = readdirSync(app.root).toSorted();
    expect(await refusal(method, path)).toEqual([status, code]);
    expect([readdirSync(app.root).toSorted(), readdirSync(join(app.root, 'bob'))]).toEqual([before, []]);
  },
);

test('refuses the name of a store in jobs and in uploads of several files', async () => {
  await deleted('for-the-jobs.txt');
  plant('docs/source.txt');
  const before = [readdirSync(app.root).toSorted(), readdirSync(join(app.root, 'docs')).toSorted()];
  const jobs = jobsClient(app, alice.token);
  for (const [kind, from, to, code] of [
    ['move', '/docs/source.txt', '/.filestead-trash', 'forbidden'],
    ['copy', '/docs/source.txt', '/docs/.FILESTEAD-TRASH/x', 'forbidden'],
    ['copy', '/.filestead-trash', '/docs/copied', 'not_found'],
    ['move', '/.filestead-trash', '/docs/moved', 'not_found'],
    ['delete', '/.filestead-trash', undefined, 'not_found'],
  ] as const) {
    const items = [{ from, ...(to === undefined ? {} : { to }) }];
    const response = await alice.post('/api/jobs', { kind, items });
    expect(response.status).toBe(202);
    const { results } = await jobs.ended(((await response.json()) as Job).id);
    expect(results, `${kind} ${from} ${to}`).toEqual([expect.objectContaining({ code })]);
  }
  for (const path of ['.filestead-trash', 'docs/.Filestead-Trash/x.txt?override=true']) {
    const headers = { accept: 'application/json', 'upload-length': '1' };
    const response = await app.fetch(`/api/tus/${path}`, { method: 'POST', token: alice.token, headers });
    expect([response.status, ((await response.json()) as { code: string }).code], path).toEqual([
      403,
      'forbidden',
    ]);
  }
  const files = [{ path: '/.filestead-trash/x.txt', size: 1 }];
  const body = `${JSON.stringify({ files })}\nx`;
  const response = await app.fetch('/api/uploads', { method: 'POST', token: alice.token, body });
  expect(JSON.parse(await response.text())).toMatchObject({ file: 0, status: 403, code: 'forbidden' });
  expect([readdirSync(app.root).toSorted(), readdirSync(join(app.root, 'docs')).toSorted()]).toEqual(before);
});

test('deletes, replaces and restores nothing on a read-only disk', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'filestead-read-only-'));
  const config = { root: join(folder, 'root'), data: join(folder, 'data') };
  const disk = join(config.root, 'disk');
  mkdirSync(disk, { recursive: true });
  writeFileSync(join(config.root, 'c.txt'), 'c');
  const mounts = new Mounts();
  let server: TestApp | undefined;
  try {
    mounts.required(context).tmpfs(disk);
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(disk, name), name);
    server = await startApp({ config });
    let client = await trashClient(server, 'admin');
    const [onIt, beside] = [await client.remove('/disk/a.txt'), await client.remove('/c.txt')];
    // A disk with open files stays writable.
    await server.close();
    mounts.remountReadOnly(disk);
    server = await startApp({ config });
    client = await trashClient(server, 'admin');
    for (const [method, query] of [
      ['DELETE', ''],
      ['DELETE', '?permanent=true'],
      ['PUT', ''],
    ] as const) {
      const headers = { accept: 'application/json' };
      const options = { method, token: client.token, headers, ...(method === 'PUT' ? { body: 'new' } : {}) };
      const response = await server.fetch(`/api/resources/disk/b.txt${query}`, options);
      expect([response.status, ((await response.json()) as { code: string }).code], method + query).toEqual([
        403,
        'forbidden',
      ]);
    }
    expect(await client.restore([onIt])).toEqual(['forbidden']);
    expect(await client.restore([onIt], { to: '/' })).toEqual(['forbidden']);
    expect(await client.restore([beside], { to: '/disk' })).toEqual(['forbidden']);
    expect(readdirSync(config.root).toSorted()).toEqual(['.filestead-trash', 'disk']);
    expect(readdirSync(disk).toSorted()).toEqual(['.filestead-trash', 'b.txt']);
    expect(readFileSync(join(disk, 'b.txt'), 'utf8')).toBe('b.txt');
    mounts.remountWritable(disk);
    expect(await client.restore([onIt, beside])).toEqual(['/disk/a.txt', '/c.txt']);
  } finally {
    await server?.close();
    mounts.release();
    await rm(folder, { recursive: true, force: true });
  }
});

test('deletes nothing on a full disk, where no record can be written', async (context) => {
  const mounts = new Mounts();
  const disk = join(app.root, 'disk');
  mkdirSync(disk);
  try {
    mounts.required(context).tmpfs(disk, 'size=64k');
    writeFileSync(join(disk, 'a.txt'), 'a');
    expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC');
    expect(await refusal('DELETE', '/api/resources/disk/a.txt')).toEqual([409, 'cannot_keep']);
    expect(readFileSync(join(disk, 'a.txt'), 'utf8')).toBe('a');
    const elsewhere = await deleted('for-the-full-disk.txt');
    expect(await alice.restore([elsewhere], { to: '/disk' })).toEqual(['storage_full']);
    expect(readdirSync(disk).filter((name) => name !== '.filestead-trash')).toEqual(['a.txt', 'filler']);
    expect(await alice.restore([elsewhere])).toEqual(['/docs/for-the-full-disk.txt']);
    expect(await alice.status('/api/resources/disk/a.txt?permanent=true', 'DELETE')).toBe(200);
  } finally {
    mounts.release();
    rmdirSync(disk);
  }
});

test('skips a damaged record, and counts it for administrators', async () => {
  const id = await deleted('recorded.txt');
  const token = await app.signIn('admin');
  const check = async (): Promise<unknown> => {
    const report = (await (await app.fetch('/api/storage?check=true', { token })).json()) as StorageReport;
    return report.volumes[0]?.check?.damaged;
  };
  const before = Number(await check());
  const store = join(app.root, '.filestead-trash');
  const ledger = readdirSync(store, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('.jsonl'),
  );
  appendFileSync(join(store, ledger ?? ''), '\n{"type":"keep","id":\nnot a record\n');
  expect(await check()).toBe(before + 2);
  expect(await alice.restore([id])).toEqual(['/docs/recorded.txt']);
});

test('lets either a restoration or a concurrent purge succeed, not both', async () => {
  for (let round = 0; round < 10; round++) {
    const name = `race-${round}.txt`;
    const id = await deleted(name);
    const [restored, purge] = await Promise.all([
      alice.restore([id]),
      alice.post('/api/trash/purge', { ids: [id] }),
    ]);
    const isRestored = restored[0] === `/docs/${name}`;
    expect([restored[0], purge.status, onDisk(`docs/${name}`)]).toEqual(
      isRestored ? [`/docs/${name}`, 404, true] : ['not_found', 200, false],
    );
  }
});

test('drops an entry that was removed from the store by hand, and logs that', async () => {
  for (const notice of ['restoring', 'reading', 'listing', 'in a job'] as const) {
    const id = await deleted('gone.txt');
    rmSync(storedPath(id));
    if (notice === 'restoring') expect(await alice.restore([id])).toEqual(['not_found']);
    if (notice === 'reading')
      expect(await refusal('GET', `/api/trash/raw/${id}/`)).toEqual([404, 'not_found']);
    if (notice === 'listing')
      expect(await refusal('GET', `/api/trash/list/${id}/`)).toEqual([404, 'not_found']);
    if (notice === 'in a job') {
      const ids = [id, ...Array.from({ length: 5 }, (_, index) => `${'A'.repeat(21)}${index}`)];
      const job = (await (await alice.post('/api/trash/restore', { ids })).json()) as Job;
      const { results } = await jobsClient(app, alice.token).ended(job.id);
      expect(results).toContainEqual(expect.objectContaining({ index: 0, code: 'not_found' }));
    }
    expect(await alice.status(`/api/trash/${id}`), notice).toBe(404);
    expect(await alice.names(), notice).not.toContain('gone.txt');
    const logged = app.log.some((line) => line.includes('is no longer in its store') && line.includes(id));
    expect(logged, notice).toBe(true);
  }
});

test('neither reads nor restores an entry that was replaced by a link, a folder, a pipe or a device in the store', async () => {
  for (const [name, replace] of [
    ['link.txt', (path: string) => symlinkSync(join(app.data, 'filestead.db'), path)],
    ['folder.txt', (path: string) => mkdirSync(path)],
    ['pipe.txt', (path: string) => execFileSync('mkfifo', [path])],
    // A device can be created by the superuser only.
    ...(process.geteuid?.() === 0
      ? [['device.txt', (path: string) => execFileSync('mknod', [path, 'c', '1', '5'])] as const]
      : []),
  ] as const) {
    const id = await deleted(name);
    const path = storedPath(id);
    rmSync(path);
    replace(path);
    expect(await alice.restore([id]), name).toEqual(['special_file']);
    for (const kind of ['raw', 'list', 'preview/thumb'])
      expect(await refusal('GET', `/api/trash/${kind}/${id}/`), name).toEqual([403, 'special_file']);
    expect(onDisk(`docs/${name}`), name).toBe(false);
    rmSync(path, { recursive: true });
  }
});

test.each(['store', 'installation', 'things', 'hour', 'ledger'] as const)(
  'opens nothing through a link in the place of a folder of the store: %s',
  async (part) => {
    const folder = await mkdtemp(join(tmpdir(), 'filestead-store-'));
    const config = { root: join(folder, 'root'), data: join(folder, 'data') };
    mkdirSync(config.root);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(config.root, name), name);
    let server = await startApp({ config });
    try {
      const id = await (await trashClient(server, 'admin')).remove('/a.txt');
      // A store stays open for a while after it was used.
      await server.close();
      const store = join(config.root, '.filestead-trash');
      const stored = readdirSync(store, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.includes(id),
      );
      const hour = join(store, dirname(stored ?? ''));
      const things = dirname(hour);
      const installation = dirname(things);
      const swapped = { store, installation, things, hour, ledger: join(installation, 'ledger') }[part];
      const away = join(folder, 'away');
      renameSync(swapped, away);
      symlinkSync(away, swapped);
      server = await startApp({ config });
      const client = await trashClient(server, 'admin');
      const contents = (): string[] =>
        readdirSync(away, { recursive: true, encoding: 'utf8', withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), 'utf8')}`)
          .toSorted();
      const before = contents();
      const codeOf = async (method: string, path: string): Promise<[number, string]> => {
        const headers = { accept: 'application/json' };
        const response = await server.fetch(path, { method, token: client.token, headers });
        return [response.status, ((await response.json()) as { code: string }).code];
      };
      // A link in the place of the hour replaces its entries, and one higher up the whole store.
      const [status, code] = part === 'hour' ? [403, 'special_file'] : [404, 'not_found'];
      expect(await codeOf('GET', `/api/trash/raw/${id}/`)).toEqual([status, code]);
      expect(await client.restore([id])).toEqual([code]);
      expect(await codeOf('DELETE', '/api/resources/b.txt')).toEqual([409, 'cannot_keep']);
      const saved = { method: 'PUT', token: client.token, body: 'new' };
      expect((await server.fetch('/api/resources/c.txt', saved)).status).toBe(409);
      const { token } = client;
      const report = (await (await server.fetch('/api/storage', { token })).json()) as StorageReport;
      expect(report.volumes[0]?.problem).toBe(part === 'hour' ? 'not_writable' : 'store_missing');
      expect(contents()).toEqual(before);
      const present = ['b.txt', 'c.txt'].map((name) => readFileSync(join(config.root, name), 'utf8'));
      expect([present, existsSync(join(config.root, 'a.txt'))]).toEqual([['b.txt', 'c.txt'], false]);
      rmSync(swapped);
      renameSync(away, swapped);
      expect(await client.names()).toEqual(['a.txt']);
      expect(await client.restore([id])).toEqual(['/a.txt']);
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test('uses no store that was replaced by a link, and informs administrators', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'filestead-store-'));
  const config = { root: join(folder, 'root'), data: join(folder, 'data') };
  mkdirSync(config.root);
  writeFileSync(join(config.root, 'a.txt'), 'a');
  writeFileSync(join(config.root, 'b.txt'), 'b');
  try {
    const before = await startApp({ config });
    await (await trashClient(before, 'admin')).remove('/a.txt');
    await before.close();
    const store = join(config.root, '.filestead-trash');
    renameSync(store, join(config.root, 'away'));
    symlinkSync(join(config.root, 'away'), store);
    const after = await startApp({ config });
    const token = await after.signIn('admin');
    const refused = await after.fetch('/api/resources/b.txt', {
      method: 'DELETE',
      token,
      headers: { accept: 'application/json' },
    });
    const { code } = (await refused.json()) as { code: string };
    const report = (await (await after.fetch('/api/storage', { token })).json()) as StorageReport;
    await after.close();
    expect([refused.status, code, existsSync(join(config.root, 'b.txt'))]).toEqual([
      409,
      'cannot_keep',
      true,
    ]);
    expect(report.volumes[0]).toMatchObject({
      place: '/',
      problem: 'store_missing',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
