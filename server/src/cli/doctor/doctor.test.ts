import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '../../database/sqlite/open-sqlite.ts';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { makeSelfSigned } from '../../../test/fixtures/self-signed.ts';
import { startApp } from '../../../test/start-app.ts';
import { version } from '../../version.ts';
import { isNetworkType } from './check-folders.ts';
import type { Finding } from './finding.ts';
import { Mounts } from '../../../test/fixtures/mounts.ts';

let cli: TestCli;
let data: string;
beforeEach(async () => {
  cli = await openCli();
  data = join(cli.folder, '.filestead');
});
afterEach(() => cli.remove());

const path = process.env.PATH ?? '';
interface Report {
  readonly exit: number;
  readonly status: string;
  readonly findings: readonly Finding[];
  readonly of: (check: string) => string[];
}
/** Starting a decoder takes most of the time of `doctor`; one test does it. */
const noPictures = { FILESTEAD_DISABLE_THUMBNAILS: 'on', FILESTEAD_DISABLE_PREVIEW_RESIZE: 'on' };
/** Runs `doctor --json` with a free port and returns its report. */
async function examine(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Report> {
  const { status: exit, out } = await cli.run(['doctor', '--json', ...args], {
    env: { PATH: path, FILESTEAD_PORT: '0', ...noPictures, ...env },
  });
  const { status, findings } = JSON.parse(out) as { status: string; findings: Finding[] };
  return {
    exit,
    status,
    findings,
    of: (check) =>
      findings.filter((finding) => finding.check === check).map(({ state, text }) => `${state} ${text}`),
  };
}
const execute = (...statements: string[]): void => {
  const connection = openSqlite(cli.databasePath);
  for (const statement of statements) connection.exec(statement);
  connection.close();
};

test('a healthy installation has no warnings, one line per check, and no changed file', async () => {
  await cli.succeed('config', 'init');
  const before = readdirSync(data).toSorted();
  const { status, out, err } = await cli.run(['doctor', '--port', '0'], { env: { PATH: path } });
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/^ok {4}root {6}\/.*: readable, writable, \d.* free$/m);
  expect(out).toMatch(/^ok {4}data {6}\/.*\.filestead: private, writable, /m);
  expect(out).toMatch(/^ok {4}database {2}\/.*filestead\.db: intact, up to date$/m);
  expect(out).toMatch(/^ok {4}server {4}not running; 127\.0\.0\.1 port 0 is free$/m);
  expect(out).toMatch(/^ok {4}pictures {2}thumbnails and previews of pictures can be made$/m);
  expect(out).toMatch(/^info {2}sandbox {3}not needed: commands are disabled$/m);
  expect(out).not.toMatch(/^(?:warn|error)/m);
  expect(readdirSync(data).toSorted()).toEqual(before);
});

test('before the first start doctor creates nothing', async () => {
  const { exit, status, of } = await examine();
  expect({ exit, status }).toEqual({ exit: 0, status: 'ok' });
  expect(of('data')).toEqual([`info ${data} does not exist yet; the first start creates it`]);
  expect(of('database')).toEqual([`info ${cli.databasePath} does not exist yet; the first start creates it`]);
  expect(existsSync(data)).toBe(false);
});

test('a warning gives exit status 1, its consequence, its remedy and a summary', async () => {
  await cli.succeed('config', 'init');
  chmodSync(data, 0o755);
  const { status, out, err } = await cli.run(['doctor', '--port', '0'], {
    env: { PATH: path, ...noPictures },
  });
  expect({ status, err }).toEqual({ status: 1, err: 'filestead: 0 errors, 1 warning' });
  expect(out).toContain(
    `warn  data      ${data} has mode 0755: other accounts can reach password hashes and keys\n                → chmod 700 ${data}`,
  );
});

test('invalid options are an error with exit status 2', async () => {
  const { exit, status, findings } = await examine([], { FILESTEAD_PORT: 'many' });
  expect({ exit, status, checks: findings.map(({ check }) => check) }).toEqual({
    exit: 2,
    status: 'error',
    checks: ['config'],
  });
});

