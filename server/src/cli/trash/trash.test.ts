import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { systemClock } from '../../clock.ts';
import { lockData } from '../../database/lock-data.ts';
import { openDatabase } from '../../database/open-database.ts';
import { openDiskStorage } from '../../storage/disk/open-disk-storage.ts';
import type { KeptEntry } from '../../storage/kept/kept-entries.ts';
import { storedOf } from '../../access/keeping/kept-entry.ts';
import { RequestedRestorations } from '../../trash/requested-restorations.ts';
import { restoreByCommand } from '../../trash/restore-by-command.ts';
import { TrashIndex } from '../../trash/trash-index.ts';

let cli: TestCli;
let aliceId: number;
beforeEach(async () => {
  cli = await openCli();
  await cli.succeed('config', 'init');
  await cli.succeed('users', 'add', 'alice', 'a password for tests');
  aliceId = await cli.inspect(async ({ users }) => (await users.findByName('alice'))?.id ?? 0);
});
afterEach(() => cli.remove());

const at = (path: string): string => join(cli.folder, path);

/** Writes a file and deletes it as the server does. Returns its id in the trash. */
async function deleted(path: string, isIndexed = true): Promise<string> {
  mkdirSync(at(join(path, '..')), { recursive: true });
  writeFileSync(at(path), path);
  const storage = await openDiskStorage({ root: cli.folder, storeRegistry: at('.filestead/stores.json') });
  const cause = { operation: 'o', act: 'delete', userId: aliceId, session: null, time: Date.now() } as const;
  const [entry] = await storage.remove(virtualPath(path), { keep: cause });
  await storage.close();
  if (entry === undefined) throw new Error('nothing was kept');
  const add = (kept: KeptEntry): Promise<void> =>
    cli.inspect(({ trash }) => trash.add([storedOf(kept)], (name) => name));
  if (isIndexed) await add(entry);
  return entry.id;
}
const failing = async (...args: string[]): Promise<string> => {
  const { status, err } = await cli.run(args);
  expect(status).toBe(1);
  return err;
};

test('entries are listed with their user and path, and restored', async () => {
  const one = await deleted('/docs/one.txt');
  const two = await deleted('/other/two.txt');
  const list = await cli.succeed('trash', 'list');
  expect(list.split('\n')).toHaveLength(3);
  expect(list).toMatch(new RegExp(`^${one}  \\S+  alice  13     /docs/one.txt$`, 'm'));
  expect(await cli.succeed('trash', 'list', '--below', '/other')).toContain(two);
  expect(await cli.succeed('trash', 'list', '--below', '/other')).not.toContain(one);
  expect(await failing('trash', 'list', '--user', 'nobody')).toContain('there is no user');
  expect(await cli.succeed('trash', 'restore', one)).toBe(`${one}  /docs/one.txt`);
  expect(await cli.succeed('trash', 'restore', two, '--to', '/docs')).toBe(`${two}  /docs/two.txt`);
  expect([readFileSync(at('docs/one.txt'), 'utf8'), existsSync(at('docs/two.txt'))]).toEqual([
    '/docs/one.txt',
    true,
  ]);
  expect(await cli.succeed('trash', 'list')).toMatch(/^ID\b.*$/);
  expect(await failing('trash', 'restore', one)).toContain('not in the trash');
});

test('a purge prints what it would do, and removes with --yes', async () => {
  const one = await deleted('/one.txt');
  const two = await deleted('/two.txt');
  expect(await failing('trash', 'purge')).toContain('name the ids');
  expect(await failing('trash', 'purge', '--olderThan', 'soon')).toContain('--olderThan');
  expect(await failing('trash', 'purge', 'A'.repeat(22))).toContain('not in the trash');
  const dry = await cli.run(['trash', 'purge', one]);
  expect([dry.status, dry.out.includes(one), dry.err.includes('--yes')]).toEqual([0, true, true]);
  expect(await cli.succeed('trash', 'list')).toContain(one);
  expect(await cli.succeed('trash', 'purge', one, '--yes')).toBe('Removed from the disk: 1 entry.');
  expect(await cli.succeed('trash', 'stores')).toMatch(/^\/ +1 +8 /m);
  expect(await cli.succeed('trash', 'purge', '--all', '--yes')).toBe('Removed from the disk: 1 entry.');
  expect(await cli.succeed('trash', 'list')).not.toContain(two);
});

test('a lost index is reported and rebuilt from the disk', async () => {
  const id = await deleted('/docs/one.txt', false);
  expect(await failing('trash', 'check')).toContain('1 entry missing from the index');
  expect(await cli.succeed('trash', 'rebuild')).toContain('1 entry in the trash');
  expect(await cli.succeed('trash', 'list')).toContain(id);
  expect(await cli.succeed('trash', 'check')).toBe('1 entry in the stores, 1 in the trash');
  for (const name of readdirSync(at('.filestead-trash'), { recursive: true, encoding: 'utf8' }))
    if (name.includes(id)) rmSync(at(join('.filestead-trash', name)));
  expect(await failing('trash', 'check')).toContain('1 record without an entry; use “trash rebuild”');
  expect(await cli.succeed('trash', 'rebuild')).toBe('0 entries in the trash, 0 of them to be removed.');
  expect(await cli.succeed('trash', 'check')).toBe('0 entries in the stores, 0 in the trash');
  rmSync(at('.filestead-trash'), { recursive: true });
  await cli.succeed('trash', 'rebuild');
  expect(await cli.succeed('trash', 'list')).not.toContain(id);
});

