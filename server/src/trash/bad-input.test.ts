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
import { join } from 'node:path';
import type { StorageReport } from '@filestead/contract/endpoints/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Mounts } from '../../test/fixtures/mounts.ts';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { type TrashClient, trashClient } from './trash-testing.ts';

// Requests that are impossible, or that another request or program has made so.
let app: TestApp;
let alice: TrashClient;
beforeAll(async () => {
  app = await startApp({
    files: { 'docs/': '', 'bob/': '' },
    users: [{ username: 'alice' }, { username: 'bob', scope: '/bob' }],
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
    for (const path of [id, `list/${id}/`, `raw/${id}/`]) {
      const response = await app.fetch(`/api/trash/${path}`, {
        token: client.token,
        headers: { accept: 'application/json' },
      });
      const { requestId: _, ...problem } = (await response.json()) as { requestId?: string };
      responses.add(JSON.stringify([response.status, problem]));
    }
    expect(await client.restore([id])).toEqual(['not_found']);
  }
  expect([...responses]).toEqual([expect.stringMatching(/^\[404,.*"code":"not_found"/)]);
  expect(await refusal('GET', '/api/trash/too-short')).toEqual([400, 'bad_request']);
});

test.each([
  ['/api/trash/restore', { ids: ['short'] }, 'body.ids'],
  ['/api/trash/restore', { ids: ['A'.repeat(22)], conflict: 'merge' }, 'body.conflict'],
  ['/api/trash/restore', { ids: ['A'.repeat(22)], to: 'relative' }, 'body.to'],
  ['/api/trash/restore', { ids: ['A'.repeat(22)], links: 'yes' }, 'body.links'],
  ['/api/trash/restore', { ids: Array.from({ length: 100_001 }, () => 'A'.repeat(22)) }, 'body.ids'],
  ['/api/trash/purge/cancel', { ids: [] }, 'body.ids'],
])('names the invalid part of the request %s %j', async (path, json, place) => {
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

test('restores nothing through a link that leads out of the served folder', async () => {
  const id = await deleted('linked.txt');
  symlinkSync(app.data, join(app.root, 'docs/outside'));
  expect(await alice.restore([id], { to: '/docs/outside' })).toEqual(['external_link']);
  expect(onDisk('../linked.txt')).toBe(false);
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
  const id = await deleted('gone.txt');
  rmSync(storedPath(id));
  expect(await alice.restore([id])).toEqual(['not_found']);
  expect(await alice.status(`/api/trash/${id}`)).toBe(404);
  expect(app.log.some((line) => line.includes('is no longer in its store') && line.includes(id))).toBe(true);
});

test('neither reads nor restores an entry that was replaced by a link, a folder or a pipe in the store', async () => {
  for (const [name, replace] of [
    ['link.txt', (path: string) => symlinkSync(join(app.data, 'filestead.db'), path)],
    ['folder.txt', (path: string) => mkdirSync(path)],
    ['pipe.txt', (path: string) => execFileSync('mkfifo', [path])],
  ] as const) {
    const id = await deleted(name);
    const path = storedPath(id);
    rmSync(path);
    replace(path);
    expect(await alice.restore([id]), name).toEqual(['special_file']);
    if (name !== 'folder.txt') {
      const raw = await app.fetch(`/api/trash/raw/${id}/`, {
        token: alice.token,
        headers: { accept: 'application/json' },
      });
      expect([raw.status, ((await raw.json()) as { code: string }).code], name).toEqual([
        403,
        'special_file',
      ]);
    }
    expect(onDisk(`docs/${name}`), name).toBe(false);
    rmSync(path, { recursive: true });
  }
});

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
