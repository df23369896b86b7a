import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TrashPage } from '@filestead/contract/endpoints/trash';
import { beforeAll, expect } from 'vitest';
import { prepareStage, type Sender } from './stage.ts';
import { storeClosesMs, storeFolders, swapFolder } from './swap-store.ts';

const { stage, attack } = prepareStage();

const deleted = async (who: Sender, path: string): Promise<string> => {
  const { status, headers } = await stage().request(who, 'DELETE', `/api/resources${path}`);
  expect(status).toBe(200);
  return headers['x-trash-item'] ?? '';
};
const listOf = async (who: Sender, query = ''): Promise<TrashPage> =>
  JSON.parse((await stage().request(who, 'GET', `/api/trash${query}`)).text) as TrashPage;
/** Requests that read something of an entry. */
const reading = (id: string, path = ''): string[] => [
  `/api/trash/${id}`,
  `/api/trash/list/${id}/${path}`,
  `/api/trash/raw/${id}/${path}`,
  `/api/trash/raw/${id}/${path}?inline=true`,
  `/api/trash/preview/thumb/${id}/${path}`,
];
const restoreError = async (who: Sender, id: string, more: object = {}): Promise<unknown> => {
  const { text } = await stage().request(who, 'POST', '/api/trash/restore', { json: { ids: [id], ...more } });
  return JSON.parse(text);
};

beforeAll(async () => {
  await stage().addUser('carol', { create: true, modify: true, delete: true, download: true, purge: true });
});

attack(
  'TR-01',
  async ({ status }) => {
    const id = await deleted('alice', '/docs');
    const before = await listOf('bob');
    expect(before.items.map(({ path }) => path)).not.toContain('/docs');
    for (const target of reading(id, 'a.txt')) expect(await status('bob', 'GET', target), target).toBe(404);
    expect(await restoreError('bob', id)).toEqual({ results: [{ id, error: 'not_found' }] });
    expect(await restoreError('bob', id, { to: '/' })).toEqual({ results: [{ id, error: 'not_found' }] });
    expect(await status('bob', 'POST', '/api/trash/purge', { json: { ids: [id] } })).toBe(404);
    const all = await stage().request('bob', 'POST', '/api/trash/purge', { json: { all: true } });
    expect(JSON.parse(all.text)).toMatchObject({ count: 0 });
    const many = { ids: [id, ...Array.from({ length: 6 }, (_, index) => `${id.slice(0, 21)}${index}`)] };
    expect(await status('bob', 'POST', '/api/trash/restore', { json: many })).toBe(202);
    expect((await listOf('alice')).items.map(({ path }) => path)).toContain('/docs');
    expect(await restoreError('alice', id)).toEqual({ results: [{ id, path: '/docs' }] });
  },
  { changes: ['root/users/alice'] },
);

attack(
  'TR-03',
  async ({ request, status, plant }) => {
    await plant('root/users/carol/denied/secret.txt', ['admin']);
    await plant('root/users/carol/open/denied.txt', ['admin']);
    await plant('root/users/carol/open/shown.txt', ['admin', 'carol']);
    const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as {
      id: number;
      username: string;
    }[];
    const carol = users.find(({ username }) => username === 'carol');
    const rules = [
      { regex: false, allow: false, path: '/denied', regexp: null },
      { regex: false, allow: false, path: '/open/denied.txt', regexp: null },
    ];
    const json = { what: 'user', which: ['rules'], data: { ...carol, rules } };
    expect(await status('admin', 'PUT', `/api/users/${carol?.id}`, { json })).toBe(200);
    const secret = await deleted('admin', '/users/carol/denied/secret.txt');
    const folder = await deleted('admin', '/users/carol/open');
    expect((await listOf('carol')).items.map(({ path }) => path)).toEqual(['/open']);
    expect((await listOf('carol')).total).toBe(1);
    for (const target of reading(secret)) expect(await status('carol', 'GET', target), target).toBe(404);
    for (const target of reading(folder, 'denied.txt').slice(1)) {
      expect(await status('carol', 'GET', target), target).toBe(403);
    }
    const inside = JSON.parse((await request('carol', 'GET', `/api/trash/list/${folder}/`)).text) as {
      items: { name: string }[];
      numFiles: number;
    };
    expect([inside.items.map(({ name }) => name), inside.numFiles]).toEqual([['shown.txt'], 1]);
    expect(await restoreError('carol', folder)).toEqual({ results: [{ id: folder, error: 'forbidden' }] });
    expect(await restoreError('carol', folder, { to: '/elsewhere' })).toEqual({
      results: [{ id: folder, error: 'forbidden' }],
    });
  },
  { changes: ['root/users/carol', 'root/users'] },
);

attack(
  'TR-05',
  async ({ status, share }) => {
    const { hash } = await share('alice', '/docs/');
    const id = await deleted('alice', '/docs/a.txt');
    for (const target of [...reading(id), '/api/trash']) expect(await status('', 'GET', target)).toBe(401);
    for (const path of ['restore', 'purge', 'purge/cancel']) {
      expect(await status('', 'POST', `/api/trash/${path}`, { json: { ids: [id] } })).toBe(401);
    }
    expect(await status('', 'GET', `/api/public/dl/${hash}/a.txt`)).toBe(404);
    expect(await status('', 'GET', `/api/public/dl/${hash}/.filestead-trash`)).toBe(404);
    expect(await restoreError('alice', id)).toEqual({ results: [{ id, path: '/docs/a.txt' }] });
  },
  { changes: ['root/users/alice'] },
);