test('rebuilding needs a stopped server, and a running one removes what is purged', async () => {
  const id = await deleted('/one.txt');
  const release = lockData(at('.filestead/lock'));
  try {
    expect(await failing('trash', 'rebuild')).toContain('stop it first');
    expect(await cli.succeed('trash', 'purge', id, '--yes')).toContain('The server frees the space');
    expect(await cli.succeed('trash', 'list')).not.toContain(id);
    expect(await cli.succeed('trash', 'check')).toBe('1 entry in the stores, 0 in the trash');
  } finally {
    release();
  }
});

test('a running server restores what a command requests, and reports what it cannot restore', async () => {
  const one = await deleted('/docs/one.txt');
  const two = await deleted('/two.txt');
  const release = lockData(at('.filestead/lock'));
  const database = await openDatabase(cli.databasePath);
  const storage = await openDiskStorage({ root: cli.folder, storeRegistry: at('.filestead/stores.json') });
  const log = { info: () => undefined, error: () => undefined };
  const { trash: repository, shares } = database;
  const index = new TrashIndex({ repository, shares, storage, now: Date.now, log });
  const server = new RequestedRestorations({
    repository: database.restorations,
    restore: ({ keptId, destination }) =>
      restoreByCommand({ repository, index, storage }, keptId, destination),
    clock: { ...systemClock, every: (_interval, work) => systemClock.every(5, work) },
    log,
  });
  server.start();
  try {
    expect(await cli.succeed('trash', 'restore', one)).toBe(`${one}  /docs/one.txt`);
    expect(await cli.succeed('trash', 'restore', two, '--to', '/docs')).toBe(`${two}  /docs/two.txt`);
    expect(existsSync(at('docs/two.txt'))).toBe(true);
    expect(await failing('trash', 'restore', one)).toContain('not in the trash');
    expect(await database.restorations.waiting()).toEqual([]);
  } finally {
    await server.close();
    await storage.close();
    await database.close();
    release();
  }
});

test('a request to a server that stops is withdrawn', async () => {
  const one = await deleted('/one.txt');
  const release = lockData(at('.filestead/lock'));
  const restoring = failing('trash', 'restore', one);
  await expect
    .poll(() => cli.inspect(({ restorations }) => restorations.waiting()))
    .toMatchObject([{ keptId: one, destination: null }]);
  release();
  expect(await restoring).toContain('the server has stopped');
  expect(await cli.inspect(({ restorations }) => restorations.waiting())).toEqual([]);
  expect(await cli.succeed('trash', 'list')).toContain(one);
});

