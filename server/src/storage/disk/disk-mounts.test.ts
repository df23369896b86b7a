import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { Mounts, onlyRootMounts } from '../../../test/fixtures/mounts.ts';
import { type TemporaryDisk, writeTree, temporaryDisks } from '../testing/temporary-disk.ts';
import { once, over, path, rawName, refused } from '../testing/storage-testing.ts';

const disks = temporaryDisks();
let mounts: Mounts;
beforeEach(() => {
  mounts = new Mounts();
});
afterEach(() => mounts.release());

/** Everything below the folder on the disk, mounted file systems included. */
const namesBelow = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true })
    .map((name) => name.toString())
    .toSorted();

/** The ways to mount a second file system in a folder. */
const ways = [
  ['another file system', (point: string) => mounts.tmpfs(point)],
  ['a bind mount of the same file system', (point: string) => bindNear(point)],
] as const;

/** Bind-mounts a folder beside the root of the storage at `point`. */
function bindNear(point: string): boolean {
  const source = join(point.slice(0, point.indexOf('/root/')), 'outside/bound');
  fs.mkdirSync(source, { recursive: true });
  return mounts.bind(source, point);
}

/** A storage with `/d/deep/point`, where `mount` has mounted something that contains a file. */
async function openMounted(
  context: TestContext,
  mount: (point: string) => boolean,
): Promise<TemporaryDisk & { point: string }> {
  const disk = await disks.open({
    files: { '/d/a.txt': 'a', '/d/deep/b.txt': 'b', '/d/deep/point/': '', '/other/c.txt': 'c', '/disk/': '' },
  });
  const point = join(disk.root, 'd/deep/point');
  if (!mount(point)) return context.skip(onlyRootMounts);
  writeTree(point, { '/precious.txt': 'p' });
  return { ...disk, point };
}

test('a folder is not removed that contains a disk below a name that is not UTF-8', async (context) => {
  const folder = rawName('f', 0xfc, 'r');
  const { storage, root } = await disks.open({ files: { [`/d/${folder}/point/`]: '' } });
  const descriptor = fs.openSync(
    Buffer.concat([Buffer.from(`${root}/d/f`), Buffer.from([0xfc]), Buffer.from('r')]),
    'r',
  );
  try {
    const point = `/proc/${process.pid}/fd/${descriptor}/point`;
    mounts.required(context).tmpfs(point);
    writeTree(point, { '/precious.txt': 'p' });
    for (const top of ['/d', `/d/${folder}`, `/d/${folder}/point`])
      await expect(storage.remove(path(top))).rejects.toEqual(refused('holds_mount'));
    await expect(storage.move(path('/d'), path('/moved'), once)).resolves.toBeUndefined();
    expect(fs.readFileSync(join(point, 'precious.txt'), 'utf8')).toBe('p');
    mounts.release();
    await storage.remove(path('/moved'));
    await storage.close();
  } finally {
    mounts.release();
    fs.closeSync(descriptor);
  }
});

describe.each(ways)('a folder that contains %s', (_, mount) => {
  test('is not removed, and nothing in it is changed', async (context) => {
    const { storage, root } = await openMounted(context, mount);
    const before = namesBelow(root);
    await expect(storage.remove(path('/d'))).rejects.toEqual(refused('holds_mount'));
    await expect(storage.remove(path('/d/deep'))).rejects.toEqual(refused('holds_mount'));
    expect(namesBelow(root)).toEqual(before);
    await storage.remove(path('/other'));
    await storage.close();
  });

  test('is not removed when it is the mount point itself', async (context) => {
    const { storage, root } = await openMounted(context, mount);
    await expect(storage.remove(path('/d/deep/point'))).rejects.toEqual(refused('holds_mount'));
    await expect(storage.move(path('/d/deep/point'), path('/p'), once)).rejects.toEqual(
      refused('holds_mount'),
    );
    expect(namesBelow(join(root, 'd'))).toEqual([
      'a.txt',
      'deep',
      'deep/b.txt',
      'deep/point',
      'deep/point/precious.txt',
    ]);
    expect(fs.existsSync(join(root, 'p'))).toBe(false);
    await storage.close();
  });

  test('is rejected before beforeChange is called', async (context) => {
    const { storage } = await openMounted(context, mount);
    let calls = 0;
    const removal = storage.remove(path('/d'), {
      beforeChange: async () => {
        calls += 1;
      },
    });
    await expect(removal).rejects.toEqual(refused('holds_mount'));
    expect(calls).toBe(0);
    await storage.close();
  });

  test('is renamed within its file system together with the mount', async (context) => {
    const { storage, root } = await openMounted(context, mount);
    await storage.move(path('/d'), path('/other/moved'), once);
    expect(fs.readFileSync(join(root, 'other/moved/deep/point/precious.txt'), 'utf8')).toBe('p');
    await expect(storage.remove(path('/other'))).rejects.toEqual(refused('holds_mount'));
    await storage.move(path('/other/moved'), path('/d'), once);
    await storage.close();
  });

  test('is not moved to another file system', async (context) => {
    const { storage, root } = await openMounted(context, mount);
    mounts.required(context).tmpfs(join(root, 'disk'));
    const before = namesBelow(root);
    await expect(storage.move(path('/d'), path('/disk/d'), once)).rejects.toEqual(refused('holds_mount'));
    await expect(
      storage.move(path('/d'), path('/disk/new/folders/d'), { overwrite: false, createParents: true }),
    ).rejects.toEqual(refused('holds_mount'));
    expect(namesBelow(root)).toEqual(before);
    await storage.close();
  });

  test('is not merged into a folder of the same name', async (context) => {
    const { storage, root } = await openMounted(context, mount);
    writeTree(root, { '/target/deep/point/own.txt': 'o' });
    const before = namesBelow(root);
    await expect(storage.move(path('/d'), path('/target'), over)).rejects.toEqual(refused('holds_mount'));
    expect(namesBelow(root)).toEqual(before);
    await storage.close();
  });

  test('is copied with the contents of the mounted file system', async (context) => {
    const { storage, root } = await openMounted(context, mount);
    await storage.copy(path('/d'), path('/copy'), once);
    expect(fs.readFileSync(join(root, 'copy/deep/point/precious.txt'), 'utf8')).toBe('p');
    await storage.remove(path('/copy'));
    await storage.close();
  });
});

