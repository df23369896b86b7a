import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationPage, RewindReport } from '@filestead/contract/endpoints/operations';
import type { User } from '@filestead/contract/users';
import { expect } from 'vitest';
import { prepareStage, type Sender } from './stage.ts';
import { storeClosesMs, storeFolders, swapFolder } from './swap-store.ts';

const { stage, attack } = prepareStage();

const all = { create: true, rename: true, modify: true, delete: true, download: true, purge: true };

/** Sends a change that has to succeed, and returns the id of its operation. */
async function operationOf(who: Sender, method: string, target: string, body?: string): Promise<string> {
  const { status, headers } = await stage().request(who, method, target, body === undefined ? {} : { body });
  expect(status).toBe(200);
  return headers['x-operation'] ?? '';
}
const pathsOf = async (who: Sender, query = ''): Promise<string[]> => {
  const { text } = await stage().request(who, 'GET', `/api/operations${query}`);
  return (JSON.parse(text) as OperationPage).items.map(({ path }) => path);
};
const undo = (who: Sender, id: string, query = ''): Promise<number> =>
  stage().status(who, 'POST', `/api/operations/${id}/undo${query}`);
const longAgo = '2000-01-01T00:00:00Z';
const checkRewind = async (who: Sender, json: object): Promise<RewindReport> => {
  const { text } = await stage().request(who, 'POST', '/api/operations/rewind?check=true', {
    json: { since: longAgo, ...json },
  });
  return JSON.parse(text) as RewindReport;
};

/** Changes the rules or permissions of a user as an administrator. */
async function change(name: string, fields: Partial<User>): Promise<void> {
  const users = JSON.parse((await stage().request('admin', 'GET', '/api/users')).text) as User[];
  const user = users.find(({ username }) => username === name);
  const json = { what: 'user', which: Object.keys(fields), data: { ...user, ...fields } };
  expect(await stage().status('admin', 'PUT', `/api/users/${user?.id}`, { json })).toBe(200);
}

attack(
  'HI-01',
  async ({ addUser }) => {
    await addUser('carol', all, { scope: '/users/alice' });
    const id = await operationOf('alice', 'POST', '/api/resources/new.txt', 'text');
    for (const who of ['bob', 'carol']) {
      expect(await pathsOf(who)).toEqual([]);
      expect(await pathsOf(who, '?mine=false')).toEqual([]);
      for (const query of ['', '?check=true']) expect(await undo(who, id, query)).toBe(404);
    }
    expect(await undo('admin', id)).toBe(404);
    expect(await undo('alice', id)).toBe(200);
  },
  { changes: ['root/users'] },
);

attack(
  'HI-03',
  async ({ addUser, plant }) => {
    await addUser('dora', all);
    await plant('root/users/dora/closed/own.txt', ['admin', 'dora']);
    const removed = await operationOf('dora', 'DELETE', '/api/resources/closed/own.txt');
    const created = await operationOf('dora', 'POST', '/api/resources/closed/new.txt', 'text');
    const target = '/api/resources/closed/new.txt?action=rename&destination=%2Fopen.txt';
    const moved = await operationOf('dora', 'PATCH', target);
    await change('dora', { rules: [{ regex: false, allow: false, path: '/closed', regexp: null }] as never });
    expect(await pathsOf('dora')).toEqual(['/open.txt']);
    expect(await undo('dora', removed)).toBe(404);
    expect(await undo('dora', created)).toBe(404);
    expect(await undo('dora', moved)).toBe(404);
    expect((await checkRewind('dora', { below: '/' })).undone).toBe(0);
    const { status } = await stage().request('dora', 'POST', '/api/operations/rewind', {
      json: { below: '/closed', since: longAgo },
    });
    expect(status).toBe(403);
  },
  { changes: ['root/users'] },
);

attack(
  'HI-05',
  async ({ status, share }) => {
    const { hash } = await share('alice', '/docs/');
    const id = await operationOf('alice', 'PUT', '/api/resources/docs/a.txt', 'changed');
    expect(await status('', 'GET', '/api/operations')).toBe(401);
    expect(await status('', 'GET', `/api/operations?token=${hash}`)).toBe(401);
    expect(await undo('', id)).toBe(401);
    const json = { below: '/', since: longAgo };
    expect(await status('', 'POST', '/api/operations/rewind', { json })).toBe(401);
    expect(await undo('alice', id)).toBe(200);
  },
  { changes: ['root/users/alice'] },
);