test('a missing served folder is an error', async () => {
  await cli.succeed('config', 'init');
  const { exit, of } = await examine(['--root', join(cli.folder, 'none'), '--data', data]);
  expect(exit).toBe(2);
  expect(of('root')).toEqual([
    `error no files can be served: ${join(cli.folder, 'none')}: it does not exist`,
  ]);
});

test('a served folder that cannot be written is a warning', async ({ skip }) => {
  await cli.succeed('config', 'init');
  const elsewhere = join(cli.folder, '..', 'read-only');
  mkdirSync(elsewhere);
  const mounts = new Mounts();
  mounts.required({ skip }).tmpfs(elsewhere, 'ro');
  try {
    const { exit, of } = await examine(['--root', elsewhere, '--data', data]);
    expect(exit).toBe(1);
    expect(of('root')).toEqual([expect.stringMatching(/^warn .*cannot be written by user 0: uploads/)]);
    const broken = await examine(['--data', elsewhere]);
    expect(broken.exit).toBe(2);
    expect(broken.of('data')).toEqual([
      expect.stringMatching(/^error nothing can be stored, .*the file system is read-only/),
    ]);
  } finally {
    mounts.release();
  }
});

test.each(['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'fuse.sshfs', 'ceph'])(
  '%s is a network file system',
  (type) => {
    expect(isNetworkType(type)).toBe(true);
  },
);

test.each(['ext4', 'xfs', 'btrfs', 'zfs', 'tmpfs', 'overlay', 'fuseblk'])(
  '%s is a local file system',
  (type) => {
    expect(isNetworkType(type)).toBe(false);
  },
);

test('a damaged, empty or missing database is an error with instructions to fix it', async () => {
  await cli.succeed('config', 'init');
  const connection = openSqlite(cli.databasePath);
  const [{ page_size: size }] = connection.prepare('PRAGMA page_size').all() as [{ page_size: number }];
  const [{ rootpage: page }] = connection
    .prepare("select rootpage from sqlite_master where name = 'users'")
    .all() as [{ rootpage: number }];
  connection.close();
  for (const suffix of ['-wal', '-shm']) rmSync(`${cli.databasePath}${suffix}`, { force: true });
  const script = ['dd', 'if=/dev/zero', `of=${cli.databasePath}`, `bs=${size}`, `seek=${page - 1}`];
  spawnSync(script[0] ?? '', [...script.slice(1), 'count=1', 'conv=notrunc'], { stdio: 'ignore' });
  const damaged = await examine();
  expect(damaged.exit).toBe(2);
  expect(damaged.findings.find(({ check }) => check === 'database')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('damaged') as string,
    fix: 'filestead restore FILE',
  });
  writeFileSync(cli.databasePath, '');
  expect((await examine()).of('database')).toEqual([expect.stringContaining('is empty (0 bytes)')]);
});

test('pending migrations are announced, and a newer database is an error', async () => {
  await cli.succeed('config', 'init');
  execute(
    "delete from kysely_migration where name = '0009-autoplay'",
    'alter table users drop column autoplay',
  );
  const older = await examine();
  expect(older.exit).toBe(0);
  expect(older.of('database')).toEqual([
    'info 1 migration pending: the next start copies the database and applies 0009-autoplay',
  ]);
  execute("insert into kysely_migration values ('9999-from-the-future', '2099')");
  const newer = await examine();
  expect(newer.exit).toBe(2);
  expect(newer.of('database')).toEqual([expect.stringMatching(/^error created by a newer version/)]);
});

test('a database of another owner is an error', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root may change owners');
  await cli.succeed('config', 'init');
  chownSync(data, 12_345, 12_345);
  const { exit, of } = await examine();
  expect(exit).toBe(2);
  expect(of('database')).toContainEqual(
    expect.stringMatching(/^error .*filestead\.db.* does not belong to user 12345/),
  );
  expect(of('data')).toContainEqual(expect.stringMatching(/^info checked as root/));
});

