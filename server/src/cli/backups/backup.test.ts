import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { startApp } from '../../../test/start-app.ts';
import { lockData } from '../../database/lock-data.ts';
import { openSqlite } from '../../database/sqlite/open-sqlite.ts';
import { packTar } from './tar.ts';
import { Mounts } from '../../../test/fixtures/mounts.ts';

const password = 'a password for tests';
let cli: TestCli;
let data: string;
let elsewhere: string;
beforeEach(async () => {
  cli = await openCli();
  data = join(cli.folder, '.filestead');
  elsewhere = mkdtempSync(join(tmpdir(), 'filestead-backups-'));
});
afterEach(async () => {
  await cli.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

/** Creates a database with a user, a branding folder and a setting. */
async function prepare(): Promise<void> {
  const branding = join(data, 'branding');
  await cli.succeed('config', 'init', `--branding.files=${branding}`, '--branding.name=First');
  await cli.succeed('users', 'add', 'admin', password, '--perm.admin');
  mkdirSync(join(branding, 'img'), { recursive: true });
  writeFileSync(join(branding, 'custom.css'), 'body{}');
  writeFileSync(join(branding, 'img', 'logo.svg'), '<svg/>');
  writeFileSync(join(branding, 'private.txt'), 'not served, not saved');
}
const users = async (): Promise<string[]> =>
  cli.inspect(async (database) => (await database.users.list()).map(({ username }) => username));
const backup = (name = 'one.tar.gz'): string => join(elsewhere, name);
const failing = async (...args: string[]): Promise<string> => {
  const { status, err } = await cli.run(args);
  expect(status).toBe(1);
  return err;
};
/** Returns the files of an archive by name. */
function listing(file: string): Map<string, Buffer> {
  const bytes = gunzipSync(readFileSync(file));
  const files = new Map<string, Buffer>();
  for (let at = 0; bytes[at] !== 0;) {
    const name = bytes
      .subarray(at, at + 100)
      .toString()
      .replaceAll('\0', '');
    const size = Number.parseInt(bytes.subarray(at + 124, at + 135).toString(), 8);
    files.set(name, bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
async function repack(file: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const members = [...files].map(([name, source]) => ({ name, source, size: source.length }));
  const pieces: Uint8Array[] = [];
  for await (const piece of packTar(members, 0)) pieces.push(piece);
  writeFileSync(file, gzipSync(Buffer.concat(pieces)));
}

test('a backup is one private archive of database, manifest and branding that any tar can read', async () => {
  await prepare();
  const output = await cli.succeed('backup', '--to', backup());
  expect(output).toMatch(
    /^Saved 1 user, 0 links, settings and keys \(\d+ kB\) to .*one\.tar\.gz\. Files of users are not in it\.$/,
  );
  expect(statSync(backup()).mode & 0o777).toBe(0o600);
  const names = ['branding/custom.css', 'branding/img/logo.svg', 'filestead.db', 'manifest.json'];
  expect([...listing(backup()).keys()].toSorted()).toEqual(names);
  const { stdout } = spawnSync('tar', ['-tzf', backup()], { encoding: 'utf8' });
  expect(stdout.trim().split('\n').toSorted()).toEqual(names);
  expect(readdirSync(elsewhere)).toEqual(['one.tar.gz']);
  expect(readdirSync(`${cli.databasePath}-backups`)).toEqual([]);
  // For monitoring.
  expect(readFileSync(join(data, 'last-backup'), 'utf8')).toMatch(/^\d{10}\n$/);
});

test('a restored backup has the state of its time, and the replaced files are kept', async () => {
  await prepare();
  await cli.succeed('backup', '--to', backup());
  await cli.succeed('users', 'add', 'late', password);
  await cli.succeed('config', 'set', '--branding.name=Second');
  rmSync(join(data, 'branding', 'custom.css'));
  expect(await cli.succeed('restore', backup(), '--dry-run')).toContain(
    'can be restored: 1 user and 0 links of ',
  );
  expect(await users()).toEqual(['admin', 'late']);
  const output = await cli.succeed('restore', backup());
  const [, savedFolder = ''] = /The previous data was saved to (.*)\.$/.exec(output) ?? [];
  expect(await users()).toEqual(['admin']);
  expect(await cli.succeed('config', 'cat')).toContain('First');
  expect(readFileSync(join(data, 'branding', 'custom.css'), 'utf8')).toBe('body{}');
  expect(statSync(cli.databasePath).mode & 0o777).toBe(0o600);
  const kept = openSqlite(join(savedFolder, 'filestead.db'));
  expect(kept.prepare('select username from users order by id').all()).toMatchObject([
    { username: 'admin' },
    { username: 'late' },
  ]);
  kept.close();
  expect(readFileSync(join(savedFolder, 'branding', 'private.txt'), 'utf8')).toContain('not served');
});

test('a backup can be restored after the database was lost, and into an empty data folder', async () => {
  await prepare();
  await cli.succeed('backup', '--to', backup());
  writeFileSync(cli.databasePath, '');
  await cli.succeed('restore', backup());
  expect(await users()).toEqual(['admin']);
  rmSync(data, { recursive: true });
  await cli.succeed('restore', backup());
  expect(await users()).toEqual(['admin']);
  rmSync(cli.databasePath);
  expect(await failing('users', 'ls')).toContain('this data folder has been in use');
});

test('a backup of a running server is complete, keeps users signed in, and can sign them out', async () => {
  const app = await startApp({ users: [{ username: 'alice' }] });
  try {
    const token = await app.signIn('alice');
    const locationFlags = ['--data', app.data, '--root', app.root];
    await cli.succeed('backup', '--to', backup(), ...locationFlags);
    expect(await failing('restore', backup(), ...locationFlags)).toContain(
      'a server uses this data folder; stop it first',
    );
    expect((await app.fetch('/api/resources/', { token })).status).toBe(200);
    const sessions = async (): Promise<number> =>
      cli.inspect(async (database) => {
        const alice = await database.users.findByName('alice');
        return (
          await database.sessions.list(alice?.id ?? 0, { now: Date.now(), lastSeenAt: 0, rotatedAt: 0 })
        ).length;
      });
    await cli.succeed('restore', backup());
    expect(await sessions()).toBe(1);
    await cli.succeed('restore', backup(), '--signOut');
    expect(await sessions()).toBe(0);
  } finally {
    await app.close();
  }
});

test('an existing file is replaced only with --force, and never by a backup that fails', async () => {
  await prepare();
  writeFileSync(backup(), 'mine');
  expect(await failing('backup', '--to', backup())).toContain('exists; --force replaces it');
  expect(readFileSync(backup(), 'utf8')).toBe('mine');
  await cli.succeed('backup', '--to', backup(), '--force');
  expect(listing(backup()).has('manifest.json')).toBe(true);
  expect(await failing('backup', '--to', join(elsewhere, 'no', 'folder.tar.gz'))).toContain(
    'there is no folder',
  );
  writeFileSync(cli.databasePath, 'something else');
  const before = readFileSync(backup());
  await failing('backup', '--to', backup(), '--force');
  expect(readFileSync(backup()).equals(before)).toBe(true);
});

test('a backup is not written to a folder where users could download it', async () => {
  await prepare();
  const served = join(cli.folder, 'one.tar.gz');
  expect(await failing('backup', '--to', served)).toContain('is in the served folder');
  expect(existsSync(served)).toBe(false);
  await cli.succeed('backup');
  expect(readdirSync(`${cli.databasePath}-backups`)).toMatchObject([
    expect.stringMatching(/^filestead-\d{8}-\d{6}-\d{3}\.tar\.gz$/),
  ]);
});

test('the root of the file system is not taken for the served folder when the data folder is named', async () => {
  await prepare();
  const { status, out } = await cli.run(['backup', '--data', data, '--to', elsewhere], { cwd: '/' });
  expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining('Saved 1 user') as string });
});

test('--keep removes only the oldest backups with a date in their name', async () => {
  await prepare();
  for (const name of [
    'filestead-20200101-000000-000.tar.gz',
    'filestead-20210101-000000-000.tar.gz',
    'mine.tar.gz',
  ]) {
    writeFileSync(backup(name), '');
  }
  expect(await cli.succeed('backup', '--to', elsewhere, '--keep', '2')).toContain('Removed 1 older backup.');
  const names = readdirSync(elsewhere).toSorted();
  expect(names).toHaveLength(3);
  expect(names).toContain('mine.tar.gz');
  expect(names).not.toContain('filestead-20200101-000000-000.tar.gz');
  expect(await failing('backup', '--to', backup('x.tar.gz'), '--keep', '2')).toContain(
    'specify a folder with --to',
  );
  expect(await failing('backup', '--to', elsewhere, '--keep', '0')).toContain(
    '--keep: expected a whole number from 1',
  );
});

test('a backup on the standard output is the same archive', async () => {
  await prepare();
  const { status, err, bytes } = await cli.run(['backup', '--to', '-']);
  expect({ status, start: bytes.toString('hex', 0, 2) }).toEqual({ status: 0, start: '1f8b' });
  expect(err).toContain('Files of users are not in it');
  writeFileSync(backup(), bytes);
  await cli.succeed('restore', backup(), '--dryRun');
});

test('a backup removes the files of killed backups, but not those of a running one', async () => {
  await prepare();
  const folder = `${cli.databasePath}-backups`;
  const old = new Date(Date.now() - 3_600_000);
  const copy = (name: string, ...files: string[]): void => {
    mkdirSync(join(folder, name), { recursive: true });
    for (const file of files) writeFileSync(join(folder, name, file), '');
  };
  copy('unfinished-killed', 'filestead.db', 'lock');
  copy('unfinished-before', 'filestead.db');
  utimesSync(join(folder, 'unfinished-before'), old, old);
  copy('unfinished-started');
  copy('unfinished-running', 'filestead.db');
  const unlock = lockData(join(folder, 'unfinished-running', 'lock'));
  const part = (pid: number | undefined): string =>
    join(elsewhere, `filestead-20200102-030405-006.tar.gz.${pid}.part`);
  const { pid: ended } = spawnSync('true');
  for (const pid of [ended, process.pid]) {
    writeFileSync(part(pid), '');
    utimesSync(part(pid), old, old);
  }
  writeFileSync(join(elsewhere, 'own.part'), '');
  try {
    await cli.succeed('backup', '--to', elsewhere);
  } finally {
    unlock();
  }
  expect(readdirSync(folder).toSorted()).toEqual(['unfinished-running', 'unfinished-started']);
  expect(existsSync(part(ended))).toBe(false);
  expect([existsSync(part(process.pid)), existsSync(join(elsewhere, 'own.part'))]).toEqual([true, true]);
});

test('a full disk leaves no partial backup', async ({ skip }) => {
  await prepare();
  const mounts = new Mounts();
  mounts.required({ skip }).tmpfs(elsewhere, 'size=16k');
  try {
    writeFileSync(join(elsewhere, 'filler'), Buffer.alloc(12 * 1024, 1));
    expect(await failing('backup', '--to', backup())).toContain('is full; nothing was written');
    expect(readdirSync(elsewhere)).toEqual(['filler']);
  } finally {
    mounts.release();
  }
});

test('a damaged, foreign or newer backup is refused with the reason and changes nothing', async () => {
  await prepare();
  await cli.succeed('backup', '--to', backup());
  const whole = readFileSync(backup());
  const files = listing(backup());
  const manifest = JSON.parse(String(files.get('manifest.json'))) as Record<string, unknown>;
  const withFiles = (changes: Record<string, Buffer | string>) =>
    repack(
      backup('bad.tar.gz'),
      new Map([
        ...files,
        ...Object.entries(changes).map(([name, text]) => [name, Buffer.from(text)] as const),
      ]),
    );
  const withManifest = (change: object) =>
    withFiles({ 'manifest.json': JSON.stringify({ ...manifest, ...change }) });
  const tar = gunzipSync(whole);
  const write = (bytes: Uint8Array): void => writeFileSync(backup('bad.tar.gz'), bytes);
  /** Returns the archive with another first header and a valid checksum. */
  const withHeader = (change: (header: Buffer) => void): void => {
    const changed = Buffer.from(tar);
    const header = changed.subarray(0, 512);
    change(header);
    header.write('        ', 148, 'ascii');
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
      'ascii',
    );
    write(gzipSync(changed));
  };
  const newer = async (): Promise<void> => {
    const file = join(elsewhere, 'newer.db');
    writeFileSync(file, files.get('filestead.db') ?? '');
    const connection = openSqlite(file);
    connection.exec("insert into kysely_migration values ('9999-from-the-future', '2099')");
    connection.close();
    const content = readFileSync(file);
    const listed = structuredClone(manifest.files) as { name: string; size: number; sha256: string }[];
    for (const entry of listed) {
      if (entry.name !== 'filestead.db') continue;
      entry.size = content.length;
      entry.sha256 = createHash('sha256').update(content).digest('hex');
    }
    const change = {
      files: listed,
      schema: [...(manifest.schema as string[]), '9999-from-the-future'],
      version: '9.9.9',
    };
    await withFiles({ 'filestead.db': content, 'manifest.json': JSON.stringify({ ...manifest, ...change }) });
  };
  const cases: [string, () => unknown, RegExp][] = [
    ['no archive', () => write(Buffer.from('hello')), /damaged, or not a backup/],
    ['cut short', () => write(whole.subarray(0, whole.length - 100)), /truncated|damaged/],
    [
      'a changed database',
      () => withFiles({ 'filestead.db': 'changed' }),
      /filestead\.db in it is missing or damaged/,
    ],
    [
      'a file that the manifest does not name',
      () => withFiles({ 'branding/img/x.png': 'x' }),
      /does not name branding\/img\/x\.png/,
    ],
    [
      'no manifest',
      () => repack(backup('bad.tar.gz'), new Map([['filestead.db', Buffer.from('x')]])),
      /not a backup of Filestead/,
    ],
    ['another format', () => withManifest({ format: 'other' }), /manifest is damaged/],
    ['a way out in the manifest', () => withManifest({ branding: '../../etc' }), /manifest is damaged/],
    ['another history', () => withManifest({ schema: [] }), /manifest is damaged/],
    ['a newer version', newer, /created by version 9\.9\.9 of Filestead, which is newer/],
    [
      'a way out in a name',
      () => withHeader((header) => header.write('../../evil.txt\0', 0)),
      /contains "\.\.\/\.\.\/evil\.txt"/,
    ],
    ['a link', () => withHeader((header) => header.write('2', 156)), /which no backup does/],
    ['too much', () => withHeader((header) => header.write('77777777777', 124)), /more than any backup/],
    [
      'a wrong sum',
      () => {
        const changed = Buffer.from(tar);
        changed[150] = 0x37;
        changed[149] = 0x37;
        write(gzipSync(changed));
      },
      /damaged/,
    ],
    [
      'the same twice',
      () => write(gzipSync(Buffer.concat([tar.subarray(0, tar.length - 1024), tar]))),
      /contains manifest\.json twice/,
    ],
    ['more behind its end', () => write(gzipSync(Buffer.concat([tar, Buffer.alloc(512, 1)]))), /damaged/],
  ];
  const before = readFileSync(cli.databasePath);
  for (const [name, make, reason] of cases) {
    await make();
    const output = await failing('restore', backup('bad.tar.gz'));
    expect(output, name).toMatch(reason);
    expect(output, name).toMatch(/^filestead: .*bad\.tar\.gz: [^\n]+$/);
    expect(readFileSync(cli.databasePath).equals(before), name).toBe(true);
    expect(readdirSync(`${cli.databasePath}-backups`), name).toEqual([]);
  }
  expect(existsSync(join(cli.folder, 'evil.txt'))).toBe(false);
  expect(await failing('restore', join(elsewhere, 'none.tar.gz'))).toContain('is not a file');
});

test('a restore is refused while a server uses the data folder', async () => {
  await prepare();
  await cli.succeed('backup', '--to', backup());
  await cli.succeed('users', 'add', 'late', password);
  const unlock = lockData(join(data, 'lock'));
  try {
    expect(await failing('restore', backup())).toBe(
      'filestead: a server uses this data folder; stop it first',
    );
  } finally {
    unlock();
  }
  expect(await users()).toEqual(['admin', 'late']);
});

test('a restore names the reason for which the data folder cannot be locked', async () => {
  await prepare();
  await cli.succeed('backup', '--to', backup());
  writeFileSync(join(data, 'lock'), 'this is not a database, but long enough to be one'.repeat(20));
  expect(await failing('restore', backup())).toContain('file is not a database');
});

test('run as root, leaves nothing in the data folder of another account that this account cannot open', async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) return skip('only root may give files away');
  const owner = 61_234;
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, owner, owner);
  const foreign = (): string[] =>
    readdirSync(data, { recursive: true, encoding: 'utf8' }).filter(
      (name) => statSync(join(data, name)).uid !== owner,
    );
  await prepare();
  spawnSync('chown', ['-R', `${owner}`, join(data, 'branding')]);
  expect(foreign()).toEqual([]);
  await cli.succeed('backup');
  await cli.succeed('backup', '--to', backup());
  expect(foreign()).toEqual([]);
  expect(statSync(backup()).uid).toBe(0);
  await cli.succeed('restore', backup());
  expect(foreign()).toEqual([]);
  expect(await users()).toEqual(['admin']);
});

test('run as root, gives away neither links nor files with several names', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip('only root may give files away');
  await prepare();
  const secret = join(elsewhere, 'secret');
  writeFileSync(secret, 'of root');
  chownSync(data, 61_234, 61_234);
  for (const name of ['last-backup', 'lock']) {
    rmSync(join(data, name), { force: true });
    linkSync(secret, join(data, name));
  }
  await cli.succeed('backup', '--to', backup());
  await failing('restore', backup());
  expect([statSync(secret).uid, readFileSync(secret, 'utf8')]).toEqual([0, 'of root']);
});
