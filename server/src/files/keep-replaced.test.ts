import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../test/start-app.ts';

let app: TestApp;
let token: string;
async function start(config = {}): Promise<void> {
  app = await startApp({
    files: { 'a.txt': 'former', 'b.txt': 'other', 'docs/a.txt': 'inner', 'old/a.txt': 'merged' },
    config,
  });
  token = await app.signIn('admin');
}
beforeEach(() => start());
afterEach(() => app.close());

const send = (method: string, path: string, options: object = {}): Promise<Response> =>
  app.fetch(path, { method, token, ...options });
const textAt = (path: string): string => readFileSync(join(app.root, path), 'utf8');

/** The length of the id at the beginning of the name of a kept file, and of the space after it. */
const idAndSpaceLength = 23;

/** Returns the contents of the files in the store, by name. */
function kept(): [name: string, content: string][] {
  const store = join(app.root, '.filestead-trash');
  if (!existsSync(store)) return [];
  return readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('/things/') && statSync(join(store, path)).isFile())
    .map((path): [string, string] => [
      path.slice(path.lastIndexOf('/') + 1 + idAndSpaceLength),
      readFileSync(join(store, path), 'utf8'),
    ])
    .toSorted();
}

/** Checks that a request has succeeded and that its response identifies the change. */
function expectOperation(response: Response, status: number): void {
  expect(response.status).toBe(status);
  expect(response.headers.get('x-operation')).toMatch(/^[\w-]{22}$/);
}

/** Runs a job and returns the states of its items. */
async function runJob(request: object): Promise<{ code?: string }[]> {
  const response = await send('POST', '/api/jobs', { json: request });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as { id: string };
  type Details = { endedAt: number | null; results: { code?: string }[] };
  const details = async (): Promise<Details> =>
    (await (await send('GET', `/api/jobs/${id}`)).json()) as Details;
  await expect.poll(async () => (await details()).endedAt).not.toBeNull();
  return (await details()).results;
}

const tus = { 'tus-resumable': '1.0.0' };
/** Sends a file as a resumable upload in one part. Returns the response to its last byte. */
async function uploadInParts(path: string, text: string): Promise<Response> {
  const created = await send('POST', `/api/tus${path}?override=true`, {
    headers: { ...tus, 'upload-length': String(text.length) },
  });
  expect(created.status).toBe(201);
  expect(created.headers.get('x-operation')).toBeNull();
  return send('PATCH', created.headers.get('location') ?? '', {
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: text,
  });
}