test('a folder that contains a mount point through another path to it is not removed', async (context) => {
  const { storage, root, outside } = await disks.open({ files: { '/d/point/': '', '/d/a.txt': 'a' } });
  writeTree(outside, { '/bound/precious.txt': 'p', '/view/': '' });
  const isMounted =
    mounts.bind(root, join(outside, 'view')) &&
    mounts.bind(join(outside, 'bound'), join(outside, 'view/d/point'));
  if (!isMounted) return context.skip(onlyRootMounts);
  await expect(storage.remove(path('/d'))).rejects.toEqual(refused('holds_mount'));
  expect(fs.readFileSync(join(root, 'd/a.txt'), 'utf8')).toBe('a');
  await storage.close();
});

test('a file that is a mount point is neither removed nor replaced nor moved', async (context) => {
  const { storage, root, outside } = await disks.open({ files: { '/conf': 'below', '/new': 'n' } });
  writeTree(outside, { '/conf': 'mounted' });
  mounts.required(context).bind(join(outside, 'conf'), join(root, 'conf'));
  await expect(storage.remove(path('/conf'))).rejects.toEqual(refused('holds_mount'));
  await expect(storage.move(path('/new'), path('/conf'), over)).rejects.toEqual(refused('holds_mount'));
  await expect(storage.copy(path('/new'), path('/conf'), over)).rejects.toEqual(refused('holds_mount'));
  expect(fs.readFileSync(join(root, 'conf'), 'utf8')).toBe('mounted');
  expect(fs.readdirSync(root).toSorted()).toEqual(['conf', 'new']);
  await storage.close();
});

test('without descriptors a mounted file system is not emptied either', async (context) => {
  const { storage, root } = await disks.open({
    confinement: 'path',
    files: { '/d/point/': '', '/d/a.txt': 'a' },
  });
  const point = join(root, 'd/point');
  mounts.required(context).tmpfs(point);
  writeTree(point, { '/precious.txt': 'p' });
  await expect(storage.remove(path('/d'))).rejects.toEqual(refused('holds_mount'));
  expect(namesBelow(root)).toEqual(['d', 'd/a.txt', 'd/point', 'd/point/precious.txt']);
  await storage.close();
});

test('usage does not count blocks that are reserved for root as free', async () => {
  const { storage, root } = await disks.open();
  const { blocks, bavail, bsize } = fs.statfsSync(root);
  const { total, used } = await storage.usage(path('/'));
  expect(total).toBe(blocks * bsize);
  // Other processes write to the same disk meanwhile.
  expect(Math.abs(total - used - bavail * bsize)).toBeLessThan(2 ** 30);
  await storage.close();
});

test('usage of a mount point and of folders on its disk is that of the mounted disk', async (context) => {
  const { storage, root } = await disks.open({ files: { '/d/point/': '' } });
  const point = join(root, 'd/point');
  mounts.required(context).tmpfs(point);
  fs.mkdirSync(join(point, 'inner'));
  fs.symlinkSync('d/point', join(root, 'link'));
  const { blocks, bsize } = fs.statfsSync(point);
  const above = await storage.usage(path('/d'));
  expect(blocks * bsize).not.toBe(above.total);
  expect((await storage.usage(path('/'))).fileSystem).toBe(above.fileSystem);
  expect((await storage.usage(path('/d/point'))).fileSystem).not.toBe(above.fileSystem);
  for (const name of ['/d/point', '/d/point/inner', '/link']) {
    expect({ name, total: (await storage.usage(path(name))).total }).toEqual({
      name,
      total: blocks * bsize,
    });
  }
  await storage.close();
});