test('the readiness of a running server is reported, and a clock behind its sessions is a warning', async () => {
  const app = await startApp();
  try {
    await app.signIn('admin');
    const { port } = new URL(app.url);
    const locationFlags = ['--data', app.data, '--root', app.root];
    const env = { FILESTEAD_PORT: port };
    const running = await examine(locationFlags, env);
    expect(running.exit).toBe(0);
    expect(running.of('server')).toEqual([`ok running at 127.0.0.1 port ${port}, ready, version ${version}`]);
    expect(existsSync(join(app.data, 'doctor-proof'))).toBe(false);
    const unready = await examine([...locationFlags, '--baseURL', '/other'], env);
    expect(unready.exit).toBe(2);
    expect(unready.of('server')).toEqual(['error running, but /other/health/ready answers 404']);
    const connection = openSqlite(join(app.data, 'filestead.db'));
    connection.exec(`update sessions set last_seen_at = ${Date.now() + 3_600_000}`);
    connection.close();
    const behind = await examine(locationFlags, env);
    expect(behind.exit).toBe(1);
    expect(behind.of('clock')).toEqual([expect.stringMatching(/^warn the clock says /)]);
  } finally {
    await app.close();
  }
});

test.each([
  ['{"version":"0.0.9"}', '0.0.9'],
  ['{"status":"ready","reasons":[],"notes":[]}', 'unknown'],
  ['{"version":"\\u001b[2J"}', 'unknown'],
])('a running server that answers %j is of another version, which is a warning', async (body, shown) => {
  const app = await startApp();
  const former = createHttpServer((_request, response) => response.end(body));
  await new Promise<void>((resolve) => former.listen(0, '127.0.0.1', resolve));
  const port = String((former.address() as AddressInfo).port);
  try {
    await app.signIn('admin');
    const { exit, of } = await examine(['--data', app.data, '--root', app.root], { FILESTEAD_PORT: port });
    expect(exit).toBe(1);
    expect(of('server')).toEqual([
      `warn running at 127.0.0.1 port ${port}, ready, but its version is ${shown}, and that of this program ${version}`,
    ]);
  } finally {
    former.close();
    await app.close();
  }
});

test('a port of another program is an error', async () => {
  await cli.succeed('config', 'init');
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  try {
    const { exit, of } = await examine([], { FILESTEAD_PORT: String(port) });
    expect(exit).toBe(2);
    expect(of('server')).toEqual([
      `error not running and could not start: port ${port}: another program uses it on 127.0.0.1; stop that, or choose another port with --port`,
    ]);
  } finally {
    server.close();
  }
});

test('a certificate is checked for its key', async () => {
  await cli.succeed('config', 'init');
  const [own, other] = [makeSelfSigned(), makeSelfSigned()];
  writeFileSync(join(data, 'cert.pem'), own.cert);
  writeFileSync(join(data, 'key.pem'), own.key);
  writeFileSync(join(data, 'other.pem'), other.key);
  const cert = ['--cert', join(data, 'cert.pem')];
  const wrongKey = await examine([...cert, '--key', join(data, 'other.pem')]);
  expect(wrongKey.exit).toBe(2);
  expect(wrongKey.of('tls')).toEqual([expect.stringContaining('is not the key of')]);
  const missing = await examine([...cert, '--key', join(data, 'none.pem')]);
  expect(missing.of('tls')).toEqual([expect.stringContaining('none.pem: it does not exist')]);
});

test('missing programs switch off previews of videos, and are an error for enabled commands', async () => {
  await cli.succeed('config', 'init');
  const none = { PATH: join(cli.folder, 'no-programs') };
  const off = await examine([], none);
  expect(off.exit).toBe(0);
  expect(off.of('ffmpeg')).toEqual([expect.stringMatching(/^info not installed: videos have no thumbnails/)]);
  const on = await examine([], { ...none, FILESTEAD_ENABLE_EXEC: 'on' });
  expect(on.exit).toBe(2);
  expect(on.of('sandbox')).toEqual(['error bubblewrap is not installed: commands of users are refused']);
  const unsandboxed = await examine([], { FILESTEAD_ENABLE_EXEC: 'on', FILESTEAD_EXEC_UNSANDBOXED: 'on' });
  expect(unsandboxed.exit).toBe(1);
});