attack(
  'TR-07',
  async ({ addUser, status, plant, request }) => {
    await addUser('former', { create: true, delete: true, download: true });
    await plant('root/users/former/diary.txt', ['admin', 'former']);
    const id = await deleted('former', '/diary.txt');
    const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as {
      id: number;
      username: string;
    }[];
    const former = users.find(({ username }) => username === 'former');
    expect(await status('admin', 'DELETE', `/api/users/${former?.id}`)).toBe(200);
    await addUser(
      'latter',
      { create: true, delete: true, download: true, purge: true },
      { scope: '/users/former' },
    );
    expect(await listOf('latter')).toEqual({ items: [], next: null, total: 0 });
    for (const target of reading(id)) expect(await status('latter', 'GET', target), target).toBe(404);
    expect(await restoreError('latter', id)).toEqual({ results: [{ id, error: 'not_found' }] });
    expect((await listOf('admin', '?below=/users/former')).items).toMatchObject([{ id, deletedBy: null }]);
  },
  { changes: ['root/users'] },
);

attack(
  'TR-09',
  async ({ folder, status, plant }) => {
    await plant('root/users/alice/linked/own.txt', ['alice', 'admin']);
    symlinkSync(join(folder, 'out'), join(folder, 'root/users/alice/linked/outside'));
    symlinkSync('../../bob/a.txt', join(folder, 'root/users/alice/linked/of-bob.txt'));
    const id = await deleted('alice', '/linked');
    for (const name of ['outside/', 'of-bob.txt']) {
      for (const target of reading(id, name).slice(2)) {
        expect(await status('alice', 'GET', target), target).toBe(403);
      }
    }
    expect(await status('alice', 'GET', `/api/trash/raw/${id}/?algo=tar`)).toBe(200);
    expect(await restoreError('alice', id)).toEqual({ results: [{ id, path: '/linked' }] });
  },
  { changes: ['root/users/alice'] },
);

attack(
  'TR-11',
  async ({ folder, status }) => {
    for (const kind of ['link', 'pipe'] as const) {
      const id = await deleted('alice', kind === 'link' ? '/a.txt' : '/b.txt');
      const top = join(folder, 'root/.filestead-trash');
      const stored = readdirSync(top, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.includes(`${id} `),
      );
      expect(stored).toBeDefined();
      const path = join(top, stored ?? '');
      renameSync(path, join(folder, `root/users/alice/${kind}-kept.txt`));
      if (kind === 'link') symlinkSync(join(folder, 'root/canary-root.txt'), path);
      else execFileSync('mkfifo', [path]);
      for (const target of reading(id).slice(1)) {
        expect(await status('alice', 'GET', target), `${kind} ${target}`).toBe(403);
      }
    }
  },
  { changes: ['root/users/alice'] },
);

attack('TR-13', async ({ status, folder }) => {
  const installation = readdirSync(join(folder, 'root/.filestead-trash')).find((name) => !name.includes('.'));
  expect(installation).toBeDefined();
  for (const name of [
    '.filestead-trash',
    '.FILESTEAD-TRASH',
    '.Filestead-Trash',
    '%2efilestead-trash',
    './.filestead-trash',
  ]) {
    for (const below of ['', '/', `/${installation}`, `/${installation}/ledger/`]) {
      for (const kind of ['resources', 'raw', 'usage', 'recursive', 'search', 'preview/thumb']) {
        const target = `/api/${kind}/${name}${below}`;
        expect(await status('admin', 'GET', target), target).toBe(404);
      }
    }
    expect(await status('admin', 'POST', `/api/resources/${name}/x.txt`, { body: 'x' })).toBe(403);
    expect(await status('admin', 'DELETE', `/api/resources/${name}`)).toBe(404);
    const move = `/api/resources/users/bob/a.txt?action=rename&destination=${encodeURIComponent(`/${name}`)}`;
    expect(await status('admin', 'PATCH', move), move).toBe(403);
  }
});

attack(
  'TR-15',
  async ({ addUser, status }) => {
    await addUser(
      'sharer',
      { create: true, delete: true, download: true, purge: true },
      { scope: '/users/alice' },
    );
    const id = await deleted('alice', '/private/secret.txt');
    expect((await listOf('sharer')).items.map((item) => [item.id, item.canPurge])).toContainEqual([
      id,
      false,
    ]);
    expect(await status('sharer', 'POST', '/api/trash/purge', { json: { ids: [id] } })).toBe(403);
    expect(await status('alice', 'POST', '/api/trash/purge', { json: { ids: [id] } })).toBe(200);
    expect(await status('sharer', 'POST', '/api/trash/purge/cancel', { json: { ids: [id] } })).toBe(404);
    expect(await restoreError('sharer', id)).toEqual({ results: [{ id, error: 'not_found' }] });
    expect(await status('alice', 'POST', '/api/trash/purge/cancel', { json: { ids: [id] } })).toBe(200);
  },
  { changes: ['root/users'] },
);

attack(
  'TR-17',
  async ({ folder, status }) => {
    const id = await deleted('alice', '/docs2/x.txt');
    await new Promise((resolve) => setTimeout(resolve, storeClosesMs));
    for (const part of storeFolders) {
      const putBack = swapFolder(folder, id, { part, other: join(folder, 'out/canary-out.txt') });
      for (const target of reading(id).slice(1)) {
        expect(await status('alice', 'GET', target), `${part} ${target}`).toBe(part === 'hour' ? 403 : 404);
      }
      const error = part === 'hour' ? 'special_file' : 'not_found';
      for (const more of [{}, { to: '/' }])
        expect(await restoreError('alice', id, more), part).toEqual({ results: [{ id, error }] });
      putBack();
    }
    expect(await restoreError('alice', id)).toEqual({ results: [{ id, path: '/docs2/x.txt' }] });
  },
  { changes: ['root/users/alice'] },
);
