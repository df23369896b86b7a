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
import { type DiskPlaces, openDiskPlaces } from './disk-places.ts';

const top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'filestead-places-')));
const root = path.join(top, 'root');
let places: DiskPlaces;
beforeAll(async () => {
  mkdirSync(path.join(root, 'a', 'b'), { recursive: true });
  mkdirSync(path.join(root, 'data'));
  mkdirSync(path.join(top, 'outside'));
  writeFileSync(path.join(root, 'a', 'f.txt'), 'f');
  symlinkSync('../../outside', path.join(root, 'a', 'out'));
  symlinkSync('b', path.join(root, 'a', 'in'));
  places = await openDiskPlaces({ root, excluded: [path.join(root, 'data'), path.join(root, 'missing')] });
});
afterAll(() => {
  places.close();
  rmSync(top, { recursive: true, force: true });
});

test('a path is put together from names', () => {
  expect(places.pathOf(virtualPath('/a/out/$(x)'))).toBe(path.join(root, 'a', 'out', '$(x)'));
  expect(places.pathOf(virtualPath('/'))).toBe(root);
});

test.each([
  ['/a/out', 'external_link'],
  ['/a/f.txt', 'not_a_folder'],
  ['/nothing', 'not_found'],
  ['/data', 'not_found'],
])('%s is not held: %s', async (virtual, code) => {
  await expect(places.hold(virtualPath(virtual))).rejects.toMatchObject({ code });
});

test('a link inside leads to its target, and the root can be held too', async () => {
  const linked = await places.hold(virtualPath('/a/in'));
  expect(linked.realPath).toBe(path.join(root, 'a', 'b'));
  linked.release();
  const whole = await places.hold(virtualPath('/'));
  expect(whole.realPath).toBe(root);
  whole.release();
});

test.skipIf(bestConfinement() !== 'descriptor')(
  'a held folder stays the same when another takes its name',
  async () => {
    mkdirSync(path.join(root, 'swap', 'mine'), { recursive: true });
    const held = await places.hold(virtualPath('/swap'));
    renameSync(path.join(root, 'swap'), path.join(root, 'moved'));
    symlinkSync(path.join(top, 'outside'), path.join(root, 'swap'));
    expect(await readdir(`${held.path}/.`)).toEqual(['mine']);
    held.release();
  },
);

test('only what exists has to be hidden', async () => {
  expect(await places.hidden()).toEqual([{ path: path.join(root, 'data'), isFolder: true }]);
});
