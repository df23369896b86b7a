import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ArchiveTicket } from '@filestead/contract/archives';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { unpack } from '../../test/fixtures/archive-reading.ts';
import { ArchiveTickets } from './archive-tickets.ts';

let app: TestApp;
let alice: string;

beforeAll(async () => {
  const many = Array.from({ length: 3000 }, (_, i): [string, string] => [`/many/file ${i}.txt`, `${i}`]);
  app = await startApp({
    files: {
      ...Object.fromEntries(many),
      '/docs/a, b.txt': 'a',
      '/docs/100%.txt': 'percent',
      '/secret/x': 'canary',
    },
    users: [
      { username: 'alice', rules: [{ path: '/secret' }] },
      { username: 'other' },
      { username: 'viewer', perm: { download: false } },
    ],
  });
  alice = await app.signIn('alice');
});
afterAll(() => app.close());

const requestTicket = (json: unknown, token = alice): Promise<Response> =>
  app.fetch('/api/archives', { method: 'POST', token, json, headers: { accept: 'application/json' } });
const fetchTicket = (ticket: string, token = alice, method = 'GET'): Promise<Response> =>
  app.fetch(`/api/archives/${ticket}`, { token, method });
async function ticketFor(json: unknown, token = alice): Promise<ArchiveTicket> {
  const response = await requestTicket(json, token);
  expect(response.status).toBe(200);
  return (await response.json()) as ArchiveTicket;
}

test('a selection of thousands is requested with a body and fetched once', async () => {
  const paths = Array.from({ length: 3000 }, (_, i) => `/many/file ${i}.txt`);
  const { ticket, name, validForSeconds } = await ticketFor({ paths, format: 'tar' });
  expect(name).toBe('_many.tar');
  expect(validForSeconds).toBeGreaterThan(0);
  const head = await fetchTicket(ticket, alice, 'HEAD');
  expect(head.status).toBe(200);
  const response = await fetchTicket(ticket);
  expect(response.headers.get('content-disposition')).toContain("filename*=utf-8''_many.tar;");
  const found = unpack(Buffer.from(await response.arrayBuffer()), 'tar');
  expect(found.size).toBe(3000);
  expect(found.get('file 2999.txt')?.content).toBe('2999');
  expect((await fetchTicket(ticket)).status).toBe(404);
});

test('paths are not decoded again, and the request can name the download', async () => {
  const paths = ['/docs/a, b.txt', '/docs/100%.txt'];
  const { ticket, name } = await ticketFor({ paths, format: 'tar.gz', name: 'Übersicht' });
  expect(name).toBe('Übersicht.tar.gz');
  const response = await fetchTicket(ticket);
  expect(response.headers.get('content-disposition')).toContain('%C3%9Cbersicht.tar.gz');
  await response.arrayBuffer();
  const zip = await ticketFor({ paths: ['/docs'] });
  expect(zip.name).toBe('docs.zip');
});

test('a ticket is valid only for the session that requested it', async () => {
  const { ticket } = await ticketFor({ paths: ['/docs'], format: 'tar' });
  expect((await fetchTicket(ticket, await app.signIn('other'))).status).toBe(404);
  expect((await fetchTicket(ticket, await app.signIn('alice'))).status).toBe(404);
  expect((await app.fetch(`/api/archives/${ticket}`)).status).toBe(401);
  expect((await fetchTicket('unknown')).status).toBe(404);
  // None of these requests used the ticket.
  const response = await fetchTicket(ticket);
  expect(response.status).toBe(200);
  await response.arrayBuffer();
});

test('a forbidden selection is refused when it is requested', async () => {
  expect((await requestTicket({ paths: ['/secret/x'] })).status).toBe(403);
  expect((await requestTicket({ paths: ['/docs', '/secret'] })).status).toBe(403);
  expect((await requestTicket({ paths: ['/docs'] }, await app.signIn('viewer'))).status).toBe(403);
  expect((await requestTicket({ paths: ['/docs'] }, await app.signIn('other'))).status).toBe(200);
  expect((await app.fetch('/api/archives', { method: 'POST', json: { paths: ['/docs'] } })).status).toBe(401);
  expect((await requestTicket({ paths: ['/docs', '/missing'] })).status).toBe(404);
});

test.each([
  [{}, 'bad_request'],
  [{ paths: [] }, 'bad_request'],
  [{ paths: 'docs' }, 'bad_request'],
  [{ paths: [1] }, 'bad_request'],
  [{ paths: ['/docs/../secret'] }, 'invalid_path'],
  [{ paths: ['/docs\0'] }, 'invalid_path'],
  [{ paths: ['/docs'], format: 'rar' }, 'unsupported_archive_format'],
  [{ paths: ['/docs'], name: '../x' }, 'bad_request'],
  [{ paths: ['/docs'], name: 'a\r\nb' }, 'bad_request'],
  [{ paths: ['/docs'], name: '' }, 'bad_request'],
])('the request %j is refused with %s', async (json, code) => {
  const response = await requestTicket(json);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code });
});

test('tickets expire, and the oldest are dropped at the limit', () => {
  const now = vi.fn(() => 1_000_000);
  const tickets = new ArchiveTickets(now);
  const archive = { holder: 's', paths: [virtualPath('/a')], format: 'zip', name: 'a' } as const;
  const first = tickets.issue(archive, 'user 1');
  expect(tickets.find(first, 's')).toBe(archive);
  now.mockReturnValue(1_059_999);
  expect(tickets.find(first, 's')).toBe(archive);
  now.mockReturnValue(1_060_000);
  expect(tickets.find(first, 's')).toBeNull();
  const second = tickets.issue(archive, 'user 1');
  for (let i = 0; i < 10_000; i++) tickets.issue(archive, `user ${i % 1_000}`);
  expect(tickets.find(second, 's')).toBeNull();
});

test('a party at its limit loses its own oldest tickets, not those of another party', () => {
  const tickets = new ArchiveTickets();
  const archive = { holder: 's', paths: [virtualPath('/a')], format: 'zip', name: 'a' } as const;
  const other = tickets.issue(archive, 'user 1');
  const first = tickets.issue(archive, 'visitor');
  for (let i = 0; i < 200; i++) tickets.issue(archive, 'visitor');
  expect(tickets.find(first, 's')).toBeNull();
  expect(tickets.find(other, 's')).toBe(archive);
});
