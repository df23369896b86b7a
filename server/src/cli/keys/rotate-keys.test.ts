import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestCli, openCli } from '../../../test/run-cli.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli.remove());

const read = (name: string, bytes: number): Promise<string> =>
  cli.inspect(async ({ settings }) => Buffer.from(await settings.secret(name, bytes)).toString('hex'));

test('every key is another one afterwards, as long as before', async () => {
  await cli.must('config', 'init');
  const before = [await read('token', 64), await read('share-token', 32)];
  expect(await cli.must('keys', 'rotate')).toMatch(/2 keys were replaced\.\n0 sessions have ended/);
  const after = [await read('token', 64), await read('share-token', 32)];
  expect(after.map((key) => key.length)).toEqual([128, 64]);
  for (const key of after) expect(before).not.toContain(key);
});

test('where no server has started yet there is nothing to replace', async () => {
  await cli.must('config', 'init');
  expect(await cli.must('keys', 'rotate')).toMatch(/no keys yet/);
});

test('without a database it says so and makes none', async () => {
  const { status, err } = await cli.run(['keys', 'rotate']);
  expect({ status, err }).toMatchObject({
    status: 1,
    err: expect.stringContaining('there is no database') as unknown,
  });
  expect((await cli.run(['users', 'ls'])).status).toBe(1);
});
