import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ReadinessParts, checkReadiness } from './readiness.ts';
import { Mounts } from '../../test/fixtures/mounts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-readiness-'));
  await mkdir(join(folder, 'root'));
  await mkdir(join(folder, 'data'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const check = (change: Partial<ReadinessParts> = {}): ReturnType<typeof checkReadiness> =>
  checkReadiness({
    checkDatabase: async () => undefined,
    checkRoot: async () => undefined,
    root: join(folder, 'root'),
    data: join(folder, 'data'),
    database: join(folder, 'data', 'filestead.db'),
    minFreeBytes: 0,
    isStopping: () => false,
    isWatchingLimited: () => false,
    ...change,
  });
const fail = async (): Promise<void> => {
  throw new Error('expected');
};

test('a server with working parts is ready', async () => {
  expect(await check()).toEqual({ status: 'ready', reasons: [], notes: [] });
});

test.each<[string, () => Partial<ReadinessParts>]>([
  ['stopping', () => ({ isStopping: () => true })],
  ['database_unavailable', () => ({ checkDatabase: fail })],
  ['root_unavailable', () => ({ checkRoot: fail })],
  ['root_unavailable', () => ({ root: join(folder, 'none') })],
  ['data_not_writable', () => ({ data: join(folder, 'none') })],
  ['data_not_writable', () => ({ database: join(folder, 'none', 'filestead.db') })],
  ['disk_space_low', () => ({ minFreeBytes: Number.MAX_SAFE_INTEGER })],
])('a server is not ready for the reason %s', async (reason, change) => {
  expect(await check(change())).toEqual({ status: 'not_ready', reasons: [reason], notes: [] });
});

test('a server whose served folder cannot be written is ready with a note', async ({ skip }) => {
  const root = join(folder, 'root');
  const mounts = new Mounts();
  if (process.getuid?.() === 0) mounts.required({ skip }).tmpfs(root, 'ro');
  else await chmod(root, 0o555);
  try {
    expect(await check()).toEqual({ status: 'ready', reasons: [], notes: ['read_only'] });
  } finally {
    mounts.release();
  }
});

test('all reasons are reported together', async () => {
  const found = await check({ checkDatabase: fail, checkRoot: fail, isStopping: () => true });
  expect(found.reasons).toEqual(['stopping', 'database_unavailable', 'root_unavailable']);
});
