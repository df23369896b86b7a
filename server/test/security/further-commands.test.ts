import type { User } from '@filestead/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { hasSandbox } from '../has-sandbox.ts';
import { openSocket } from '../open-socket.ts';
import { prepareStage } from './stage.ts';

const perm = { execute: true, create: true, modify: true, rename: true, delete: true, download: true };
const commands = ['echo', 'sleep', 'cat'];

// A command socket stays open while the rights that it was opened with may end.
describe.runIf(hasSandbox)('rights that end while a command socket is open', () => {
  const { stage } = prepareStage({ config: { enableExec: 'on', commandsPerUser: '8' } });
  let runner: User;
  beforeAll(async () => {
    runner = await stage().person('runner', perm, { commands });
  });
  const change = async (data: object): Promise<void> => {
    const json = { what: 'user', which: Object.keys(data), data: { ...runner, ...data } };
    expect(await stage().status('admin', 'PUT', `/api/users/${runner.id}`, { json })).toBe(200);
  };
  const restore = (): Promise<void> =>
    change({ perm: runner.perm, commands, scope: runner.scope, rules: [] });
  const open = (path = '/'): Promise<WebSocket> =>
    openSocket(stage().app, `/api/command${path}`, { token: stage().token('runner') });
  /** What comes until the server closes, and how long that takes. */
  const untilClosed = (socket: WebSocket): Promise<{ lines: string[]; code: number; ms: number }> =>
    new Promise((resolve) => {
      const lines: string[] = [];
      const startedAt = performance.now();
      socket.on('message', (data: Buffer) => lines.push(data.toString('utf8')));
      socket.once('close', (code) => resolve({ lines, code, ms: performance.now() - startedAt }));
    });

  test('a command line that comes later runs with the rights of then, or not at all', async () => {
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

  test('nothing is run for a session that has ended since', async () => {
    const socket = await open();
    expect(await stage().status('runner', 'POST', '/api/logout')).toBe(200);
    const closed = untilClosed(socket);
    socket.send('echo still here');
    expect(await closed).toMatchObject({ lines: [], code: 1008 });
    await stage().signIn('runner');
  });

  test('a running command is stopped soon after its session or its right has ended', async () => {
    const end: [string, () => Promise<unknown>][] = [
      ['the permission', () => change({ perm: { ...runner.perm, execute: false } })],
      ['the program', () => change({ commands: ['echo'] })],
      ['the right to change files', () => change({ perm: { ...runner.perm, modify: false } })],
      ['the session', () => stage().status('runner', 'POST', '/api/logout')],
    ];
    for (const [what, work] of end) {
      const socket = await open();
      const closed = untilClosed(socket);
      socket.send('sleep 60');
      await new Promise((resolve) => setTimeout(resolve, 300));
      await work();
      expect((await closed).ms, what).toBeLessThan(6_000);
      if (what !== 'the session') await restore();
    }
    await stage().signIn('runner');
  }, 40_000);

  test('a command goes on while its user keeps what it takes, also with a renewed token', async () => {
    const socket = await open();
    const closed = untilClosed(socket);
    socket.send('sleep 3');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const renewed = await stage().ask('runner', 'POST', '/api/renew');
    expect(renewed.status).toBe(200);
    await change({ locale: 'de' });
    const { code, ms } = await closed;
    expect(code).toBe(1000);
    expect(ms).toBeGreaterThan(2_500);
  });
});
