import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditRecord } from '@filestead/contract/audit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { auditedCommands } from '../src/cli/record-action.ts';
import { hasSandbox } from './has-sandbox.ts';
import { openCli } from './run-cli.ts';
import { openSocket } from './open-socket.ts';
import { type StartApp, startApp } from './start-app.ts';
import { type Line, recordsOf, lastOf } from './fixtures/audit-lines.ts';

test.runIf(hasSandbox)('every command is recorded, also a refused one', async () => {
  const other = await startApp({
    config: { enableExec: 'on' },
    users: [{ username: 'runner', perm: { execute: true }, commands: ['echo'] }],
  });
  onTestFinished(() => other.close());
  const runner = await other.signIn('runner');
  for (const [line, outcome, reason] of [
    ['echo --password=command-secret', 'success', 'ended'],
    ['rm x', 'refused', 'refused'],
  ] as const) {
    const socket = await openSocket(other, '/api/command/', { token: runner });
    socket.send(line);
    await once(socket, 'close');
    await expect
      .poll(() => lastOf(other, 'command.run'))
      .toMatchObject({
        outcome,
        reason,
        actor: { id: 2, name: 'runner' },
        address: '127.0.0.1',
        target: { path: '/' },
      });
  }
  expect(other.log.join('\n')).not.toContain('command-secret');
});

test('an account that is created for a proxy is recorded separately', async () => {
  const setup: StartApp = {
    config: {
      'auth.method': 'proxy',
      'auth.header': 'X-Auth-User',
      trustedProxies: '127.0.0.1',
      'auth.createUsers': 'on',
    },
  };
  const other = await startApp(setup);
  onTestFinished(() => other.close());
  await other.fetch('/api/login', { method: 'POST', headers: { 'x-auth-user': 'carol' } });
  await expect.poll(() => recordsOf(other).length).toBe(2);
  expect(lastOf(other, 'user.provision')).toMatchObject({
    channel: 'proxy',
    target: { user: { id: 2, name: 'carol' }, kind: 'create' },
  });
  expect(lastOf(other, 'session.sign_in')).toMatchObject({
    channel: 'proxy',
    actor: { id: 2, name: 'carol' },
  });
});

describe('the command line', () => {
  test('appends a record to the log file for every command that changes something', async () => {
    const cli = await openCli();
    onTestFinished(() => cli.remove());
    const folder = await mkdtemp(join(tmpdir(), 'filestead-log-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const log = join(folder, 'filestead.log');
    const password = 'a secret of the terminal';
    await cli.succeed('config', 'init', `--log=${log}`);
    await cli.succeed('users', 'add', 'boss', password, '--perm.admin');
    await cli.succeed('users', 'add', 'dora', password);
    await cli.succeed('users', 'update', 'dora', `--password=${password}2`, '--locale=de');
    await cli.succeed('rules', 'add', '/secret');
    await cli.succeed('rules', 'rm', '0');
    await cli.succeed('cmds', 'add', 'after_upload', '--', 'notify', '--token', password);
    await cli.succeed('cmds', 'rm', 'after_upload', '0');
    await cli.succeed('config', 'export', join(folder, 'config.json'));
    await cli.succeed('config', 'import', join(folder, 'config.json'));
    await cli.succeed('users', 'rm', 'dora');
    await cli.succeed('keys', 'rotate');
    expect((await cli.run(['users', 'rm', 'nobody'])).status).toBe(1);
    const text = await readFile(log, 'utf8');
    const records = text
      .trim()
      .split('\n')
      .map((line) => AuditRecord.parse((JSON.parse(line) as Line).audit));
    expect(records.map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
      'settings.update success',
      'user.create success',
      'user.create success',
      'user.update success',
      'rule.add success',
      'rule.remove success',
      'hook.add success',
      'hook.remove success',
      'data.import success',
      'user.delete success',
      'keys.rotate success',
      'user.delete refused',
    ]);
    expect(records.every(({ channel }) => channel === 'command line')).toBe(true);
    expect(records[3]).toMatchObject({ target: { user: { name: 'dora' } }, changed: ['password', 'locale'] });
    expect(text).not.toContain(password);
  });

  test('has an event for every command that changes something', async () => {
    const { commands } = await import('../src/cli/commands.ts');
    const reading =
      /^(?:config (?:cat|export)|users (?:ls|find|export)|rules ls|cmds ls|hash|version|completion|help|healthcheck|doctor|backup|trash (?:list|check|stores)|versions list|jobs list)$/;
    const changing = commands.map(({ path }) => path).filter((path) => !reading.test(path));
    expect(changing.sort()).toEqual(Object.keys(auditedCommands).sort());
  });
});

test('records are written at the log level error, but not at silent', async () => {
  const other = await startApp({ config: { logLevel: 'error' } });
  onTestFinished(() => other.close());
  await other.fetch('/api/login', { method: 'POST', json: { username: 'x', password: 'y' } });
  await expect.poll(() => recordsOf(other).length).toBe(1);
});
