import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import type { FindEnd, FindRow } from '@filestead/contract/endpoints/find';
import { startApp, type TestApp } from '../start-app.ts';
import { type CatalogueApp, startCatalogueApp } from './catalogue-app.ts';

let app: CatalogueApp;
let token: string;
/** Whether the tests of a group use the same server. */
let isShared = false;
afterEach(async () => {
  if (!isShared) await app.close();
});

const files = {
  '/docs/Report 2026.pdf': 'x'.repeat(100),
  '/docs/notes.txt': 'notes',
  '/docs/old/report.txt': 'old report',
  '/photos/IMG_0001.JPG': 'picture',
  '/photos/Müller/holiday.png': 'another',
  '/.secret/report.key': 'key',
};

async function start(setup: Parameters<typeof startCatalogueApp>[0] = {}): Promise<void> {
  app = await startCatalogueApp({ files, ...setup });
  token = await app.signIn('admin');
  await app.waitUntilBuilt();
}

const paths = ({ rows }: { rows: readonly { path: string }[] }): string[] => rows.map(({ path }) => path);
const find = async (query: string, folder = '/'): Promise<string[]> =>
  paths(await app.find(token, folder, `query=${encodeURIComponent(query)}`));

describe('the catalogue of an unchanged tree', () => {
  beforeAll(async () => {
    isShared = true;
    await start();
  });
  afterAll(async () => {
    isShared = false;
    await app.close();
  });

  it('finds entries that match all words, whole names first', async () => {
    expect(await find('report')).toEqual([
      '.secret/report.key',
      'docs/old/report.txt',
      'docs/Report 2026.pdf',
    ]);
    expect(await find('muller holiday')).toEqual(['photos/Müller/holiday.png']);
    expect(await find('docs report ext:pdf')).toEqual(['docs/Report 2026.pdf']);
    expect(await find('report', '/docs')).toEqual(['old/report.txt', 'Report 2026.pdf']);
    expect(await find('reprot', '/docs')).toEqual(['Report 2026.pdf', 'old/report.txt']);
    expect((await find('type:image')).sort()).toEqual(['photos/IMG_0001.JPG', 'photos/Müller/holiday.png']);
    expect(await find('a', '/docs/notes.txt')).toEqual([]);
  });

  it('presents entries as listings do', async () => {
    const listing = (await (await app.fetch('/api/resources/docs', { token })).json()) as {
      items: { name: string; size: number; modified: string; type: string; isDir: boolean }[];
    };
    const { rows, ...end } = await app.find(token, '/docs', 'query=kind:file');
    const top = rows.filter(({ path }) => !path.includes('/'));
    const item = listing.items.find(({ name }) => name === 'notes.txt');
    expect(top).toContainEqual({
      path: 'notes.txt',
      dir: false,
      size: item?.size,
      modified: item?.modified,
      type: item?.type,
    });
    expect(end).toMatchObject({ end: true, more: false, similar: false, coverage: 'all' });
    const folders = await app.find(token, '/', 'query=kind:folder%20docs');
    expect(folders.rows).toMatchObject([{ path: 'docs', dir: true, size: null, type: '' }]);
  });

  it('sends rows and an end line when the client accepts them', async () => {
    const response = await app.fetch('/api/find/?query=report&limit=2', {
      token,
      headers: { accept: 'application/x-ndjson' },
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as FindRow | FindEnd);
    expect(lines).toMatchObject([
      { path: '.secret/report.key' },
      { path: 'docs/old/report.txt' },
      { end: true, more: true, coverage: 'all' },
    ]);
  });

  it('sorts by size in both directions', async () => {
    const sorted = async (order: string): Promise<string[]> =>
      paths(await app.find(token, '/docs', `query=kind:file&sort=size&order=${order}`));
    const descending = await sorted('desc');
    expect(descending[0]).toBe('Report 2026.pdf');
    expect(await sorted('asc')).toEqual(descending.toReversed());
  });

  it('returns the expected status for bad and unusual requests', async () => {
    const statuses: [string, string, number][] = [
      ['a missing folder', '/api/find/none?query=a', 404],
      ['a query that is too long', `/api/find/?query=${'a'.repeat(1025)}`, 400],
      ['the longest query', `/api/find/?query=${'a'.repeat(1024)}`, 200],
      ['too many rows', '/api/find/?limit=501', 400],
      ['no rows', '/api/find/?limit=0', 400],
      ['an unknown order', '/api/find/?sort=color', 400],
      ['an open folder that is not a path', '/api/find/?near=x', 400],
      ['an open folder outside the scope', '/api/find/?near=/../..', 400],
      ['a map that is too deep', '/api/map/?depth=5', 400],
      ['a map of a file', '/api/map/docs/notes.txt', 409],
      ['totals of a file', '/api/totals/docs/notes.txt', 409],
      ['totals of a missing folder', '/api/totals/none', 404],
      ['200 words', `/api/find/?query=${'a%20'.repeat(200)}`, 200],
      ['asterisks only', '/api/find/?query=*****', 200],
      ['NUL', '/api/find/?query=%00', 200],
      ['invalid operators', '/api/find/?query=size:%20ext:%20changed:x', 200],
    ];
    for (const [name, path, status] of statuses)
      expect({ name, status: (await app.fetch(path, { token })).status }).toEqual({ name, status });
  });

  it('requires a session', async () => {
    for (const path of ['/api/find/', '/api/totals/', '/api/map/'])
      expect((await app.fetch(path)).status).toBe(401);
  });

  it('adds up the sizes of folders', async () => {
    const { self, rows } = await app.totals(token, '/');
    expect(self).toMatchObject({ name: '', files: 6, folders: 5, bytes: 100 + 5 + 10 + 7 + 7 + 3 });
    expect(rows.map(({ name, bytes }) => [name, bytes]).sort()).toEqual([
      ['.secret', 3],
      ['docs', 115],
      ['photos', 14],
    ]);
    const map = await app.map(token, '/', 'depth=1&limit=2');
    expect(map.self).toMatchObject({ path: '', bytes: 132, rest: { bytes: 3, files: 1 } });
    expect(map.rows.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['docs', 115],
      ['photos', 14],
    ]);
  });
});

