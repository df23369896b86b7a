import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { startApp } from '../../../test/start-app.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli.remove());

const read = (name: string, bytes: number): Promise<string> =>
  cli.inspect(async ({ settings }) => Buffer.from(await settings.secret(name, bytes)).toString('hex'));

test('keys rotate replaces every key with another one of the same length', async () => {
  await cli.succeed('config', 'init');
  const before = [await read('token', 64), await read('share-token', 32)];
  expect(await cli.succeed('keys', 'rotate')).toMatch(/2 keys were replaced\.\n0 sessions have ended/);
  const after = [await read('token', 64), await read('share-token', 32)];
  expect(after.map((key) => key.length)).toEqual([128, 64]);
  for (const key of after) expect(before).not.toContain(key);
});

test('keys rotate --keepSessions replaces the keys and ends no session', async () => {
  const app = await startApp({ users: [{ username: 'alice' }] });
  try {
    const token = await app.signIn('alice');
    const output = await cli.succeed(
      'keys',
      'rotate',
      '--keepSessions',
      '--data',
      app.data,
      '--root',
      app.root,
    );
    expect(output).toMatch(/2 keys were replaced\.\nUsers stay signed in\./);
    expect((await app.fetch('/api/resources/', { token })).status).toBe(200);
    const renewed = await app.fetch('/api/renew', { method: 'POST', token });
    expect(renewed.status).toBe(200);
    expect((await app.fetch('/api/resources/', { token: await renewed.text() })).status).toBe(200);
  } finally {
    await app.close();
  }
});

test('keys rotate has nothing to replace before the first start', async () => {
  await cli.succeed('config', 'init');
  expect(await cli.succeed('keys', 'rotate')).toMatch(/no keys yet/);
});

test('keys rotate reports a missing database and creates none', async () => {
  const { status, err } = await cli.run(['keys', 'rotate']);
  expect({ status, err }).toMatchObject({
    status: 1,
    err: expect.stringContaining('there is no database') as unknown,
  });
  expect((await cli.run(['users', 'ls'])).status).toBe(1);
});
