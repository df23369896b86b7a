import {
  mkdtempSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bestConfinement } from './paths/folder.ts';
import { newKeptId } from '../kept/kept-names.ts';
import { type DiskPaths, openDiskPaths } from './disk-paths.ts';

const top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'filestead-paths-')));
const root = path.join(top, 'root');
let paths: DiskPaths;
beforeAll(async () => {
  mkdirSync(path.join(root, 'a', 'b'), { recursive: true });
  mkdirSync(path.join(root, 'data'));
  mkdirSync(path.join(top, 'outside'));
  writeFileSync(path.join(root, 'a', 'f.txt'), 'f');
  symlinkSync('../../outside', path.join(root, 'a', 'out'));
  symlinkSync('b', path.join(root, 'a', 'in'));
  paths = await openDiskPaths({ root, excluded: [path.join(root, 'data'), path.join(root, 'missing')] });
});
afterAll(() => {
  paths.close();
  rmSync(top, { recursive: true, force: true });
});

test('a path is built from names without following links', () => {
  expect(paths.pathOf(virtualPath('/a/out/$(x)'))).toBe(path.join(root, 'a', 'out', '$(x)'));
  expect(paths.pathOf(virtualPath('/'))).toBe(root);
});

test.each([
  ['/a/out', 'external_link'],
  ['/a/f.txt', 'not_a_folder'],
  ['/nothing', 'not_found'],
  ['/data', 'not_found'],
])('%s cannot be opened: %s', async (virtual, code) => {
  await expect(paths.pinFolder(virtualPath(virtual))).rejects.toMatchObject({ code });
});

test('a link inside leads to its target, and the root can be opened too', async () => {
  const linked = await paths.pinFolder(virtualPath('/a/in'));
  expect(linked.realPath).toBe(path.join(root, 'a', 'b'));
  linked.release();
  const whole = await paths.pinFolder(virtualPath('/'));
  expect(whole.realPath).toBe(root);
  whole.release();
});

test.skipIf(bestConfinement() !== 'descriptor')(
  'an open folder stays the same when another one gets its name',
  async () => {
    mkdirSync(path.join(root, 'swap', 'mine'), { recursive: true });
    const pinned = await paths.pinFolder(virtualPath('/swap'));
    renameSync(path.join(root, 'swap'), path.join(root, 'moved'));
    symlinkSync(path.join(top, 'outside'), path.join(root, 'swap'));
    expect(await readdir(`${pinned.path}/.`)).toEqual(['mine']);
    pinned.release();
  },
);

test('stores of kept entries are hidden, also below the root and of other installations', async () => {
  const other = path.join(top, 'other');
  const storeRegistry = path.join(top, 'stores.json');
  mkdirSync(path.join(other, 'disk', '.filestead-trash'), { recursive: true });
  mkdirSync(path.join(other, '.filestead-trash'));
  const stores = [{ path: '/disk', inode: '1', checked: '' }];
  writeFileSync(storeRegistry, JSON.stringify({ installation: newKeptId(), stores }));
  const served = await openDiskPaths({ root: other, storeRegistry });
  expect(await served.hidden()).toEqual([
    { path: path.join(other, '.filestead-trash'), isFolder: true },
    { path: path.join(other, 'disk', '.filestead-trash'), isFolder: true },
  ]);
  served.close();
});

test('only existing excluded entries are returned as hidden', async () => {
  expect(await paths.hidden()).toEqual([{ path: path.join(root, 'data'), isFolder: true }]);
});