describe('GET /api/find', () => {
  it('ranks entries below the open folder first, and restricts the search to it on request', async () => {
    await start({ files: { '/a/note': '', '/b/note': '' } });
    expect(paths(await app.find(token, '/', 'query=note&near=/b'))).toEqual(['b/note', 'a/note']);
    expect(paths(await app.find(token, '/', 'query=note%20in:here&near=/b'))).toEqual(['b/note']);
    expect(paths(await app.find(token, '/', 'query=note&near=/none'))).toEqual(['a/note', 'b/note']);
  });

  it('ranks recent entries of the user before others that match equally well', async () => {
    await start({ files: { '/a/note': '', '/b/note': '', '/b/old note': '' }, users: [{ username: 'bob' }] });
    const opened = { paths: ['/b/note', '/b/old note'] };
    expect((await app.fetch('/api/marks/recents', { token, method: 'POST', json: opened })).status).toBe(200);
    // Requesting the list stores the entries that were reported before.
    await app.fetch('/api/marks/recents', { token });
    const found = async (user: string) => paths(await app.find(user, '/', 'query=note'));
    expect(await found(token)).toEqual(['b/note', 'a/note', 'b/old note']);
    expect(await found(await app.signIn('bob'))).toEqual(['a/note', 'b/note', 'b/old note']);
  });

  it('omits results that no longer exist, and removes them from the catalogue', async () => {
    await start();
    await rm(join(app.root, 'docs/old'), { recursive: true });
    expect(await find('report')).toEqual(['.secret/report.key', 'docs/Report 2026.pdf']);
    await expect.poll(async () => (await app.totals(token, '/docs')).self?.files).toBe(2);
  });

  it('follows no links', async () => {
    await start();
    await symlink('docs', join(app.root, 'link'));
    await symlink('/etc', join(app.root, 'outside'));
    await app.sweep();
    expect(await find('kind:link')).toEqual(['link', 'outside']);
    expect(await find('report', '/link')).toEqual(['old/report.txt', 'Report 2026.pdf']);
    expect((await app.fetch('/api/find/outside?query=a', { token })).status).toBe(403);
    expect((await app.totals(token, '/link')).self?.files).toBe(3);
  });

  it('names no link to a denied place, among however many results', async () => {
    await start({ users: [{ username: 'eve', rules: [{ path: '/docs/old' }] }] });
    await mkdir(join(app.root, 'links'));
    for (let i = 10; i < 40; i++) await symlink('../docs', join(app.root, `links/link ${i}`));
    await symlink('../docs/old', join(app.root, 'links/link 98'));
    await symlink('../.secret', join(app.root, 'links/link 99'));
    await app.sweep();
    const namesAs = async (username: string): Promise<string[]> => {
      const found = await app.find(await app.signIn(username), '/links', 'query=link&sort=name&limit=500');
      return paths(found).slice(30);
    };
    expect(await namesAs('admin')).toEqual(['link 98', 'link 99']);
    expect(await namesAs('eve')).toEqual(['link 99']);
    expect((await app.map(await app.signIn('eve'), '/links')).rows).toEqual([]);
  });

  it('finds names that are not UTF-8', async () => {
    await start();
    await writeFile(Buffer.concat([Buffer.from(join(app.root, 'docs/raw-')), Buffer.from([0xff])]), 'x');
    await app.sweep();
    expect(await find('raw-')).toEqual(['docs/raw-\u{10FEFF}']);
  });

  it('never contains the data folder or unfinished files', async () => {
    await start({ config: { data: '' }, startsInRoot: true });
    await writeFile(join(app.root, `.filestead-${'a'.repeat(32)}.part`), '');
    await app.sweep();
    expect(existsSync(join(app.root, '.filestead', 'filestead.db'))).toBe(true);
    expect(await find('filestead')).toEqual([]);
    const { self } = await app.map(token, '/');
    expect(self?.files).toBe(Object.keys(files).length);
  });
});

