import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { User } from '@filestead/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { hasSandbox } from '../has-sandbox.ts';
import { isRunning } from '../is-running.ts';
import { openSocket } from '../open-socket.ts';
import { prepareStage } from './stage.ts';

/** The interval at which the permissions of the user of a running command are checked. */
const permissionCheckMs = 2_000;
const perm = { execute: true, create: true, modify: true, rename: true, delete: true, download: true };
const commands = ['echo', 'sleep', 'cat'];

// A command socket stays open while the permissions with which it was opened may be withdrawn.
describe.runIf(hasSandbox)('permissions that end while a command socket is open', () => {
  const { stage } = prepareStage({ config: { enableExec: 'on', commandsPerUser: '8' } });
  let runner: User;
  beforeAll(async () => {
    runner = await stage().addUser('runner', perm, { commands });
  });
  const change = async (data: object): Promise<void> => {
    const json = { what: 'user', which: Object.keys(data), data: { ...runner, ...data } };
    expect(await stage().status('admin', 'PUT', `/api/users/${runner.id}`, { json })).toBe(200);
  };
  const restore = (): Promise<void> =>
    change({ perm: runner.perm, commands, scope: runner.scope, rules: [] });
  const open = (path = '/'): Promise<WebSocket> =>
    openSocket(stage().app, `/api/command${path}`, { token: stage().token('runner') });
  /** Collects the messages until the server closes the connection. */
  const untilClosed = (socket: WebSocket): Promise<{ lines: string[]; code: number }> =>
    new Promise((resolve) => {
      const lines: string[] = [];
      socket.on('message', (data: Buffer) => lines.push(data.toString('utf8')));
      socket.once('close', (code) => resolve({ lines, code }));
    });

  test('a command that arrives later runs with the current permissions only', async () => {
    for (const lost of [
      { perm: { ...runner.perm, execute: false } },
      { rules: [{ regex: false, allow: false, path: '/docs', regexp: null }] },
      { scope: '/users/bob/private' },
    ]) {
      const socket = await open('/docs/');
      await change(lost);
      const closed = untilClosed(socket);
      socket.send('echo still here');
      expect(await closed, JSON.stringify(lost)).toMatchObject({ lines: [], code: 1008 });
      await restore();
    }
    const socket = await open();
    await change({ commands: ['echo'] });
    const closed = untilClosed(socket);
    socket.send('cat a.txt');
    expect((await closed).lines).toEqual(['Command not allowed.']);
    await restore();
  });

  test('no command runs for a session that has ended', async () => {
    const socket = await open();
    expect(await stage().status('runner', 'POST', '/api/logout')).toBe(200);
    const closed = untilClosed(socket);
    socket.send('echo still here');
    expect(await closed).toMatchObject({ lines: [], code: 1008 });
    await stage().signIn('runner');
  });

  test('a running command is stopped soon after its session or permission has ended', async () => {
    const end: [string, () => Promise<unknown>][] = [
      ['the permission', () => change({ perm: { ...runner.perm, execute: false } })],
      ['the program', () => change({ commands: ['echo'] })],
      ['the permission to change files', () => change({ perm: { ...runner.perm, modify: false } })],
      ['the session', () => stage().status('runner', 'POST', '/api/logout')],
    ];
    for (const [name, work] of end) {
      const socket = await open();
      const closed = untilClosed(socket);
      const seconds = String(60_000 + Math.floor(Math.random() * 9_000));
      socket.send(`sleep ${seconds}`);
      await expect.poll(() => isRunning(seconds)).toBe(true);
      await work();
      stage().app.clock.advance(permissionCheckMs);
      expect(await closed, name).toEqual({ lines: [], code: 1008 });
      await expect.poll(() => isRunning(seconds)).toBe(false);
      if (name !== 'the session') await restore();
    }
    await stage().signIn('runner');
  }, 40_000);

  test('a command continues while its user keeps the permission, also with a renewed token', async () => {
    const socket = await open();
    const closed = untilClosed(socket);
    // The command ends when something is written to the pipe.
    const pipe = join(stage().app.root, runner.scope, 'pipe-of-runner');
    stage().allowed.push('root/users/runner');
    execFileSync('mkfifo', [pipe]);
    socket.send('cat pipe-of-runner');
    await expect.poll(() => isRunning('pipe-of-runner')).toBe(true);
    const renewed = await stage().request('runner', 'POST', '/api/renew');
    expect(renewed.status).toBe(200);
    await change({ locale: 'de' });
    for (let check = 0; check < 3; check += 1) {
      stage().app.clock.advance(permissionCheckMs);
      expect(await stage().status('runner', 'GET', '/api/resources/')).toBe(200);
    }
    await writeFile(pipe, 'still here\n');
    expect(await closed).toEqual({ lines: ['still here'], code: 1000 });
  });
});
