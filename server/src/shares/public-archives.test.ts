import type { ArchiveTicket } from '@filestead/contract/archives';
import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { unpack } from '../../test/fixtures/archive-reading.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

const password = 'let me in';
const names = Array.from({ length: 500 }, (_, i) => `a file with a rather long name, ${i}.txt`);
let app: TestApp;
let alice: string;
let hash: string;

beforeAll(async () => {
  app = await startApp({
    files: {
      ...Object.fromEntries(names.map((name) => [`alice/docs/${name}`, name])),
      'alice/docs/secret/deny.txt': 'canary-denied',
      'alice/private.txt': 'canary-private',
    },
    users: [{ username: 'alice', scope: '/alice', rules: [{ path: '/docs/secret' }] }],
  });
  alice = await app.signIn('alice');
  hash = (await share()).hash;
});
afterAll(() => app.close());

async function share(json: object = {}): Promise<Share> {
  const response = await app.fetch('/api/share/docs/', { method: 'POST', token: alice, json });
  expect(response.status).toBe(200);
  return (await response.json()) as Share;
}
const request = (json: unknown, of = hash, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(`/api/public/archives/${of}`, {
    method: 'POST',
    json,
    headers: { accept: 'application/json', ...headers },
  });
const fetchTicket = (ticket: string, of = hash, method = 'GET'): Promise<Response> =>
  app.fetch(`/api/public/archives/${of}/${ticket}`, { method });
async function ticketFor(json: unknown, of = hash): Promise<ArchiveTicket> {
  const response = await request(json, of);
  expect(response.status).toBe(200);
  return (await response.json()) as ArchiveTicket;
}

test('visitors download a selection of hundreds of files, once per ticket', async () => {
  const { ticket, name } = await ticketFor({ paths: names.map((each) => `/${each}`), format: 'tar' });
  expect(name).toBe('_docs.tar');
  expect((await fetchTicket(ticket, hash, 'HEAD')).status).toBe(200);
  const response = await fetchTicket(ticket);
  expect(response.headers.get('content-disposition')).toContain("filename*=utf-8''_docs.tar");
  expect(response.headers.get('cache-control')).toMatch(/no-store|private|no-cache/u);
  expect([...unpack(Buffer.from(await response.arrayBuffer()), 'tar').keys()].sort()).toEqual(
    [...names].sort(),
  );
  expect((await fetchTicket(ticket)).status).toBe(404);
});

test('a ticket is valid for its share only', async () => {
  const other = (await share()).hash;
  const { ticket } = await ticketFor({ paths: [`/${names[0]}`] });
  expect((await fetchTicket(ticket, other)).status).toBe(404);
  expect((await app.fetch(`/api/archives/${ticket}`, { token: alice })).status).toBe(404);
  expect((await fetchTicket(ticket)).status).toBe(200);
});

test('a protected share needs its password or token for the ticket and for the archive', async () => {
  const { hash: locked } = await share({ password });
  const json = { paths: [`/${names[0]}`, `/${names[1]}`] };
  const key = { 'x-share-password': encodeURIComponent(password) };
  expect((await request(json, locked)).status).toBe(401);
  expect((await request(json, locked, { 'x-share-password': 'wrong' })).status).toBe(401);
  const { ticket } = (await (await request(json, locked, key)).json()) as ArchiveTicket;
  expect((await fetchTicket(ticket, locked)).status).toBe(401);
  const info = await app.fetch(`/api/public/share/${locked}`, { headers: key });
  const { token } = (await info.json()) as { token: string };
  const response = await app.fetch(`/api/public/archives/${locked}/${ticket}?token=${token}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
});

test.each([
  [{}, 400],
  [{ paths: [] }, 400],
  [{ paths: 'docs' }, 400],
  [{ paths: ['/../private.txt'] }, 400],
  [{ paths: ['/docs\0'] }, 400],
  [{ paths: ['/x'], format: 'rar' }, 400],
  [{ paths: ['/x'], name: '../x' }, 400],
  [{ paths: ['/missing'] }, 404],
  [{ paths: ['/private.txt'] }, 404],
  [{ paths: ['/secret'] }, 403],
  [{ paths: ['/secret/deny.txt'] }, 403],
])('the selection %j is rejected with %i', async (json, expected) => {
  expect((await request(json)).status).toBe(expected);
});

test('a ticket is invalid after its share has ended or its owner has lost a permission', async () => {
  const { hash: ending } = await share();
  const one = { paths: [`/${names[0]}`] };
  const { ticket } = await ticketFor(one, ending);
  await app.fetch(`/api/share/${ending}`, { method: 'DELETE', token: alice });
  expect((await fetchTicket(ticket, ending)).status).toBe(404);
  expect((await request(one, ending)).status).toBe(404);

  const { ticket: unused } = await ticketFor(one);
  const admin = await app.signIn('admin');
  const users = (await (await app.fetch('/api/users', { token: admin })).json()) as User[];
  const user = users.find(({ username }) => username === 'alice');
  if (user === undefined) throw new Error('no alice');
  const perm = { ...user.perm, download: false };
  const saved = await app.fetch(`/api/users/${user.id}`, {
    method: 'PUT',
    token: admin,
    json: { what: 'user', which: ['perm'], data: { ...user, perm } },
  });
  expect(saved.status).toBe(200);
  onTestFinished(async () => {
    const restored = await app.fetch(`/api/users/${user.id}`, {
      method: 'PUT',
      token: admin,
      json: { what: 'user', which: ['perm'], data: user },
    });
    expect(restored.status).toBe(200);
  });
  expect((await fetchTicket(unused)).status).toBe(403);
});
