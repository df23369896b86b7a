import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionPage } from '@filestead/contract/endpoints/versions';
import type { User } from '@filestead/contract/users';
import { expect } from 'vitest';
import { prepareStage, type Sender } from './stage.ts';
import { storeClosesMs, storedPath, storeFolders, swapFolder } from './swap-store.ts';

const { stage, attack } = prepareStage();

const all = { create: true, rename: true, modify: true, delete: true, download: true, purge: true };

const listOf = async (who: Sender, path: string): Promise<VersionPage> =>
  JSON.parse((await stage().request(who, 'GET', `/api/versions/list${path}`)).text) as VersionPage;
/** Replaces a file, and returns the id of its former state. */
async function replaced(who: Sender, path: string, body = 'replaced'): Promise<string> {
  expect(await stage().status(who, 'PUT', `/api/resources${path}`, { body })).toBe(200);
  return (await listOf(who, path)).versions[0]?.id ?? '';
}
/** The statuses of all requests that name a version. */
async function statusesOf(who: Sender, id: string): Promise<number[]> {
  const { status } = stage();
  return [
    await status(who, 'GET', `/api/versions/${id}`),
    await status(who, 'GET', `/api/versions/raw/${id}`),
    await status(who, 'GET', `/api/versions/raw/${id}?inline=true`),
    await status(who, 'GET', `/api/versions/preview/thumb/${id}`),
    await status(who, 'POST', '/api/versions/restore', { json: { id } }),
    await status(who, 'POST', '/api/versions/restore', { json: { id, as: 'copy' } }),
    await status(who, 'POST', '/api/versions/restore', { json: { id, as: 'copy', to: '/stolen.txt' } }),
    await status(who, 'PATCH', `/api/versions/${id}`, { json: { label: 'mine' } }),
    await status(who, 'DELETE', `/api/versions/${id}`),
  ];
}
const nothing = Array.from({ length: 9 }, () => 404);

attack(
  'VE-01',
  async ({ status }) => {
    const id = await replaced('alice', '/docs/ok.txt');
    expect(await statusesOf('bob', id)).toEqual(nothing);
    expect((await listOf('bob', '/docs/ok.txt')).total).toBe(0);
    for (const kind of ['raw', 'preview/thumb']) {
      const target = `/api/${kind}/docs/ok.txt?version=${id}`;
      expect(await status('bob', 'GET', target), target).toBe(404);
    }
    expect((await listOf('alice', '/docs/ok.txt')).versions.map((version) => version.id)).toEqual([id]);
    expect(await status('alice', 'POST', '/api/versions/restore', { json: { id } })).toBe(200);
  },
  { changes: ['root/users/alice'] },
);

attack(
  'VE-03',
  async ({ addUser, deny, request, status }) => {
    await addUser('carol', all);
    const id = await replaced('carol', '/private/secret.txt');
    const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as User[];
    const carol = users.find(({ username }) => username === 'carol');
    const rules = [{ regex: false, allow: false, path: '/private', regexp: null }];
    const json = { what: 'user', which: ['rules'], data: { ...carol, rules } };
    expect(await status('admin', 'PUT', `/api/users/${carol?.id}`, { json })).toBe(200);
    deny('root/users/carol/private');
    expect(await statusesOf('carol', id)).toEqual(nothing);
    expect(await status('carol', 'GET', '/api/versions/list/private/secret.txt')).toBe(403);
    expect(await status('carol', 'GET', `/api/raw/docs/ok.txt?version=${id}`)).toBe(404);
  },
  { changes: ['root/users'] },
);

attack(
  'VE-05',
  async ({ share, status }) => {
    const { hash } = await share('alice', '/docs/');
    const id = await replaced('alice', '/docs/a.txt');
    expect(await statusesOf('', id)).toEqual(nothing.map(() => 401));
    for (const kind of ['dl', 'preview/thumb']) {
      const target = `/api/public/${kind}/${hash}/a.txt?version=${id}`;
      expect(await status('', 'GET', target), target).toBe(404);
    }
    expect(await status('alice', 'POST', '/api/versions/restore', { json: { id } })).toBe(200);
  },
  { changes: ['root/users/alice'] },
);