describe('GET /api/totals and /api/map', () => {
  it('count only entries that the user may list', async () => {
    await start({
      users: [
        { username: 'bob', hideDotfiles: true, rules: [{ path: '/docs/old' }, { path: '/photos' }] },
        { username: 'eve', rules: [{ regex: true, regexp: { raw: 'report' } }] },
        { username: 'kim', scope: '/photos' },
      ],
    });
    const seenBy = async (name: string): Promise<unknown[]> => {
      const own = await app.signIn(name);
      const { self, rows } = await app.totals(own, '/');
      return [self?.bytes, self?.files, self?.folders, rows.map((row) => row.name).sort()];
    };
    expect(await seenBy('bob')).toEqual([105, 2, 1, ['docs']]);
    expect(await seenBy('eve')).toEqual([119, 4, 5, ['.secret', 'docs', 'photos']]);
    expect(await seenBy('kim')).toEqual([14, 2, 1, ['Müller']]);
  });
});

describe('marks of the user', () => {
  const mark = async (as: string, change: object): Promise<void> => {
    const response = await app.fetch('/api/marks', { method: 'POST', token: as, json: change });
    expect([response.status, await response.json()]).toEqual([200, { failures: [] }]);
  };

  it('follow a rename by another program at once, also of an entry that was just marked', async () => {
    await start();
    await mark(token, { paths: ['/docs/notes.txt'], favorite: true });
    await rename(join(app.root, 'docs/notes.txt'), join(app.root, 'photos/moved notes.txt'));
    await expect.poll(() => find('in:favorites')).toEqual(['photos/moved notes.txt']);
  });

  it('of missing entries are not found', async () => {
    await start();
    await mark(token, { paths: ['/docs/notes.txt', '/photos'], favorite: true });
    await rm(join(app.root, 'docs/notes.txt'));
    await app.sweep();
    expect(await find('in:favorites')).toEqual(['photos']);
  });

  it('restrict a search, and are in its rows', async () => {
    await start();
    await mark(token, { paths: ['/docs/old/report.txt', '/photos'], favorite: true });
    await mark(token, { paths: ['/docs/notes.txt', '/docs/old/report.txt'], addTags: ['To do'] });
    await mark(token, { paths: ['/docs/notes.txt'], addTags: ['Tax'] });
    expect((await find('in:favorites')).sort()).toEqual(['docs/old/report.txt', 'photos']);
    expect(await find('in:favourites report')).toEqual(['docs/old/report.txt']);
    expect((await find('tag:"to do"')).sort()).toEqual(['docs/notes.txt', 'docs/old/report.txt']);
    expect(await find('tag:"to do" tag:TAX')).toEqual(['docs/notes.txt']);
    expect(await find('tag:tax reprot')).toEqual([]);
    expect(await find('tag:"to do" reprot', '/docs')).toEqual(['old/report.txt']);
    expect(await find('tag:"to do" in:favorites ext:txt', '/docs')).toEqual(['old/report.txt']);
    expect(await find('tag:nothing')).toEqual([]);
    const { rows } = await app.find(token, '/docs', 'query=report');
    expect(rows.map(({ path, favorite, tags }) => [path, favorite, tags])).toEqual([
      ['old/report.txt', true, ['To do']],
      ['Report 2026.pdf', undefined, undefined],
    ]);
  });

  it('are found only by their user, below the scope and as the current rules allow', async () => {
    await start({
      users: [
        { username: 'kim', scope: '/docs' },
        { username: 'eve', rules: [{ path: '/docs/old' }] },
      ],
    });
    await mark(token, { paths: ['/docs/old/report.txt', '/docs/notes.txt'], addTags: ['Tax'] });
    const [kim, eve] = [await app.signIn('kim'), await app.signIn('eve')];
    await mark(eve, { paths: ['/docs/notes.txt'], addTags: ['Tax'] });
    const taggedFor = async (as: string): Promise<string[]> =>
      paths(await app.find(as, '/', 'query=tag:tax'));
    expect(await taggedFor(kim)).toEqual([]);
    expect(await taggedFor(eve)).toEqual(['docs/notes.txt']);
    await mark(kim, { paths: ['/old/report.txt'], favorite: true });
    expect(paths(await app.find(kim, '/', 'query=in:favorites'))).toEqual(['old/report.txt']);
    expect(paths(await app.find(kim, '/old', 'query=in:favorites'))).toEqual(['report.txt']);
  });

  it('follow a rename, and are not found once the entry is deleted', async () => {
    await start();
    await mark(token, { paths: ['/docs/notes.txt'], addTags: ['Tax'] });
    const send = async (method: string, path: string): Promise<number> =>
      (await app.fetch(path, { method, token })).status;
    expect(await send('PATCH', '/api/resources/docs?action=rename&destination=%2Fpapers')).toBe(200);
    await expect.poll(() => find('tag:tax')).toEqual(['papers/notes.txt']);
    expect(await send('DELETE', '/api/resources/papers')).toBe(200);
    await expect.poll(() => find('tag:tax')).toEqual([]);
  });
});

