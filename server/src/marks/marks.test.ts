import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { type MarksClient, marksClient } from './marks-testing.ts';

let app: TestApp;
let alice: MarksClient;
let admin: MarksClient;
beforeEach(async () => {
  app = await startApp({
    files: {
      'home/a.txt': 'a',
      'home/b.txt': 'b',
      'home/docs/deep/c.txt': 'c',
      'home/docs/d.txt': 'd',
      'other/x.txt': 'x',
    },
    users: [{ username: 'alice', scope: '/home' }],
  });
  alice = await marksClient(app, 'alice');
  admin = await marksClient(app, 'admin');
});
afterEach(() => app.close());

const favor = async (...paths: string[]): Promise<void> =>
  expect(await alice.change({ paths, favorite: true })).toEqual([]);

test('favorites keep their order, which can be changed', async () => {
  await favor('/docs', '/a.txt');
  await favor('/b.txt', '/docs');
  expect(await alice.favorites()).toEqual(['/docs', '/a.txt', '/b.txt']);
  expect(await alice.status('PUT', '/api/marks/favorites', { paths: ['/b.txt', '/unknown'] })).toBe(200);
  expect(await alice.favorites()).toEqual(['/b.txt', '/docs', '/a.txt']);
  await alice.change({ paths: ['/docs'], favorite: false });
  expect(await alice.favorites()).toEqual(['/b.txt', '/a.txt']);
  expect((await alice.marks()).favorites[0]).toMatchObject({
    path: '/b.txt',
    dir: false,
    size: 1,
    type: 'text',
    favorite: true,
    tags: [],
  });
});

test('tags are words without regard to case, listed by folder and by tag', async () => {
  await alice.change({ paths: ['/docs/d.txt', '/docs/deep'], addTags: [' Tax 2026 ', 'Kids'] });
  await alice.change({ paths: ['/docs/d.txt'], addTags: ['kids'], favorite: true });
  expect((await alice.marks()).tags.map((tag) => tag.toLowerCase())).toEqual(['kids', 'tax 2026']);
  expect((await alice.tagged('TAX 2026')).sort()).toEqual(['/docs/d.txt', '/docs/deep']);
  expect((await alice.inFolder('/docs')).sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'd.txt', favorite: true, tags: ['Tax 2026', 'kids'] },
    { name: 'deep', favorite: false, tags: ['Tax 2026', 'Kids'] },
  ]);
  await alice.change({ paths: ['/docs/d.txt'], removeTags: ['KIDS'] });
  expect(await alice.tagged('kids')).toEqual(['/docs/deep']);
  expect(await alice.inFolder('/')).toEqual([]);
});

test('marks follow renames and moves of entries and of folders above them, by any user', async () => {
  await favor('/docs/deep/c.txt', '/a.txt');
  await alice.move('/docs/deep/c.txt', '/docs/deep/renamed.txt');
  await admin.move('/home/docs', '/home/papers');
  await alice.move('/a.txt', '/papers/a.txt');
  expect(await alice.favorites()).toEqual(['/papers/deep/renamed.txt', '/papers/a.txt']);
  await admin.move('/home/papers/a.txt', '/other/a.txt');
  expect(await alice.favorites()).toEqual(['/papers/deep/renamed.txt']);
});

test('marks of deleted entries are shown as missing and come back when they are restored', async () => {
  await favor('/a.txt', '/docs/deep/c.txt');
  await alice.change({ paths: ['/a.txt'], addTags: ['x'] });
  const file = await alice.remove('/a.txt');
  const folder = await alice.remove('/docs');
  expect(await alice.favorites()).toEqual(['/a.txt (gone)', '/docs/deep/c.txt (gone)']);
  // A new file with the name of the deleted one is another file.
  await alice.upload('/a.txt');
  expect(await alice.inFolder('/')).toEqual([]);
  await alice.restore(folder);
  await alice.restore(file);
  expect(await alice.favorites()).toEqual(['/a(1).txt', '/docs/deep/c.txt']);
  expect(await alice.tagged('x')).toEqual(['/a(1).txt']);
});

test('marks of an entry that is deleted forever end with it', async () => {
  await favor('/a.txt');
  const id = await alice.remove('/a.txt');
  expect(await alice.status('POST', '/api/trash/purge', { ids: [id] })).toBe(200);
  app.clock.advance(10 * 60 * 1000);
  await expect.poll(() => alice.favorites()).toEqual([]);
});