attack(
  'VE-07',
  async ({ addUser, request, status }) => {
    await addUser('former', all);
    const id = await replaced('former', '/a.txt');
    const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as User[];
    const former = users.find(({ username }) => username === 'former');
    expect(await status('admin', 'DELETE', `/api/users/${former?.id}`)).toBe(200);
    stage().deny('root/users/former');
    await addUser('latter', all, { scope: '/users/former' });
    expect(await listOf('latter', '/a.txt')).toMatchObject({ versions: [], total: 0 });
    expect(await statusesOf('latter', id)).toEqual(nothing);
  },
  { changes: ['root/users'] },
);

attack(
  'VE-09',
  async ({ folder, status }) => {
    const base = join(folder, 'root/users/alice');
    const id = await replaced('alice', '/docs/ok.txt');
    renameSync(join(base, 'docs'), join(base, 'away'));
    symlinkSync(join(folder, 'out/dir'), join(base, 'docs'));
    symlinkSync('../bob', join(base, 'of-bob'));
    for (const json of [
      { id },
      { id, as: 'copy' },
      { id, as: 'copy', to: '/docs/new.txt' },
      { id, as: 'copy', to: '/of-bob/new.txt' },
    ]) {
      const text = JSON.stringify(json);
      expect(await status('alice', 'POST', '/api/versions/restore', { json }), text).toBe(403);
    }
    rmSync(join(base, 'docs'));
    rmSync(join(base, 'of-bob'));
    renameSync(join(base, 'away'), join(base, 'docs'));
    expect(await status('alice', 'POST', '/api/versions/restore', { json: { id } })).toBe(200);
  },
  { changes: ['root/users/alice'] },
);

attack(
  'VE-11',
  async ({ folder, status }) => {
    for (const [kind, put] of [
      ['link', (path: string) => symlinkSync(join(folder, 'root/canary-root.txt'), path)],
      ['pipe', (path: string) => execFileSync('mkfifo', [path])],
      ['folder', (path: string) => mkdirSync(path)],
    ] as const) {
      const id = await replaced('alice', '/b.txt', kind);
      const stored = storedPath(folder, id);
      rmSync(stored);
      put(stored);
      for (const target of [
        `/api/versions/raw/${id}`,
        `/api/versions/preview/thumb/${id}`,
        `/api/raw/b.txt?version=${id}`,
      ]) {
        expect(await status('alice', 'GET', target), `${kind} ${target}`).toBe(403);
      }
      for (const json of [{ id }, { id, as: 'copy' }])
        expect(await status('alice', 'POST', '/api/versions/restore', { json }), kind).toBe(403);
      expect(readFileSync(join(folder, 'root/users/alice/b.txt'), 'utf8')).toBe(kind);
      rmSync(stored, { recursive: true });
    }
  },
  { changes: ['root/users/alice'] },
);

attack(
  'VE-13',
  async ({ folder, status }) => {
    const id = await replaced('alice', '/docs2/x.txt');
    await new Promise((resolve) => setTimeout(resolve, storeClosesMs));
    for (const part of storeFolders) {
      const putBack = swapFolder(folder, id, { part, other: join(folder, 'out/canary-out.txt') });
      for (const target of [`/api/versions/raw/${id}`, `/api/raw/docs2/x.txt?version=${id}`]) {
        expect(await status('alice', 'GET', target), part).toBe(part === 'hour' ? 403 : 404);
      }
      for (const json of [{ id }, { id, as: 'copy' }]) {
        const answered = await status('alice', 'POST', '/api/versions/restore', { json });
        expect(answered, part).toBe(part === 'hour' ? 403 : 404);
      }
      putBack();
    }
    expect(await status('alice', 'POST', '/api/versions/restore', { json: { id } })).toBe(200);
  },
  { changes: ['root/users/alice'] },
);
