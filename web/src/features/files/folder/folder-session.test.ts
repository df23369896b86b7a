import type { ListingHeader, ListingRow } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceChange } from '../entries/changes.ts';
import { FolderSession } from './folder-session.ts';
import { fileAt } from '../transfers/test-entries.ts';

const types: ListingHeader['types'] = ['', 'text'];
const folder = (name: string): ListingRow => [name, 4096, 1, 0];
const file = (name: string): ListingRow => [name, 10, 1, 1];

/** The responses of the stubbed server, in order. */
let responses: (() => Response)[] = [];
let requests = 0;
beforeEach(() => {
  responses = [];
  requests = 0;
  vi.stubGlobal('fetch', async () => {
    requests += 1;
    const respond = responses.shift();
    if (!respond) throw new TypeError('no response');
    return respond();
  });
});
afterEach(() => vi.unstubAllGlobals());

function listing(path: string, rows: ListingRow[], { isCut = false } = {}): () => Response {
  const numDirs = rows.filter(([, , , type]) => type === 0).length;
  const numFiles = rows.length - numDirs;
  const header: ListingHeader = {
    path,
    name: '',
    modified: '2025-01-01T00:00:00Z',
    numDirs,
    numFiles,
    sorting: { by: 'name', asc: false },
    types,
  };
  const lines = [header, ...rows, ...(isCut ? [] : [{ end: true, numDirs, numFiles }])];
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return () => new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
}

async function open(path: string, reveal: string[] = []) {
  const session = new FolderSession(virtualPath(path), reveal);
  session.start();
  await vi.waitFor(() => expect(session.getStatus().kind).not.toBe('loading'));
  await settled(session);
  return session;
}
const settled = (session: FolderSession) =>
  vi.waitFor(() => expect(['ready', 'loading']).toContain(session.model.phase));
const namesOf = ({ model }: FolderSession) => Array.from(model.order, (id) => model.name(id));
const selectedOf = (session: FolderSession) => session.selectedEntries().map(({ name }) => name);

test('loads a folder, and scrolls to the folder that was left without selecting it', async () => {
  responses = [listing('/docs', [folder('a'), folder('b'), file('c.txt')])];
  const session = await open('/docs', ['b']);
  expect(namesOf(session)).toEqual(['a', 'b', 'c.txt']);
  expect(session.entry(session.model.cursor ?? -1)).toMatchObject({ path: '/docs/b', isFolder: true });
  expect(session.getRevealed()?.id).toBe(session.model.cursor);
  expect(selectedOf(session)).toEqual([]);
  expect(session.model.name(session.getRevealed()?.id ?? -1)).toBe('b');
  session.stop();
});

test('keeps the selection by name on reload and shows new entries', async () => {
  responses = [listing('/', [file('a'), file('b')]), listing('/', [file('0'), file('a'), file('b')])];
  const session = await open('/');
  session.reveal(['b']);
  await session.reload();
  expect(namesOf(session)).toEqual(['0', 'a', 'b']);
  expect(selectedOf(session)).toEqual(['b']);
  session.stop();
});

test('reveals a new entry once it has arrived', async () => {
  responses = [listing('/', [file('a')]), listing('/', [file('a'), file('new.txt')])];
  const session = await open('/');
  announceChange({ folders: [virtualPath('/')], reveal: [virtualPath('/new.txt')] });
  await vi.waitFor(() => expect(selectedOf(session)).toEqual(['new.txt']));
  session.stop();
});

test('applies deletions and renames before the folder is loaded again', async () => {
  responses = [listing('/', [file('a'), file('b'), file('c')])];
  const session = await open('/');
  const root = virtualPath('/');
  announceChange({ folders: [root], removed: [virtualPath('/a')] });
  announceChange({ folders: [root], moved: [{ entry: fileAt('/b'), to: virtualPath('/z') }] });
  announceChange({ folders: [virtualPath('/elsewhere')], removed: [virtualPath('/c')] });
  expect(namesOf(session)).toEqual(['c', 'z']);
  session.stop();
});

test('loads once more after changes during a load', async () => {
  responses = [listing('/', [file('a')]), listing('/', [file('b')]), listing('/', [file('c')])];
  const session = await open('/');
  requests = 0;
  const first = session.reload();
  announceChange({ folders: [virtualPath('/')] });
  announceChange({ folders: [virtualPath('/')] });
  await first;
  expect(namesOf(session)).toEqual(['c']);
  expect(requests).toBe(2);
  session.stop();
});

test('shows a refusal, and recovers on reload', async () => {
  responses = [() => new Response('{"code":"forbidden"}', { status: 403 }), listing('/secret', [file('a')])];
  const session = await open('/secret');
  expect(session.getStatus()).toMatchObject({ kind: 'failed', error: { status: 403, code: 'forbidden' } });
  await session.reload();
  expect(session.getStatus().kind).toBe('shown');
  session.stop();
});

test('shows the rows of a truncated listing and marks it incomplete', async () => {
  responses = [listing('/', [file('a')], { isCut: true })];
  const session = await open('/');
  await vi.waitFor(() => expect(session.getStatus().kind).toBe('truncated'));
  expect(namesOf(session)).toEqual(['a']);
  session.stop();
});

test('keeps the listing after a truncated reload', async () => {
  responses = [listing('/', [file('a'), file('b')]), listing('/', [file('a')], { isCut: true })];
  const session = await open('/');
  await session.reload();
  expect(session.getStatus().kind).toBe('shown');
  expect(namesOf(session)).toEqual(['a', 'b']);
  session.stop();
});

test('keeps the listing after a failed reload, and updates it on the next one', async () => {
  responses = [listing('/', [file('a')])];
  const session = await open('/');
  expect(await session.reload()).toMatchObject({ error: { code: 'no_connection' } });
  expect(session.getStatus().kind).toBe('shown');
  expect(namesOf(session)).toEqual(['a']);
  responses = [listing('/', [file('a'), file('b')])];
  expect(await session.reload()).toBeNull();
  expect(namesOf(session)).toEqual(['a', 'b']);
  session.stop();
});

test('reports a folder that was deleted in the meantime', async () => {
  responses = [listing('/', [file('a')]), () => new Response('{"code":"not_found"}', { status: 404 })];
  const session = await open('/');
  await session.reload();
  expect(session.getStatus()).toMatchObject({ kind: 'failed', error: { code: 'not_found' } });
  session.stop();
});

test('ignores a response for another path', async () => {
  responses = [listing('/other', [file('a')])];
  const session = new FolderSession(virtualPath('/docs'));
  expect(await session.reload()).toBeNull();
  expect(requests).toBe(1);
  expect(namesOf(session)).toEqual([]);
  session.stop();
});

test('returns the file for a path that is a file', async () => {
  responses = [
    () => Response.json({ name: 'a.txt', path: '/a.txt', isDir: false, type: 'text', content: 'hello' }),
  ];
  const session = await open('/a.txt');
  expect(session.getStatus()).toMatchObject({ kind: 'file', resource: { content: 'hello' } });
  session.stop();
});
