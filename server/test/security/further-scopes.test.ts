import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { beforeAll, expect, test } from 'vitest';
import { prepareStage } from './stage.ts';

// Operations that were begun in one scope must not continue in another, where paths have another meaning.
const { stage } = prepareStage({ config: { jobsAtOnce: '1' } });

async function userNamed(name: string): Promise<User> {
  const { text } = await stage().request('admin', 'GET', '/api/users');
  const found = (JSON.parse(text) as User[]).find(({ username }) => username === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
async function moveTo(name: string, scope: string): Promise<void> {
  const data = { ...(await userNamed(name)), scope };
  const json = { what: 'user', which: ['scope'], data };
  expect(await stage().status('admin', 'PUT', `/api/users/${data.id}`, { json })).toBe(200);
}
const pathsOf = async (name: string): Promise<string[]> =>
  (JSON.parse((await stage().request(name, 'GET', '/api/shares')).text) as Share[]).map(({ path }) => path);

beforeAll(async () => {
  await stage().addUser('giver', { share: true, download: true, create: true, delete: true });
});

test('shares of a user whose scope changes keep their target or end', async () => {
  const { request, status, share, letRead, canary } = stage();
  const docs = await share('giver', '/docs');
  const single = await share('giver', '/a.txt');
  const secret = await share('giver', '/private/', { password: 'a word for few' });
  letRead('', 'root/users/giver');
  const read = async ({ hash }: Share, path = ''): Promise<string> =>
    (await request('', 'GET', `/api/public/dl/${hash}${path}`)).text;

  // A wider scope: the same files under longer paths.
  await moveTo('giver', '/users');
  letRead('giver', 'root/users');
  expect((await pathsOf('giver')).toSorted()).toEqual(['/giver/a.txt', '/giver/docs/', '/giver/private/']);
  expect(await read(docs, '/a.txt')).toBe(canary('root/users/giver/docs/a.txt'));
  expect(await read(single)).toBe(canary('root/users/giver/a.txt'));
  expect(await status('', 'GET', `/api/public/share/${secret.hash}`)).toBe(401);

  // A narrower scope that contains one of them.
  await moveTo('giver', '/users/giver/docs');
  expect(await pathsOf('giver')).toEqual(['/']);
  expect(await read(docs, '/a.txt')).toBe(canary('root/users/giver/docs/a.txt'));
  expect(await status('', 'GET', `/api/public/dl/${single.hash}`)).toBe(404);
  expect(await status('', 'GET', `/api/public/share/${secret.hash}`)).toBe(404);

  // Another user's scope with the same paths: none of its files is shared.
  await moveTo('giver', '/users/giver');
  await moveTo('giver', '/users/bob');
  for (const path of ['', '/a.txt', '/ok.txt']) {
    expect(await status('', 'GET', `/api/public/dl/${docs.hash}${path}`), path).toBe(404);
    expect(await status('', 'GET', `/api/public/share/${docs.hash}${path}`), path).toBe(404);
  }
  await moveTo('giver', '/users/giver');
  expect(await pathsOf('giver')).toEqual([]);
});

test('a waiting job changes nothing once its user has another scope', async () => {
  const { allowed, app, request, status } = stage();
  allowed.push('root/users/giver');
  await moveTo('giver', '/users/giver');
  const big = join(app.root, 'users/giver/big.bin');
  writeFileSync(big, '');
  truncateSync(big, 300 * 1024 * 1024);
  try {
    const items = Array.from({ length: 50 }, () => ({ from: '/big.bin' }));
    const slow = await request('giver', 'POST', '/api/jobs', { json: { kind: 'checksum', items } });
    const deletion = { kind: 'delete', items: [{ from: '/docs/' }, { from: '/a.txt' }] };
    const waiting = await request('giver', 'POST', '/api/jobs', { json: deletion });
    expect([slow.status, waiting.status], slow.text).toEqual([202, 202]);
    await moveTo('giver', '/users/bob');
    const { id } = JSON.parse(slow.text) as { id: string };
    expect(await status('giver', 'DELETE', `/api/jobs/${id}`)).toBe(200);
    const target = `/api/jobs/${(JSON.parse(waiting.text) as { id: string }).id}`;
    const state = async (): Promise<string> =>
      (JSON.parse((await request('giver', 'GET', target)).text) as { state: string }).state;
    await expect.poll(state).toBe('cancelled');
    expect(await status('bob', 'GET', '/api/resources/docs/a.txt')).toBe(200);
  } finally {
    rmSync(big);
    await moveTo('giver', '/users/giver');
  }
});