describe('adopting', () => {
  /** Deletes files as another installation does, whose folder is named by its data. */
  async function deletedByOther(...paths: string[]): Promise<KeptEntry[]> {
    const other = await openDiskStorage({ root: cli.folder, storeRegistry: at('../other-stores.json') });
    const entries: KeptEntry[] = [];
    for (const path of paths) {
      const cause = {
        operation: 'o',
        act: 'delete',
        userId: aliceId,
        session: 's',
        time: Date.now(),
      } as const;
      entries.push(...(await other.remove(virtualPath(path), { keep: cause })));
    }
    await other.close();
    return entries;
  }
  afterEach(() => rmSync(at('../other-stores.json'), { force: true }));

  test('takes over what another installation keeps, without its users', async () => {
    mkdirSync(at('docs/inner'), { recursive: true });
    for (const path of ['docs/inner/a.txt', 'docs/b.txt', 'c.txt']) writeFileSync(at(path), path);
    const own = await deleted('/docs/own.txt');
    const others = await deletedByOther('/docs/inner/a.txt', '/docs', '/c.txt');
    const dry = await cli.run(['trash', 'adopt']);
    expect([dry.status, dry.err.includes('--yes')]).toEqual([0, true]);
    expect(dry.out.split('\n')).toHaveLength(2);
    expect(await cli.succeed('trash', 'adopt', '--yes')).toBe('/: took over 3 entries.');
    const list = await cli.succeed('trash', 'list');
    for (const { id } of others) expect(list).toMatch(new RegExp(`^${id}  \\S+  -  `, 'm'));
    expect(list).toMatch(new RegExp(`^${own}  \\S+  alice`, 'm'));
    expect(await cli.succeed('trash', 'check')).toBe('4 entries in the stores, 4 in the trash');
    // The deleted folder of the other installation does not contain what this one has deleted from a folder of that name.
    expect(await cli.succeed('trash', 'restore', own)).toBe(`${own}  /docs/own.txt`);
    const [inner, docs] = others.map(({ id }) => id);
    expect(await cli.succeed('trash', 'restore', docs ?? '', '--to', '/back')).toBe(`${docs}  /back/docs`);
    expect(await cli.succeed('trash', 'restore', inner ?? '')).toBe(`${inner}  /back/docs/inner/a.txt`);
    await cli.succeed('trash', 'rebuild');
    expect(await cli.succeed('trash', 'check')).toBe('1 entry in the stores, 1 in the trash');
    expect(await cli.succeed('trash', 'adopt', '--yes')).toContain('no store');
  });

  test('keeps the users of accounts that were restored from a backup', async () => {
    writeFileSync(at('c.txt'), 'c');
    const [entry] = await deletedByOther('/c.txt');
    await cli.succeed('trash', 'adopt', '--yes', '--sameUsers');
    expect(await cli.succeed('trash', 'list')).toMatch(new RegExp(`^${entry?.id}  \\S+  alice`, 'm'));
  });

  test('finds a store of this installation in a folder that was moved', async () => {
    mkdirSync(at('disk'));
    // A file in the way: the store is created in the folder below.
    writeFileSync(at('.filestead-trash'), '');
    const id = await deleted('/disk/a.txt');
    renameSync(at('disk'), at('moved'));
    expect(await failing('trash', 'adopt', 'moved')).toContain('slash');
    expect(await cli.succeed('trash', 'adopt', '/docs', '--yes')).toContain('no store');
    expect(await cli.succeed('trash', 'adopt', '/moved', '--yes')).toContain('/moved');
    expect(await cli.succeed('trash', 'restore', id)).toBe(`${id}  /moved/a.txt`);
  });

  test('finds the folder of such a store by itself, however deep it was moved', async () => {
    writeFileSync(at('.filestead-trash'), '');
    const id = await deleted('/disk/a.txt');
    mkdirSync(at('archive/2026'), { recursive: true });
    symlinkSync('..', at('archive/loop'));
    renameSync(at('disk'), at('archive/2026/moved'));
    expect((await cli.run(['trash', 'adopt'])).out).toMatch(/^\/archive\/2026\/moved +this one$/m);
    expect(await cli.succeed('trash', 'adopt', '--yes')).toBe(
      '/archive/2026/moved: the store is in use again.',
    );
    expect(await cli.succeed('trash', 'restore', id)).toBe(`${id}  /archive/2026/moved/a.txt`);
  });

  test('takes back a store that was moved away, beside the one that was created since', async () => {
    const first = await deleted('/a.txt');
    renameSync(at('.filestead-trash'), at('away'));
    const second = await deleted('/b.txt');
    expect(await failing('trash', 'restore', first)).toContain(first);
    mkdirSync(at('former'));
    renameSync(at('away'), at('former/.filestead-trash'));
    expect(await cli.succeed('trash', 'adopt', '--yes')).toBe('/former: the store is in use again.');
    expect(await cli.succeed('trash', 'restore', first)).toBe(`${first}  /a.txt`);
    expect(await cli.succeed('trash', 'restore', second)).toBe(`${second}  /b.txt`);
  });

  test('is not needed for a store that was moved away and back', async () => {
    const id = await deleted('/a.txt');
    renameSync(at('.filestead-trash'), at('away'));
    expect(await failing('trash', 'restore', id)).toContain(id);
    // A copy from another disk has another inode.
    cpSync(at('away'), at('.filestead-trash'), { recursive: true });
    expect(await cli.succeed('trash', 'adopt', '--yes')).toContain('no store');
    expect(await cli.succeed('trash', 'restore', id)).toBe(`${id}  /a.txt`);
  });

  test('can be repeated after an interruption', async () => {
    for (const path of ['a.txt', 'b.txt']) writeFileSync(at(path), path);
    const [first] = await deletedByOther('/a.txt', '/b.txt');
    const stores = at('.filestead-trash');
    const theirs = join(stores, readdirSync(stores).find((name) => name.length === 22) ?? '');
    // The first entry was moved already when the command was interrupted.
    const own = await deleted('/own.txt');
    const ours = join(
      stores,
      readdirSync(stores).find((name) => name.length === 22 && !theirs.endsWith(name)) ?? '',
    );
    const stored = join('things', first?.folder ?? '', first?.storedName ?? '');
    renameSync(join(theirs, stored), join(ours, stored));
    appendFileSync(
      join(ours, 'ledger', readdirSync(join(ours, 'ledger'))[0] ?? ''),
      readFileSync(join(theirs, 'ledger', readdirSync(join(theirs, 'ledger'))[0] ?? '')),
    );
    expect(await cli.succeed('trash', 'adopt', '--yes')).toBe('/: took over 1 entry.');
    expect(existsSync(theirs)).toBe(false);
    await cli.succeed('trash', 'rebuild');
    expect(await cli.succeed('trash', 'check')).toBe('3 entries in the stores, 3 in the trash');
    expect(await cli.succeed('trash', 'list')).toContain(own);
  });
});
