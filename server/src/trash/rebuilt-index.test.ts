import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';
import { type VersionClient, versionClient } from '../versions/versions-testing.ts';
import { type TrashClient, trashClient } from './trash-testing.ts';

let folder: string;
let app: TestApp;
let trash: TrashClient;
let versions: VersionClient;

/** Starts a server on the same folders. */
async function start(): Promise<void> {
  app = await startApp({ config: { root: join(folder, 'root'), data: join(folder, 'data') } });
  trash = await trashClient(app, 'admin');
  versions = await versionClient(app, 'admin');
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-rebuilt-'));
  mkdirSync(join(folder, 'root/docs/inner'), { recursive: true });
  for (const name of ['docs/a.txt', 'docs/inner/b.txt', 'plan.txt']) write(name, name);
  await start();
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): void => writeFileSync(join(folder, 'root', name), text);

async function move(from: string, to: string): Promise<void> {
  const path = `/api/resources${from}?action=rename&destination=${encodeURIComponent(to)}`;
  expect((await app.fetch(path, { method: 'PATCH', token: trash.token })).status).toBe(200);
}

/** Restarts the server; without the index, as after the loss of the database, if `losesIndex`. */
async function restart({ losesIndex }: { losesIndex: boolean }): Promise<void> {
  await app.close();
  if (losesIndex) {
    const connection = openSqlite(join(folder, 'data/filestead.db'));
    for (const table of ['kept', 'places', 'ledgers', 'operations', 'operation_steps'])
      connection.exec(`delete from ${table}`);
    connection.close();
  }
  await start();
}

/** The places of all entries, and the versions of files with their labels. */
async function described(...files: string[]): Promise<unknown> {
  const { items } = await trash.list();
  const lists = await Promise.all(
    files.map(async (file) =>
      (await versions.list(file)).versions.map(({ name, label, keepForever }) => [name, label, keepForever]),
    ),
  );
  return {
    items: items.map(({ path, parentInTrash }) => [path, parentInTrash]).toSorted(),
    lists,
  };
}

test.each([true, false])(
  'labels and the places of renamed folders are the same after a restart (index lost: %s)',
  async (losesIndex) => {
    await versions.save('/plan.txt', 'two');
    app.clock.advance(1_000);
    await versions.save('/plan.txt', 'three');
    await versions.save('/docs/inner/b.txt', 'two');
    const { id } = await versions.version('/plan.txt', 1);
    expect(await versions.status('PATCH', `/api/versions/${id}`, { label: 'sent', keepForever: true })).toBe(
      200,
    );
    await trash.remove('/docs/a.txt');
    await move('/docs', '/papers');
    await move('/plan.txt', '/papers/scheme.txt');
    // Another folder with the former name.
    mkdirSync(join(folder, 'root/docs'));
    write('docs/c.txt', 'c');
    await trash.remove('/docs/c.txt');
    const files = ['/papers/scheme.txt', '/papers/inner/b.txt'];
    const before = await described(...files);
    expect(before).toEqual({
      items: [
        ['/docs/c.txt', null],
        ['/papers/a.txt', null],
      ],
      lists: [
        [
          ['plan.txt', null, false],
          ['plan.txt', 'sent', true],
        ],
        [['b.txt', null, false]],
      ],
    });
    await restart({ losesIndex });
    expect(await described(...files)).toEqual(before);
    await restart({ losesIndex });
    expect(await described(...files)).toEqual(before);
  },
);

test('entries follow a folder that was restored elsewhere, also when the index is lost', async () => {
  await trash.remove('/docs/inner/b.txt');
  await versions.save('/docs/a.txt', 'two');
  const docs = await trash.remove('/docs');
  mkdirSync(join(folder, 'root/docs'));
  write('docs/c.txt', 'c');
  const other = await trash.remove('/docs/c.txt');
  expect(await trash.restore([docs], { to: '/plans' })).toEqual(['/plans/docs']);
  const deleted = await trash.remove('/docs');
  const before = await described('/plans/docs/a.txt');
  expect(before).toEqual({
    items: [
      ['/docs', null],
      ['/docs/c.txt', deleted],
      ['/plans/docs/inner/b.txt', null],
    ],
    lists: [[['a.txt', null, false]]],
  });
  await restart({ losesIndex: true });
  expect(await described('/plans/docs/a.txt')).toEqual(before);
  expect(await trash.restore([deleted, other])).toEqual(['/docs', '/docs/c.txt']);
});

test('a label is refused when its version is no longer on the disk', async () => {
  await versions.save('/plan.txt', 'two');
  const { id } = await versions.version('/plan.txt');
  const store = join(folder, 'root/.filestead-trash');
  const kept = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes(id));
  expect(kept).toHaveLength(1);
  for (const path of kept) rmSync(join(store, path));
  expect(await versions.status('PATCH', `/api/versions/${id}`, { label: 'sent' })).toBe(404);
  expect((await versions.list('/plan.txt')).versions).toEqual([]);
});