describe('the former state of a file is kept', () => {
  test('when an upload replaces it', async () => {
    expectOperation(await send('POST', '/api/resources/a.txt?override=true', { body: 'new' }), 200);
    expect([textAt('a.txt'), kept()]).toEqual(['new', [['a.txt', 'former']]]);
  });

  test('when a large upload replaces it', async () => {
    const body = 'x'.repeat(300_000);
    expectOperation(await send('POST', '/api/resources/a.txt?override=true', { body }), 200);
    expect([textAt('a.txt').length, kept()]).toEqual([300_000, [['a.txt', 'former']]]);
  });

  test('when a resumable upload replaces it', async () => {
    expectOperation(await uploadInParts('/a.txt', 'new'), 204);
    expect([textAt('a.txt'), kept()]).toEqual(['new', [['a.txt', 'former']]]);
  });

  test('when a batch of uploads replaces it', async () => {
    const files = [
      { path: '/a.txt', size: 3, override: true },
      { path: '/new.txt', size: 3 },
    ];
    const response = await send('POST', '/api/uploads', { body: `${JSON.stringify({ files })}\nnewone` });
    expectOperation(response, 200);
    await response.text();
    expect([textAt('a.txt'), textAt('new.txt'), kept()]).toEqual(['new', 'one', [['a.txt', 'former']]]);
  });

  test('when it is saved', async () => {
    expectOperation(await send('PUT', '/api/resources/a.txt', { body: 'new' }), 200);
    expect([textAt('a.txt'), kept()]).toEqual(['new', [['a.txt', 'former']]]);
  });

  test.each(['copy', 'rename'])('when a %s replaces it', async (action) => {
    const query = `action=${action}&destination=%2Fa.txt&override=true`;
    expectOperation(await send('PATCH', `/api/resources/b.txt?${query}`), 200);
    expect([textAt('a.txt'), kept()]).toEqual(['other', [['a.txt', 'former']]]);
  });

  test.each(['copy', 'rename'])('when a folder is merged by a %s', async (action) => {
    const query = `action=${action}&destination=%2Fdocs&override=true`;
    expectOperation(await send('PATCH', `/api/resources/old?${query}`), 200);
    expect([textAt('docs/a.txt'), kept()]).toEqual(['merged', [['a.txt', 'inner']]]);
  });

  test.each(['copy', 'move'])('when a job replaces it with a %s', async (kind) => {
    const items = [
      { from: '/b.txt', to: '/a.txt', overwrite: true },
      { from: '/old', to: '/docs', overwrite: true },
    ];
    expect((await runJob({ kind, items })).filter(({ code }) => code !== undefined)).toEqual([]);
    expect([textAt('a.txt'), textAt('docs/a.txt')]).toEqual(['other', 'merged']);
    expect(kept()).toEqual([
      ['a.txt', 'former'],
      ['a.txt', 'inner'],
    ]);
  });

  test('when a restored entry replaces it', async () => {
    const deleted = await send('DELETE', '/api/resources/a.txt');
    expectOperation(deleted, 200);
    writeFileSync(join(app.root, 'a.txt'), 'another');
    const json = { ids: [deleted.headers.get('x-trash-item')], conflict: 'replace' };
    expectOperation(await send('POST', '/api/trash/restore', { json }), 200);
    expect([textAt('a.txt'), kept()]).toEqual(['former', [['a.txt', 'another']]]);
  });

  test('and is not listed in the trash', async () => {
    const saved = await send('PUT', '/api/resources/a.txt', { body: 'new' });
    await send('DELETE', '/api/resources/b.txt');
    const page = (await (await send('GET', '/api/trash')).json()) as {
      items: { name: string }[];
      total: number;
    };
    expect(page.total).toBe(1);
    expect(page.items.map(({ name }) => name)).toEqual(['b.txt']);
    expect(saved.headers.get('x-trash-item')).toBeNull();
  });

  test('under another operation for each request', async () => {
    const ids = new Set<string | null>();
    for (const body of ['one', 'two']) {
      ids.add((await send('PUT', '/api/resources/a.txt', { body })).headers.get('x-operation'));
    }
    expect(ids.size).toBe(2);
  });
});

describe('nothing is kept', () => {
  test('when nothing is replaced', async () => {
    expectOperation(await send('POST', '/api/resources/new.txt', { body: 'new' }), 200);
    expect(existsSync(join(app.root, '.filestead-trash'))).toBe(false);
  });

  test('of an empty file that is younger than a minute', async () => {
    writeFileSync(join(app.root, 'empty.txt'), '');
    writeFileSync(join(app.root, 'older.txt'), '');
    const anHourAgo = app.clock.now() / 1000 - 3600;
    utimesSync(join(app.root, 'older.txt'), anHourAgo, anHourAgo);
    for (const name of ['empty.txt', 'older.txt']) {
      expect((await send('PUT', `/api/resources/${name}`, { body: 'content' })).status).toBe(200);
    }
    expect(kept()).toEqual([['older.txt', '']]);
  });

  test('of files that programs write unasked', async () => {
    mkdirSync(join(app.root, 'mac'));
    writeFileSync(join(app.root, 'mac/.DS_Store'), 'layout');
    expect((await send('POST', '/api/resources/mac/.DS_Store?override=true', { body: 'new' })).status).toBe(
      200,
    );
    expect(kept()).toEqual([]);
  });

  test('when the trash is off', async () => {
    await app.close();
    await start({ trash: 'off' });
    expectOperation(await send('PUT', '/api/resources/a.txt', { body: 'new' }), 200);
    expect(existsSync(join(app.root, '.filestead-trash'))).toBe(false);
  });
});

describe('a former state that cannot be kept', () => {
  /** Creates a file with the name of the store, so that no store can be created. */
  const blockStore = (): void => writeFileSync(join(app.root, '.filestead-trash'), 'a file');

  test('prevents the change', async () => {
    blockStore();
    const response = await send('PUT', '/api/resources/a.txt', { body: 'new' });
    expect(response.status).toBe(409);
    expect(textAt('a.txt')).toBe('former');
  });

  test('is lost with the fallback “delete”', async () => {
    await app.close();
    await start({ trashFallback: 'delete' });
    blockStore();
    expectOperation(await send('PUT', '/api/resources/a.txt', { body: 'new' }), 200);
    expect(textAt('a.txt')).toBe('new');
  });
});