test('marks of missing entries end after 30 days, unless the entry has come back', async () => {
  await favor('/a.txt', '/b.txt');
  await rm(join(app.root, 'home/a.txt'));
  await rm(join(app.root, 'home/b.txt'));
  expect(await alice.favorites()).toEqual(['/a.txt (gone)', '/b.txt (gone)']);
  await writeFile(join(app.root, 'home/b.txt'), 'again');
  app.clock.advance(31 * 24 * 60 * 60 * 1000);
  const token = await app.signIn('alice');
  const paths = async (): Promise<string[]> => {
    const response = await app.fetch('/api/marks', { token });
    return ((await response.json()) as { favorites: { path: string }[] }).favorites.map(({ path }) => path);
  };
  await expect.poll(paths).toEqual(['/b.txt']);
  await writeFile(join(app.root, 'home/a.txt'), 'too late');
  await expect.poll(paths).toEqual(['/b.txt']);
});

test('entries that another program renames are found in a folder that is opened again', async () => {
  await favor('/a.txt', '/docs/deep/c.txt');
  await rename(join(app.root, 'home/a.txt'), join(app.root, 'home/renamed.txt'));
  expect(await alice.favorites()).toEqual(['/a.txt (gone)', '/docs/deep/c.txt']);
  await expect
    .poll(async () => {
      await alice.inFolder('/');
      return alice.favorites();
    })
    .toEqual(['/renamed.txt', '/docs/deep/c.txt']);
});

test('a folder that another program renames while it is open takes the marks in it along', async () => {
  await favor('/docs/deep/c.txt');
  const versions = async (): Promise<void> => {
    const json = { folders: [{ path: '/' }] };
    expect(await alice.status('POST', '/api/live/versions', json)).toBe(200);
  };
  await versions();
  await rename(join(app.root, 'home/docs'), join(app.root, 'home/papers'));
  await expect.poll(() => alice.favorites(), { timeout: 10_000 }).toEqual(['/papers/deep/c.txt']);
});

test('a file that a program saves by renaming its former state keeps its marks', async () => {
  await favor('/a.txt');
  await rename(join(app.root, 'home/a.txt'), join(app.root, 'home/a.txt~'));
  await writeFile(join(app.root, 'home/a.txt'), 'saved');
  await alice.inFolder('/');
  app.clock.advance(1_000);
  expect(await alice.favorites()).toEqual(['/a.txt']);
  expect(await alice.inFolder('/')).toEqual([{ name: 'a.txt', favorite: true, tags: [] }]);
});

test('recent entries are those that the user opened, saved and uploaded, the latest first', async () => {
  expect(await alice.status('POST', '/api/marks/recents', { paths: ['/docs/d.txt', '/missing'] })).toBe(200);
  await alice.upload('/new.txt');
  app.clock.advance(5_000);
  await app.fetch('/api/resources/a.txt', { method: 'PUT', token: alice.token, body: 'saved' });
  await alice.move('/new.txt', '/moved.txt');
  expect(await alice.recents()).toEqual(['saved /a.txt', 'uploaded /moved.txt', 'opened /docs/d.txt']);
  expect(await admin.recents()).toEqual([]);
  expect(await alice.status('DELETE', '/api/marks/recents')).toBe(200);
  expect(await alice.recents()).toEqual([]);
});

test('recent entries can be switched off, which removes them, and on again', async () => {
  await alice.upload('/new.txt');
  expect(await alice.status('PUT', '/api/marks/recents', { on: false })).toBe(200);
  await alice.upload('/newer.txt');
  app.clock.advance(5_000);
  expect(await alice.recents()).toEqual([]);
  expect((await alice.marks()).recents).toBe(false);
  expect(await alice.status('PUT', '/api/marks/recents', { on: true })).toBe(200);
  await alice.upload('/newest.txt');
  expect(await alice.recents()).toEqual(['uploaded /newest.txt']);
});

test('only the latest 200 recent entries are kept', async () => {
  const paths = Array.from({ length: 210 }, (_, i) => `/file-${i}.txt`);
  await Promise.all(paths.map((path) => writeFile(join(app.root, 'home', path), '')));
  await alice.status('POST', '/api/marks/recents', { paths: paths.slice(0, 110) });
  expect(await alice.recents()).toHaveLength(110);
  await alice.status('POST', '/api/marks/recents', { paths: paths.slice(110) });
  const recents = await alice.recents();
  expect([recents.length, recents[0], recents[199]]).toEqual([
    200,
    'opened /file-209.txt',
    'opened /file-10.txt',
  ]);
});

test('the log contains neither what was marked nor what was opened', async () => {
  await favor('/docs/d.txt');
  await alice.change({ paths: ['/docs/d.txt'], addTags: ['canary-tag'] });
  await alice.status('POST', '/api/marks/recents', { paths: ['/docs/d.txt'] });
  await alice.recents();
  await alice.tagged('canary-tag');
  expect(app.log.filter((line) => /d\.txt|canary-tag/.test(line))).toEqual([]);
});
