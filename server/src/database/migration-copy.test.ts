import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preferencesOf } from '@filestead/contract/user-fields';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { initialSettings } from '../access/global-settings.ts';
import { bundledForTests } from '../programs/test-script.ts';
import { version } from '../version.ts';
import { encodeVersion } from './migration-copy.ts';
import { openDatabase } from './open-database.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { Mounts } from '../../test/fixtures/mounts.ts';

let folder: string;
let path: string;
let backups: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-migration-'));
  path = join(folder, 'test.db');
  backups = `${path}-backups`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Opens and closes the database, and returns the copies that were reported. */
async function open(): Promise<string[]> {
  const copies: string[] = [];
  const database = await openDatabase(path, { onCopied: (copy) => void copies.push(copy) });
  await database.close();
  return copies;
}
function execute(...statements: string[]): void {
  const connection = openSqlite(path);
  for (const statement of statements) connection.exec(statement);
  connection.close();
}
/** The statements that undo the migrations after `0010`. */
const undoLast = [
  "delete from kysely_migration where name >= '0011'",
  'drop table requested_restorations',
  'alter table users drop column start_on',
  'alter table shares drop column visits',
  ...['folder_uploads', 'folder_upload_files'].map((table) => `drop table ${table}`),
  ...[
    'last_byte_at',
    'modified_at',
    'client_key',
    'folder_id',
    'folder_file',
    'created_parents',
    'blocked_detail',
  ].map((column) => `alter table uploads drop column ${column}`),
  ...['operations', 'operation_steps', 'jobs', 'job_items', 'job_results'].map(
    (table) => `drop table ${table}`,
  ),
  ...['marks', 'mark_options', 'places', 'kept', 'ledgers'].map((table) => `drop table ${table}`),
  'drop index shares_kept_id',
  'alter table shares drop column kept_id',
  'alter table users drop column scope_since',
];
/** Undoes the last migrations, so that the database has the schema of an earlier version. */
const makeOlder = (usedBy = '0.0.9'): void =>
  execute(...undoLast, `PRAGMA user_version = ${encodeVersion(usedBy)}`);
const copyFiles = (): string[] => readdirSync(backups).toSorted();

