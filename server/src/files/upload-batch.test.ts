import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readOnlyDisk } from '@filestead/contract/errors';
import type { BatchFileResult } from '@filestead/contract/uploads';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { Mounts } from '../../test/fixtures/mounts.ts';

let app: TestApp;
let alice: string;
let creator: string;
let modifier: string;
let ruled: string;

beforeAll(async () => {
  app = await startApp({
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'creator', scope: '/alice', perm: { modify: false } },
      { username: 'modifier', scope: '/alice', perm: { create: false } },
      { username: 'ruled', scope: '/alice', rules: [{ path: '/secret' }] },
    ],
    config: { maxUploadSize: '1000' },
  });
  alice = await app.signIn('alice');
  creator = await app.signIn('creator');
  modifier = await app.signIn('modifier');
  ruled = await app.signIn('ruled');
});
afterAll(() => app.close());

const onDisk = (path: string): string => join(app.root, 'alice', path);
const textOf = (path: string): Promise<string> => readFile(onDisk(path), 'utf8');

beforeEach(async () => {
  for (const name of await readdir(onDisk('/'))) await rm(onDisk(name), { recursive: true });
  await mkdir(onDisk('/secret'));
  await writeFile(onDisk('/old.txt'), 'old');
});

interface SentFile {
  readonly path: string;
  readonly text: string;
  readonly override?: boolean;
  readonly key?: string;
}

const bodyOf = (files: readonly SentFile[]): string => {
  const head = files.map(({ text, ...file }) => ({ ...file, size: Buffer.byteLength(text) }));
  return `${JSON.stringify({ files: head })}\n${files.map(({ text }) => text).join('')}`;
};
const postBody = (body: string, token = alice): Promise<Response> =>
  app.fetch('/api/uploads', { method: 'POST', token, body });

/** Sends a batch and returns the results in the order of the files. */
async function post(files: readonly SentFile[], token = alice): Promise<BatchFileResult[]> {
  const response = await postBody(bodyOf(files), token);
  expect(response.status).toBe(200);
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as BatchFileResult).toSorted((one, two) => one.file - two.file);
}

test('stores every file, creates missing folders, and answers with the entity tags', async () => {
  const files = Array.from({ length: 100 }, (_, index) => ({
    path: `/new/${index}.txt`,
    text: index === 3 ? '' : `text ${index} ä`,
  }));
  const results = await post(files);
  expect(results.map(({ file }) => file)).toEqual(files.map((_, index) => index));
  for (const [index, { path, text }] of files.entries()) {
    expect(await textOf(path)).toBe(text);
    const { mtimeNs, size } = await stat(onDisk(path), { bigint: true });
    expect(results[index]?.etag).toBe(`"${mtimeNs.toString(16)}${size.toString(16)}"`);
  }
});

test('refuses each file for a reason of its own and stores the others', async () => {
  const results = await post([
    { path: '/old.txt', text: 'new' },
    { path: '/ok.txt', text: 'ok' },
    { path: '/secret', text: 'x', override: true },
    { path: '/folder/', text: 'x' },
    { path: '/../x', text: 'x' },
    { path: '/large.txt', text: 'x'.repeat(1001) },
    { path: '/old.txt/x', text: 'x' },
  ]);
  expect(results.map(({ code, status }) => code && `${code} ${status}`)).toEqual([
    'already_exists 409',
    undefined,
    'is_folder 405',
    'invalid_path 400',
    'invalid_path 400',
    'payload_too_large 413',
    'not_a_folder 409',
  ]);
  expect(await textOf('/old.txt')).toBe('old');
  expect(await textOf('/ok.txt')).toBe('ok');
});

test('overwrites a file only on request and with the permission to modify', async () => {
  const replacement = { path: '/old.txt', text: 'new', override: true };
  const [refused] = await post([replacement], creator);
  expect(refused?.code).toBe('forbidden');
  expect(await textOf('/old.txt')).toBe('old');
  expect((await post([replacement]))[0]?.code).toBeUndefined();
  expect(await textOf('/old.txt')).toBe('new');
});

test('applies the rules of the user to each file', async () => {
  const results = await post(
    [
      { path: '/secret/x.txt', text: 'x' },
      { path: '/free.txt', text: 'x' },
    ],
    ruled,
  );
  expect(results.map(({ code }) => code)).toEqual(['forbidden', undefined]);
  expect(await readdir(onDisk('/secret'))).toEqual([]);
});

test('states in the result that the disk refuses a file', async ({ skip }) => {
  await mkdir(onDisk('/disk'));
  const mounts = new Mounts();
  mounts.required({ skip }).tmpfs(onDisk('/disk'), 'ro');
  try {
    const results = await post([
      { path: '/disk/a.txt', text: 'a' },
      { path: '/free.txt', text: 'x' },
    ]);
    expect(results).toEqual([
      { file: 0, code: 'forbidden', status: 403, detail: readOnlyDisk },
      { file: 1, etag: expect.any(String) as string },
    ]);
  } finally {
    mounts.release();
  }
});

test('requires the permission to create, and a session', async () => {
  const body = bodyOf([{ path: '/a.txt', text: 'a' }]);
  expect((await postBody(body, modifier)).status).toBe(403);
  expect((await postBody(body, 'wrong')).status).toBe(401);
  expect(await readdir(onDisk('/'))).toEqual(['old.txt', 'secret']);
});

test('a file that is sent again with its key is not a conflict with itself', async () => {
  const file = { path: '/a.txt', text: 'a', key: 'k1' };
  const [first] = await post([file]);
  const [second] = await post([file]);
  expect(second).toEqual(first);
  // Another user, another path, no key, and a file that has changed meanwhile.
  expect((await post([file], creator))[0]?.code).toBe('already_exists');
  expect((await post([{ ...file, path: '/old.txt' }]))[0]?.code).toBe('already_exists');
  expect((await post([{ path: '/a.txt', text: 'a' }]))[0]?.code).toBe('already_exists');
  await post([{ ...file, key: 'k2' }]);
  await writeFile(onDisk('/a.txt'), 'changed');
  expect((await post([file]))[0]?.code).toBe('already_exists');
  expect(await textOf('/a.txt')).toBe('changed');
});

test.each([
  ['no line', 'x'],
  ['a line that is not JSON', 'x\n'],
  ['no files', '{"files":[]}\n'],
  ['fewer bytes than announced', '{"files":[{"path":"/a.txt","size":5}]}\nx'],
  ['more bytes than announced', '{"files":[{"path":"/a.txt","size":0}]}\nx'],
  ['a negative size', '{"files":[{"path":"/a.txt","size":-1}]}\n'],
])('stores nothing of a body with %s', async (_name, body) => {
  expect((await postBody(body)).status).toBe(400);
  expect(await readdir(onDisk('/'))).toEqual(['old.txt', 'secret']);
});

test('refuses a body above 2 MiB and more than 256 files', async () => {
  const large = `{"files":[{"path":"/a.txt","size":${2 * 1024 * 1024}}]}\n${'x'.repeat(2 * 1024 * 1024)}`;
  expect((await postBody(large)).status).toBe(413);
  const many = Array.from({ length: 257 }, (_, index) => ({ path: `/${index}`, text: '' }));
  expect((await postBody(bodyOf(many))).status).toBe(400);
  expect(await readdir(onDisk('/'))).toEqual(['old.txt', 'secret']);
});