attack(
  'HI-07',
  async ({ addUser }) => {
    await addUser('former', all);
    const id = await operationOf('former', 'POST', '/api/resources/diary.txt', 'secret');
    const users = JSON.parse((await stage().request('admin', 'GET', '/api/users')).text) as User[];
    const former = users.find(({ username }) => username === 'former');
    expect(await stage().status('admin', 'DELETE', `/api/users/${former?.id}`)).toBe(200);
    await addUser('latter', { ...all, admin: true }, { scope: '/users/former' });
    expect(await pathsOf('latter')).toEqual([]);
    expect(await undo('latter', id)).toBe(404);
    expect(await checkRewind('latter', { below: '/' })).toMatchObject({ total: 0 });
    expect(await pathsOf('admin', '?below=/users/former')).toEqual(['/users/former/diary.txt']);
  },
  { changes: ['root/users'] },
);

attack(
  'HI-09',
  async ({ addUser, folder }) => {
    await addUser('eve', all);
    const created = await operationOf('eve', 'POST', '/api/resources/new.txt', 'text');
    const saved = await operationOf('eve', 'PUT', '/api/resources/a.txt', 'changed');
    const removed = await operationOf('eve', 'DELETE', '/api/resources/b.txt');
    await change('eve', {
      perm: {
        ...all,
        admin: false,
        execute: false,
        share: false,
        create: false,
        modify: false,
        delete: false,
        rename: false,
      },
    });
    for (const id of [created, saved, removed]) expect(await undo('eve', id)).toBe(403);
    expect(readFileSync(join(folder, 'root/users/eve/a.txt'), 'utf8')).toBe('changed');
    await change('eve', { perm: { ...all, admin: false, execute: false, share: false } });
    for (const id of [created, saved, removed]) expect(await undo('eve', id)).toBe(200);
  },
  { changes: ['root/users'] },
);

attack(
  'HI-11',
  async ({ addUser, folder }) => {
    await addUser('frank', all, { scope: '/users/alice' });
    await operationOf('alice', 'PUT', '/api/resources/docs/ok.txt', 'of alice');
    const own = await operationOf('frank', 'POST', '/api/resources/docs/frank.txt', 'of frank');
    expect(await checkRewind('frank', { below: '/docs' })).toMatchObject({ total: 1, undone: 1 });
    for (const by of ['alice', 'admin', 'nobody']) {
      const json = { below: '/docs', since: longAgo, by };
      expect(await stage().status('frank', 'POST', '/api/operations/rewind', { json })).toBe(403);
    }
    expect(readFileSync(join(folder, 'root/users/alice/docs/ok.txt'), 'utf8')).toBe('of alice');
    expect(await undo('frank', own)).toBe(200);
  },
  { changes: ['root/users'] },
);

attack(
  'HI-13',
  async ({ folder }) => {
    const base = join(folder, 'root/users/alice');
    const moved = await operationOf(
      'alice',
      'PATCH',
      '/api/resources/docs/ok.txt?action=rename&destination=%2Fok.txt',
    );
    const removed = await operationOf('alice', 'DELETE', '/api/resources/docs/a.txt');
    renameSync(join(base, 'docs'), join(base, 'away'));
    symlinkSync(join(folder, 'out/dir'), join(base, 'docs'));
    expect(await undo('alice', moved)).toBe(403);
    expect(await undo('alice', removed)).toBe(403);
  },
  { changes: ['root/users/alice'] },
);

attack(
  'HI-15',
  async ({ folder, request }) => {
    const response = await request('alice', 'DELETE', '/api/resources/docs2/x.txt');
    const operation = response.headers['x-operation'] ?? '';
    const id = response.headers['x-trash-item'] ?? '';
    await new Promise((resolve) => setTimeout(resolve, storeClosesMs));
    for (const part of storeFolders) {
      const putBack = swapFolder(folder, id, { part, other: join(folder, 'out/canary-out.txt') });
      expect(await undo('alice', operation), part).toBe(part === 'hour' ? 403 : 404);
      putBack();
    }
    expect(await undo('alice', operation)).toBe(200);
  },
  { changes: ['root/users/alice'] },
);
