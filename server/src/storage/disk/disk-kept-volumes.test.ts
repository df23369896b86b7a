import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Mounts } from '../../../test/fixtures/mounts.ts';
import type { KeptEntry } from '../kept/kept-entries.ts';
import { causeOf, keep, restored } from '../testing/kept-testing.ts';
import { storeIn, trash } from '../testing/kept-stores.ts';
import { bytesOf, path, readText, refused, treeOf } from '../testing/storage-testing.ts';
import { type TemporaryDisk, temporaryDisks, writeTree } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
let mounts: Mounts;
let openStorages: TemporaryDisk[] = [];
let immutable: string[] = [];
beforeEach(() => {
  mounts = new Mounts();
});
afterEach(async () => {
  for (const { storage } of openStorages.splice(0)) await storage.close();
  for (const folder of immutable.splice(0)) spawnSync('chattr', ['-i', folder]);
  mounts.release();
});

async function open(files: Record<string, string>): Promise<TemporaryDisk> {
  const disk = await disks.open({ files });
  openStorages.push(disk);
  return disk;
}

describe('volumes', () => {
  test('have a store of their own', async (context) => {
    const { storage, root } = await open({ '/disk/': '', '/a.txt': 'a' });
    mounts.required(context).tmpfs(join(root, 'disk'));
    writeTree(root, { '/disk/d/x.txt': 'x', '/disk/y.txt': 'y' });
    const [above, below] = [await keep(storage, '/a.txt'), await keep(storage, '/disk/d')];
    expect([above.store, below.store]).toEqual(['/', '/disk']);
    expect(below.place).toBe('/disk/d');
    const reports = await storage.stores();
    expect(reports.map(({ store, entries }) => [store, entries])).toEqual([
      ['/', 1],
      ['/disk', 1],
    ]);
    await storage.restore(below, path('/moved'), restored);
    expect(await readText(storage, '/moved/x.txt')).toBe('x');
    await storage.restore(above, path('/disk/a.txt'), restored);
    expect(await readText(storage, '/disk/a.txt')).toBe('a');
    expect((await storage.stores()).map(({ entries }) => entries)).toEqual([0, 0]);
  });

  test('begin at bind mounts of the same file system', async (context) => {
    const { storage, root, outside } = await open({ '/bound/': '' });
    mounts.required(context).bind(outside, join(root, 'bound'));
    writeTree(root, { '/bound/d/x.txt': 'x' });
    const entry = await keep(storage, '/bound/d/x.txt');
    expect(entry.store).toBe('/bound');
    await storage.restore(entry, path('/x.txt'), restored);
    expect(await readText(storage, '/x.txt')).toBe('x');
  });

  test('that are read-only keep and lose nothing', async (context) => {
    const { storage, root } = await open({ '/disk/': '' });
    mounts.required(context).tmpfs(join(root, 'disk'));
    writeTree(root, { '/disk/a.txt': 'a', '/disk/d/b.txt': 'b' });
    mounts.remountReadOnly(join(root, 'disk'));
    for (const name of ['/disk/a.txt', '/disk/d']) {
      const removal = storage.remove(path(name), { keep: causeOf() });
      await expect(removal).rejects.toMatchObject({ code: 'forbidden', message: 'the disk is read-only' });
    }
    expect(await readText(storage, '/disk/d/b.txt')).toBe('b');
  });

  test('that are full keep and lose nothing', async (context) => {
    const { storage, root } = await open({ '/disk/': '' });
    const disk = join(root, 'disk');
    mounts.required(context).tmpfs(disk, 'size=64k');
    writeTree(root, { '/disk/a.txt': 'a' });
    expect(() => fs.writeFileSync(join(disk, 'filler'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC');
    const removal = storage.remove(path('/disk/a.txt'), { keep: causeOf() });
    await expect(removal).rejects.toMatchObject({ code: 'cannot_keep', message: 'the disk is full' });
    expect(await readText(storage, '/disk/a.txt')).toBe('a');
    fs.rmSync(join(disk, 'filler'));
    const entry = await keep(storage, '/disk/a.txt');
    await storage.restore(entry, path('/disk/a.txt'), restored);
  });

  test('without hard links keep and restore', async (context) => {
    const { storage, root, outside } = await open({ '/disk/': '' });
    const image = join(outside, 'fat.img');
    fs.writeFileSync(image, '');
    fs.truncateSync(image, 16 * 1024 * 1024);
    if (spawnSync('mkfs.vfat', [image]).status !== 0) return context.skip('mkfs.vfat is missing');
    if (!mounts.image(image, join(root, 'disk'))) return context.skip('a FAT image cannot be mounted here');
    writeTree(root, { '/disk/a.txt': 'a', '/disk/d/b.txt': 'b' });
    const [file, folder] = [await keep(storage, '/disk/a.txt'), await keep(storage, '/disk/d')];
    await storage.write(path('/disk/a.txt'), bytesOf('new'), { mode: 'create' });
    const replaced: KeptEntry[] = [];
    await storage.restore(file, path('/disk/a.txt'), {
      conflict: 'replace',
      createParents: false,
      keep: causeOf('restore'),
      onKept: (entries) => replaced.push(...entries),
    });
    expect(await readText(storage, '/disk/a.txt')).toBe('a');
    await storage.restore(replaced[0] as KeptEntry, path('/disk/new.txt'), restored);
    await storage.restore(folder, path('/disk/d'), restored);
    expect(await treeOf(storage, '/disk')).toEqual({
      '/disk/a.txt': 'a',
      '/disk/d/': '',
      '/disk/d/b.txt': 'b',
      '/disk/new.txt': 'new',
    });
  });

  test('with folders that cannot be renamed keep files and lose nothing', async (context) => {
    const { storage, root, outside } = await open({ '/disk/': '' });
    // The parts of an overlay must not be in an overlay.
    mounts.required(context).tmpfs(outside);
    const [lower, upper, work] = ['lower', 'upper', 'work'].map((name) => join(outside, name));
    writeTree(outside, { '/lower/d/x.txt': 'x', '/lower/a.txt': 'a', '/upper/': '', '/work/': '' });
    const parts = { lower: lower ?? '', upper: upper ?? '', work: work ?? '' };
    if (!mounts.overlay(parts, join(root, 'disk'))) return context.skip('overlayfs cannot be mounted here');
    const removal = storage.remove(path('/disk/d'), { keep: causeOf() });
    await expect(removal).rejects.toEqual(refused('keep_needs_copy'));
    expect(await readText(storage, '/disk/d/x.txt')).toBe('x');
    const copied = await keep(storage, '/disk/d', { copies: true });
    expect([copied.store, fs.existsSync(join(root, 'disk/d'))]).toEqual(['/disk', false]);
    await storage.restore(copied, path('/disk/d'), restored);
    expect(await readText(storage, '/disk/d/x.txt')).toBe('x');
    const entry = await keep(storage, '/disk/a.txt');
    await storage.restore(entry, path('/disk/a.txt'), restored);
    expect(await readText(storage, '/disk/a.txt')).toBe('a');
  });

  test('whose top folder cannot be written have their store in a lower folder', async (context) => {
    const { storage, root } = await open({ '/d/inner/a.txt': 'a', '/b.txt': 'b' });
    if (spawnSync('chattr', ['+i', root]).status !== 0)
      return context.skip('a folder cannot be made immutable here');
    immutable.push(root);
    const entry = await keep(storage, '/d/inner/a.txt');
    expect(entry.store).toBe('/d');
    await expect(storage.remove(path('/b.txt'), { keep: causeOf() })).rejects.toEqual(refused('cannot_keep'));
    await storage.restore(entry, path('/d/a.txt'), restored);
    expect(await readText(storage, '/d/a.txt')).toBe('a');
  });

  test('that are mounted in a folder prevent its deletion', async (context) => {
    const { storage, root } = await open({ '/d/deep/disk/': '', '/d/a.txt': 'a' });
    mounts.required(context).tmpfs(join(root, 'd/deep/disk'));
    writeTree(root, { '/d/deep/disk/x.txt': 'x' });
    for (const name of ['/d', '/d/deep/disk']) {
      const removal = storage.remove(path(name), { keep: causeOf() });
      await expect(removal).rejects.toEqual(refused('holds_mount'));
    }
    expect(fs.existsSync(join(root, trash))).toBe(false);
    expect(await readText(storage, '/d/deep/disk/x.txt')).toBe('x');
  });

  test('that are mounted in a kept folder later are not emptied', async (context) => {
    const { storage, root } = await open({ '/d/disk/': '', '/d/a.txt': 'a' });
    const entry = await keep(storage, '/d');
    const point = join(storeIn(root), 'things', entry.folder, entry.storedName, 'disk');
    mounts.required(context).tmpfs(point);
    fs.writeFileSync(join(point, 'x.txt'), 'x');
    expect(await storage.purge([entry])).toEqual({
      purged: [],
      failed: [{ id: entry.id, code: 'holds_mount' }],
    });
    expect(fs.readFileSync(join(point, 'x.txt'), 'utf8')).toBe('x');
  });
});
