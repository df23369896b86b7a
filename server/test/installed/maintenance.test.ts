import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { openCli, type TestCli } from '../run-cli.ts';
import { openRuns, type Runs } from '../run-main.ts';

let cli: TestCli;
let elsewhere: string;
beforeEach(async () => {
  cli = await openCli();
  elsewhere = mkdtempSync(join(tmpdir(), 'filestead-backups-'));
});
afterEach(async () => {
  await cli.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

test('the installed program saves and restores a backup with its branding, and refuses a damaged one', async () => {
  const backup = join(elsewhere, 'one.tar.gz');
  const branding = join(cli.folder, '.filestead', 'branding');
  await cli.succeed('config', 'init', `--branding.files=${branding}`);
  await cli.succeed('users', 'add', 'admin', 'a password for tests', '--perm.admin');
  mkdirSync(branding, { recursive: true });
  writeFileSync(join(branding, 'custom.css'), 'body{}');
  expect(await cli.succeed('backup', '--to', backup)).toContain('Saved 1 user');
  rmSync(join(branding, 'custom.css'));
  await cli.succeed('users', 'add', 'late', 'a password for tests');
  await cli.succeed('restore', backup);
  expect(readFileSync(join(branding, 'custom.css'), 'utf8')).toBe('body{}');
  const names = await cli.inspect(async ({ users }) => (await users.list()).map(({ username }) => username));
  expect(names).toEqual(['admin']);
  writeFileSync(backup, readFileSync(backup).subarray(0, 200));
  expect((await cli.run(['restore', backup])).status).toBe(1);
});

test('doctor of the installed program finds nothing wrong, with a decoder of pictures, and an option that is', async () => {
  await cli.succeed('config', 'init');
  const env = { PATH: process.env.PATH ?? '', FILESTEAD_PORT: '0' };
  const { status, out, err } = await cli.run(['doctor'], { env });
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/^ok {4}database {2}\/.*filestead\.db: intact, up to date$/m);
  expect(out).toMatch(/^ok {4}pictures {2}thumbnails and previews of pictures can be made$/m);
  expect(out).not.toMatch(/^(?:warn|error)/m);
  expect((await cli.run(['doctor'], { env: { ...env, FILESTEAD_PORT: 'many' } })).status).toBe(2);
});

test('the installed program saves and examines the data of a running server, but does not replace it', async () => {
  const runs: Runs = await openRuns();
  try {
    const server = runs.run('--port', '0');
    const [, port = ''] = await server.waitFor(/ at http:\/\/[\d.]+:(\d+)/);
    const data = join(runs.root, '.filestead');
    const locationFlags = ['--data', data, '--root', runs.root];
    const backup = join(elsewhere, 'running.tar.gz');
    await cli.succeed('backup', '--to', backup, ...locationFlags);
    const restored = await cli.run(['restore', backup, ...locationFlags]);
    expect(restored).toMatchObject({
      status: 1,
      err: expect.stringContaining('a server uses this data folder; stop it first') as string,
    });
    const env = { PATH: process.env.PATH ?? '', FILESTEAD_PORT: port, FILESTEAD_DISABLE_THUMBNAILS: 'on' };
    const { out } = await cli.run(['doctor', ...locationFlags], { env });
    expect(out).toContain(`running at 127.0.0.1 port ${port}, ready, version ${version}`);
  } finally {
    await runs.remove();
  }
});