test('an older database is copied before it is migrated, and the copy has the former content', async () => {
  await open();
  makeOlder();
  const [copy = ''] = await open();
  expect(copyFiles()).toEqual([expect.stringMatching(/^0\.0\.9-\d{8}-\d{6}-\d{3}\.db$/)]);
  expect(copy).toBe(join(backups, copyFiles()[0] ?? ''));
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(statSync(backups).mode & 0o777).toBe(0o700);
  const connection = openSqlite(copy);
  expect(connection.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  const columns = connection.prepare("select name from pragma_table_info('users')").all();
  connection.close();
  expect(columns).not.toContainEqual({ name: 'scope_since' });
  expect(columns).toContainEqual({ name: 'username' });
  expect(await open()).toEqual([]);
});

test('users with the permission to delete may delete forever after the migration, and so may new users', async () => {
  const database = await openDatabase(path);
  await database.settings.write(initialSettings());
  const { perm: usual } = initialSettings().defaults;
  const someone = { passwordHash: '', lockPassword: false, scope: '/', commands: [], rules: [] };
  const preferences = preferencesOf(initialSettings().defaults);
  for (const [username, mayDelete] of [
    ['deleter', true],
    ['reader', false],
  ] as const) {
    await database.users.create({
      ...preferences,
      ...someone,
      username,
      perm: { ...usual, delete: mayDelete, purge: false },
    });
  }
  await database.close();
  execute(
    ...undoLast,
    `update settings set value_json = replace(value_json, ',"purge":true', '')`,
    "delete from kysely_migration where name = '0010-permission-to-purge'",
    'alter table users drop column may_purge',
  );
  const migrated = await openDatabase(path);
  const granted = (await migrated.users.list()).map(({ username, perm }) => [username, perm.purge]);
  const settings = await migrated.settings.read();
  await migrated.close();
  expect(granted).toEqual([
    ['deleter', true],
    ['reader', false],
  ]);
  expect(settings?.defaults.perm).toMatchObject({ delete: true, purge: true });
});

test('a new database and a current one are not copied', async () => {
  expect(await open()).toEqual([]);
  expect(await open()).toEqual([]);
  expect(existsSync(backups)).toBe(false);
});

test('three copies are kept, and other files in the folder stay', async () => {
  await open();
  mkdirSync(backups);
  const old = ['20200101', '20210101', '20220101'].map((date) => `0.0.1-${date}-000000-000.db`);
  for (const name of [...old, 'mine.db', '0.0.1-20200101-000000-000.db.new']) {
    writeFileSync(join(backups, name), '');
  }
  utimesSync(join(backups, '0.0.1-20200101-000000-000.db.new'), 1, 1);
  makeOlder();
  await open();
  expect(copyFiles()).toEqual([...old.slice(1), expect.stringMatching(/^0\.0\.9-/) as string, 'mine.db']);
});

test('a migration that fails leaves the database as it was and no copy', async () => {
  await open();
  makeOlder();
  execute('alter table users add column scope_since text');
  await expect(open()).rejects.toThrow(/could not be migrated/);
  expect(copyFiles()).toEqual([]);
  execute('alter table users drop column scope_since');
  expect(await open()).toHaveLength(1);
});

/** Migrates the database at the first argument in a process that kills itself at a statement, the number of which is the second argument. */
const migrateAndDie = `
  const { createRequire } = await import('node:module');
  const require = createRequire(${JSON.stringify(import.meta.url)});
  const [major, minor] = process.versions.node.split('.').map(Number);
  const name = major > 22 || (major === 22 && minor >= 13) ? 'node:sqlite' : '@photostructure/sqlite';
  const { DatabaseSync } = require(name);
  let count = 0;
  const reach = () => {
    count += 1;
    if (count === Number(process.argv[2])) process.kill(process.pid, 'SIGKILL');
  };
  class Counted extends DatabaseSync {
    prepare(text) {
      reach();
      return super.prepare(text);
    }
    exec(text) {
      reach();
      return super.exec(text);
    }
  }
  const cached = require.cache[require.resolve(name)];
  if (cached === undefined) require(name).DatabaseSync = Counted;
  else cached.exports = { DatabaseSync: Counted };
  const { openDatabase } = await import(${JSON.stringify(bundledForTests('open-database'))});
  await (await openDatabase(process.argv[1])).close();
  process.stdout.write(String(count));
`;
const runToKill = (file: string, at: number): Promise<{ output: string; signal: string | null }> =>
  new Promise((resolve) => {
    const args = ['--input-type=module', '-e', migrateAndDie, file, String(at)];
    const child = execFile(process.execPath, args, (_error, output) =>
      resolve({ output, signal: child.signalCode }),
    );
  });

/** Five processes are started; a busy machine takes seconds for each. */
const killsMs = 180_000;

test(
  'a migration that is killed at any statement leaves the former or the new schema, and the next start completes it',
  { timeout: killsMs },
  async () => {
    await open();
    makeOlder();
    const read = (file: string): string[] => {
      const connection = openSqlite(file);
      const rows = connection.prepare('select sql from sqlite_master order by name').all() as {
        sql: string;
      }[];
      const steps = connection.prepare('select name from kysely_migration').all() as { name: string }[];
      const integrity = connection.prepare('PRAGMA integrity_check').all();
      connection.close();
      expect(integrity).toEqual([{ integrity_check: 'ok' }]);
      return [...rows.map(({ sql }) => sql), ...steps.map(({ name }) => name)];
    };
    execute('PRAGMA wal_checkpoint(TRUNCATE)');
    const former = read(path);
    const whole = join(folder, 'whole.db');
    copyFileSync(path, whole);
    const { output } = await runToKill(whole, 0);
    expect(Number(output)).toBeGreaterThan(50);
    const current = read(whole);
    expect(current).not.toEqual(former);

    const parts = 4;
    const outcomes = await Promise.all(
      Array.from({ length: parts }, async (_, part) => {
        const file = join(folder, `killed-${part}.db`);
        copyFileSync(path, file);
        const { signal } = await runToKill(file, Math.ceil(((part + 1) * Number(output)) / (parts + 1)));
        expect(signal).toBe('SIGKILL');
        const left = read(file);
        expect([former, current]).toContainEqual(left);
        await (await openDatabase(file)).close();
        expect(read(file)).toEqual(current);
        return left.length === former.length ? 'former' : 'new';
      }),
    );
    expect(outcomes).toContain('former');
  },
);

test('a database is not migrated if its disk has no room for two copies', async ({ skip }) => {
  const mounts = new Mounts();
  mounts.required({ skip }).tmpfs(folder, 'size=8m');
  try {
    await open();
    makeOlder();
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - 224 * 1024, 1));
    await expect(open()).rejects.toThrow(
      /too full for a copy before the database is updated: \d+ MiB are needed and 1 MiB are free; nothing was changed/,
    );
    expect(copyFiles()).toEqual([]);
    await rm(join(folder, 'filler'));
    expect(await open()).toHaveLength(1);
  } finally {
    mounts.release();
  }
});

test('a newer database is refused with its version and the newest copy that this version can open', async () => {
  await open();
  makeOlder();
  const [copy = ''] = await open();
  execute(
    "insert into kysely_migration values ('9999-from-the-future', '2099')",
    `PRAGMA user_version = ${encodeVersion('12.3.4-beta.1')}`,
  );
  const later = openSqlite(path);
  later.prepare('vacuum into ?').run(join(backups, '12.3.4-20990101-000000-000.db'));
  later.close();
  await expect(open()).rejects.toThrow(
    `the database ${path} was created by a newer version of Filestead (12.3.4, with “9999-from-the-future”) than this one (${version}); install that version, or replace test.db with the copy ${copy}`,
  );
  await rm(backups, { recursive: true });
  await expect(open()).rejects.toThrow(/; install that version, or restore a backup$/);
});
