import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Mounts } from '../../../test/fixtures/mounts.ts';
import type { KeptEntry } from '../kept/kept-entries.ts';
import { causeOf, keep, restored } from '../testing/kept-testing.ts';
import { bytesOf, path, readText, treeOf } from '../testing/storage-testing.ts';
import { type TemporaryDisk, temporaryDisks, writeTree } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

/** The commands that create file systems, with the smallest size that they accept (MiB); images are sparse. */
const fileSystems = [
  { name: 'ext4', command: ['mkfs.ext4', '-q'], mebibytes: 16 },
  { name: 'xfs', command: ['mkfs.xfs', '-q'], mebibytes: 300 },
  { name: 'btrfs', command: ['mkfs.btrfs', '-q'], mebibytes: 128 },
] as const;
type FileSystem = (typeof fileSystems)[number];

let mounts: Mounts;
let disk: TemporaryDisk;
beforeEach(async () => {
  mounts = new Mounts();
  disk = await disks.open({ files: { '/disk/': '' } });
});
afterEach(async () => {
  await disk.storage.close();
  mounts.release();
});

/** Mounts a new file system at `/disk`. Returns the reason if that is impossible. */
function mountNew({ name, command: [program, ...args], mebibytes }: FileSystem): string | null {
  const image = join(disk.outside, `${name}.img`);
  fs.writeFileSync(image, '');
  fs.truncateSync(image, mebibytes * 1024 * 1024);
  const { error } = spawnSync(program, [...args, image]);
  if (error !== undefined) return `${program} is missing`;
  const point = join(disk.root, 'disk');
  if (!mounts.image(image, point)) return `a disk with ${name} cannot be mounted here`;
  fs.rmSync(join(point, 'lost+found'), { recursive: true, force: true });
  return null;
}

describe.each(fileSystems)('a disk with $name', (fileSystem) => {
  test('keeps deleted and replaced entries in its own store, restores and purges them', async (context) => {
    const problem = mountNew(fileSystem);
    if (problem !== null) return context.skip(problem);
    const { storage, root } = disk;
    writeTree(root, { '/disk/a.txt': 'a', '/disk/d/inner/b.txt': 'b', '/c.txt': 'c' });
    const folder = await keep(storage, '/disk/d');
    const kept: KeptEntry[] = [];
    const options = {
      keep: causeOf('save'),
      onKept: (entries: readonly KeptEntry[]) => kept.push(...entries),
    };
    await storage.write(path('/disk/a.txt'), bytesOf('new'), { mode: 'replace', ...options });
    await storage.copy(path('/c.txt'), path('/disk/a.txt'), { overwrite: true, ...options });
    expect(kept.map(({ store, size }) => [store, size])).toEqual([
      ['/disk', 1],
      ['/disk', 3],
    ]);
    expect(await readText(storage, '/disk/a.txt')).toBe('c');
    const [first, second] = kept as [KeptEntry, KeptEntry];
    await storage.restore(first, path('/disk/a.txt'), { ...restored, conflict: 'replace', ...options });
    await storage.restore(folder, path('/disk/moved/d'), restored);
    expect(await treeOf(storage, '/disk')).toEqual({
      '/disk/a.txt': 'a',
      '/disk/moved/': '',
      '/disk/moved/d/': '',
      '/disk/moved/d/inner/': '',
      '/disk/moved/d/inner/b.txt': 'b',
    });
    const report = (await storage.stores()).find(({ store }) => store === '/disk');
    expect(report).toMatchObject({ entries: 2, withoutRecord: 0, damaged: 0, problem: null });
    expect(report?.total).toBeLessThanOrEqual(fileSystem.mebibytes * 1024 * 1024);
    const others = [second, kept[2] as KeptEntry];
    expect(await storage.purge(others)).toMatchObject({ purged: others.map(({ id }) => id), failed: [] });
    expect((await storage.stores()).find(({ store }) => store === '/disk')?.entries).toBe(0);
  });

  test('keeps what moves to another disk replace and leave', async (context) => {
    const problem = mountNew(fileSystem);
    if (problem !== null) return context.skip(problem);
    const { storage, root } = disk;
    writeTree(root, { '/disk/d/a.txt': 'moved', '/d/a.txt': 'replaced' });
    const kept: KeptEntry[] = [];
    await storage.move(path('/disk/d'), path('/d'), {
      overwrite: true,
      keep: causeOf('move'),
      onKept: (entries) => kept.push(...entries),
    });
    expect(await treeOf(storage, '/')).toEqual({ '/d/': '', '/d/a.txt': 'moved', '/disk/': '' });
    expect(kept.map(({ store, place }) => [store, place])).toEqual([['/', '/d/a.txt']]);
    await storage.restore(kept[0] as KeptEntry, path('/disk/a.txt'), restored);
    expect(await readText(storage, '/disk/a.txt')).toBe('replaced');
  });
});

describe('a subvolume of btrfs', () => {
  const btrfs = fileSystems[2];
  const createSubvolume = (...names: string[]): void => {
    const { status, stderr } = spawnSync('btrfs', ['subvolume', 'create', join(disk.root, ...names)]);
    expect(status, String(stderr)).toBe(0);
  };

  test('has a store of its own, and entries are restored from it to other subvolumes', async (context) => {
    const problem = mountNew(btrfs);
    if (problem !== null) return context.skip(problem);
    const { storage, root } = disk;
    createSubvolume('disk', 'photos');
    writeTree(root, { '/disk/photos/a.txt': 'a', '/disk/photos/d/b.txt': 'b' });
    const [file, folder] = [await keep(storage, '/disk/photos/a.txt'), await keep(storage, '/disk/photos/d')];
    expect([file.store, folder.store]).toEqual(['/disk/photos', '/disk/photos']);
    await storage.restore(file, path('/disk/a.txt'), restored);
    await storage.restore(folder, path('/disk/d'), restored);
    expect(await treeOf(storage, '/disk')).toEqual({
      '/disk/a.txt': 'a',
      '/disk/d/': '',
      '/disk/d/b.txt': 'b',
      '/disk/photos/': '',
    });
  });

  test('is deleted, restored and purged as a folder, with what it contains', async (context) => {
    const problem = mountNew(btrfs);
    if (problem !== null) return context.skip(problem);
    const { storage, root } = disk;
    writeTree(root, { '/disk/d/': '' });
    createSubvolume('disk', 'd', 'photos');
    writeTree(root, { '/disk/d/photos/a.txt': 'a' });
    const whole = await keep(storage, '/disk/d/photos');
    expect(await treeOf(storage, '/disk')).toEqual({ '/disk/d/': '' });
    await storage.restore(whole, path('/disk/d/photos'), restored);
    expect(await readText(storage, '/disk/d/photos/a.txt')).toBe('a');
    const above = await keep(storage, '/disk/d');
    expect(above.store).toBe('/disk');
    expect(await storage.purge([above])).toMatchObject({ purged: [above.id], failed: [] });
    expect(await treeOf(storage, '/disk')).toEqual({});
  });
});
