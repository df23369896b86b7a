import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDiskStorage } from '../../src/storage/disk/open-disk-storage.ts';
import { openCli, type TestCli } from '../run-cli.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
  await cli.succeed('config', 'init');
});
afterEach(() => cli.remove());

test('the installed program takes over the trash of a lost data folder, and lists jobs', async () => {
  const file = join(cli.folder, 'a.txt');
  writeFileSync(file, 'a');
  const lost = await openDiskStorage({
    root: cli.folder,
    storeRegistry: join(cli.folder, '../lost-stores.json'),
  });
  const cause = { operation: 'o', act: 'delete', userId: 7, session: null, time: Date.now() } as const;
  const [entry] = await lost.remove(virtualPath('/a.txt'), { keep: cause });
  await lost.close();
  expect(await cli.succeed('trash', 'adopt', '--yes')).toContain('took over 1 entry');
  expect(await cli.succeed('trash', 'restore', entry?.id ?? '')).toContain('/a.txt');
  expect(existsSync(file)).toBe(true);
  expect(await cli.succeed('jobs', 'list', '--unfinished')).toMatch(/^ID\b.*$/);
  expect((await cli.run(['jobs', 'cancel', 'A'.repeat(22)])).status).toBe(1);
  const version = await cli.run(['versions', 'restore', 'A'.repeat(22)]);
  expect(version).toMatchObject({ status: 1, err: expect.stringContaining('A'.repeat(22)) as string });
});