describe('changes', () => {
  it('made by this server are found at once', async () => {
    await start();
    const request = (method: string, path: string, body?: string): Promise<Response> =>
      app.fetch(path, { method, token, ...(body === undefined ? {} : { body }) });
    expect((await request('POST', '/api/resources/new/deep/budget.ods', 'x')).status).toBe(200);
    await expect.poll(() => find('budget')).toEqual(['new/deep/budget.ods']);
    expect(
      (await request('PATCH', '/api/resources/new?action=rename&destination=%2Fdocs%2Fmoved')).status,
    ).toBe(200);
    await expect.poll(() => find('budget')).toEqual(['docs/moved/deep/budget.ods']);
    expect((await request('PATCH', '/api/resources/docs?action=copy&destination=%2Fcopy')).status).toBe(200);
    await expect
      .poll(async () => (await find('budget')).sort())
      .toEqual(['copy/moved/deep/budget.ods', 'docs/moved/deep/budget.ods']);
    expect((await request('DELETE', '/api/resources/copy')).status).toBe(200);
    await expect.poll(() => find('budget')).toEqual(['docs/moved/deep/budget.ods']);
    await expect.poll(async () => (await app.totals(token, '/docs')).self?.files).toBe(4);
  });

  it('made by this server in one folder are read entry by entry', async () => {
    await start({ config: { watchFolders: '0' } });
    const send = async (method: string, path: string, body?: string): Promise<number> =>
      (await app.fetch(path, { method, token, ...(body === undefined ? {} : { body }) })).status;
    // Not found before the next sweep, because the folder is neither watched nor read again.
    await writeFile(join(app.root, 'docs/budget by another program'), '');
    for (const name of ['one', 'two', 'three'])
      expect(await send('POST', `/api/resources/docs/budget%20${name}`, 'x')).toBe(200);
    expect(await send('POST', '/api/resources/docs/budget%20one?override=true', '12345')).toBe(200);
    expect(await send('DELETE', '/api/resources/docs/budget%20two')).toBe(200);
    const rows = async (): Promise<[string, number | null][]> =>
      (await app.find(token, '/docs', 'query=budget')).rows.map(({ path, size }): [string, number | null] => [
        path,
        size,
      ]);
    // Not by searching: a result that no longer exists makes the catalogue read its whole folder.
    await expect.poll(async () => (await app.totals(token, '/docs')).self?.bytes).toBe(115 + 5 + 1);
    expect((await rows()).sort()).toEqual([
      ['budget one', 5],
      ['budget three', 1],
    ]);
    await app.sweep();
    expect(await rows()).toHaveLength(3);
  });

  it('made by other programs are found after a sweep', async () => {
    await start();
    await mkdir(join(app.root, 'outside/a/b'), { recursive: true });
    await writeFile(join(app.root, 'outside/a/b/budget'), '');
    await rename(join(app.root, 'photos'), join(app.root, 'docs/pictures'));
    await app.sweep();
    expect(await find('budget')).toEqual(['outside/a/b/budget']);
    expect(await find('holiday')).toEqual(['docs/pictures/Müller/holiday.png']);
  });
});

describe('the file of the catalogue', () => {
  it('is private and saved at the end', async () => {
    await start();
    const file = join(app.data, 'catalogue');
    await app.instance.close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(readdirSync(app.data).filter((name) => name.startsWith('catalogue'))).toEqual(['catalogue']);
  });
});

test('a server without the catalogue writes no file and refuses its endpoints', async () => {
  const off: TestApp = await startApp({ files });
  app = off as CatalogueApp;
  token = await app.signIn('admin');
  for (const path of ['/api/find/?query=a', '/api/totals/', '/api/map/']) {
    const response = await app.fetch(path, { token, headers: { accept: 'application/json' } });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'catalogue_off' });
  }
  expect((await app.fetch('/api/search/?query=report', { token })).status).toBe(200);
  app.clock.advance(60 * 60_000);
  expect(readdirSync(app.data)).not.toContain('catalogue');
});
