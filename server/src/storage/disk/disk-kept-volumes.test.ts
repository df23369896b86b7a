import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Mounts } from '../../../test/fixtures/mounts.ts';
import { idOfStoredName, newKeptId } from '../kept/kept-names.ts';
import type { KeptEntry } from '../kept/kept-entries.ts';
import { causeOf, keep, recordsOf } from '../testing/describe-kept.ts';
import { bytesOf, path, rawName, readText, refused, treeOf } from '../testing/storage-testing.ts';
import { type TemporaryDisk, temporaryDisks, writeTree } from '../testing/temporary-disk.ts';
import { openDiskStorage } from './disk-storage.ts';
import { syscalls } from './paths/syscalls.ts';
import { isTemporaryName } from './paths/temporary-names.ts';

const disks = temporaryDisks();
const restored = { conflict: 'fail', createParents: true } as const;
const trash = '.filestead-trash';
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

/** The folder of this installation in the store of the disk folder `base`. */
function storeIn(base: string): string {
  const own = fs.readdirSync(join(base, trash)).find((name) => name !== 'README.txt');
  return join(base, trash, own ?? '');
}

const ledgerOf = (base: string): string[] =>
  fs
    .readdirSync(join(storeIn(base), 'ledger'))
    .flatMap((name) => fs.readFileSync(join(storeIn(base), 'ledger', name), 'utf8').split('\n'))
    .filter((line) => line !== '');

describe('a store', () => {
  test('is readable by hand and by nobody else', async () => {
    const { storage, root } = await open({ '/docs/report.pdf': 'report' });
    const entry = await keep(storage, '/docs/report.pdf');
    expect(fs.statSync(join(root, trash)).mode & 0o777).toBe(0o700);
    expect(fs.readFileSync(join(root, trash, 'README.txt'), 'utf8')).toContain('mv "things/');
    const stored = join(storeIn(root), 'things/2026-11-21T10', `${entry.id} report.pdf`);
    expect(fs.readFileSync(stored, 'utf8')).toBe('report');
    const lines = ledgerOf(root).map((line) => JSON.parse(line) as { place: string; id: string });
    expect(lines).toMatchObject([{ type: 'keep', id: entry.id, place: '/docs/report.pdf' }]);
    expect(JSON.parse(fs.readFileSync(join(storeIn(root), 'store.json'), 'utf8'))).toMatchObject({
      version: 1,
    });
  });

  test('is in the highest folder of its volume', async () => {
    const { storage, root } = await open({ '/a/b/c/d.txt': 'd' });
    const inner = await storage.within(path('/a/b'));
    expect((await keep(inner, '/c/d.txt')).store).toBe('/');
    expect(fs.existsSync(join(root, 'a', trash))).toBe(false);
    await inner.close();
  });

  test('keeps names that are not UTF-8', async () => {
    const name = rawName('x', 0xff);
    const { storage } = await open({ [`/${name}`]: 'raw' });
    const entry = await keep(storage, `/${name}`);
    expect(entry.storedName).toBe(entry.id);
    const kept = await storage.kept(entry);
    expect(await readText(kept, `/${name}`)).toBe('raw');
    await kept.close();
    await storage.restore(entry, path(`/${name}`), restored);
    expect(await readText(storage, `/${name}`)).toBe('raw');
  });

  test('keeps links without following them', async () => {
    const { storage, root } = await open({ '/target.txt': 'target' });
    fs.symlinkSync('target.txt', join(root, 'link'));
    const entry = await keep(storage, '/link');
    expect(entry).toMatchObject({ kind: 'invalid_link', place: '/link' });
    await expect(storage.kept(entry)).rejects.toEqual(refused('special_file'));
    await storage.restore(entry, path('/link'), restored);
    expect(fs.readlinkSync(join(root, 'link'))).toBe('target.txt');
  });

  test('does not follow a link that has replaced a kept file', async () => {
    const { storage, root, outside } = await open({ '/a.txt': 'a' });
    fs.writeFileSync(join(outside, 'secret'), 'secret');
    const entry = await keep(storage, '/a.txt');
    const stored = join(storeIn(root), 'things', entry.folder, entry.storedName);
    fs.rmSync(stored);
    fs.symlinkSync(join(outside, 'secret'), stored);
    await expect(storage.kept(entry)).rejects.toEqual(refused('special_file'));
  });

  test('that is a link is not used', async () => {
    const { storage, root, outside } = await open({ '/d/a.txt': 'a', '/b.txt': 'b' });
    fs.symlinkSync(outside, join(root, trash));
    expect((await keep(storage, '/d/a.txt')).store).toBe('/d');
    const removal = storage.remove(path('/b.txt'), { keep: causeOf() });
    await expect(removal).rejects.toEqual(refused('cannot_keep'));
    expect(fs.readdirSync(outside)).toEqual([]);
    expect(await readText(storage, '/b.txt')).toBe('b');
  });

  test.skipIf(process.geteuid?.() !== 0)('of another system user is not used', async () => {
    const { storage, root } = await open({ '/a.txt': 'a' });
    fs.mkdirSync(join(root, trash));
    fs.chownSync(join(root, trash), 12_345, 12_345);
    const removal = storage.remove(path('/a.txt'), { keep: causeOf() });
    await expect(removal).rejects.toEqual(refused('cannot_keep'));
    expect(await readText(storage, '/a.txt')).toBe('a');
  });

  test('is created again when it was removed by hand', async () => {
    const { storage, root } = await open({ '/a.txt': 'a', '/b.txt': 'b' });
    const first = await keep(storage, '/a.txt');
    fs.rmSync(join(root, trash), { recursive: true });
    const second = await keep(storage, '/b.txt');
    await expect(storage.kept(first)).rejects.toEqual(refused('not_found'));
    await storage.restore(second, path('/b.txt'), restored);
    // The last line is written without waiting for it.
    await expect.poll(() => ledgerOf(root).filter((line) => line.includes(second.id))).toHaveLength(3);
  });

  test('skips damaged lines of its ledger', async () => {
    const { storage, root } = await open({ '/a.txt': 'a', '/b.txt': 'b' });
    const first = await keep(storage, '/a.txt');
    const [file = ''] = fs.readdirSync(join(storeIn(root), 'ledger'));
    const damaged = [
      '{"type":"keep","id":"x"}',
      '{"type":"ke',
      'null',
      '"text"',
      '\0\0\0',
      '{"type":"end","ids":7}',
    ];
    fs.appendFileSync(join(storeIn(root), 'ledger', file), damaged.join('\n'));
    const second = await keep(storage, '/b.txt');
    const records = await recordsOf(storage);
    expect(records).toMatchObject([
      { kind: 'keep', entry: first },
      { kind: 'keep', entry: second },
    ]);
    expect(await storage.stores()).toMatchObject([{ entries: 2, damaged: 5 }]);
  });

  test('does not accept records that lead out of it', async () => {
    const { storage, root } = await open({ '/a.txt': 'a' });
    const entry = await keep(storage, '/a.txt');
    const evil = [
      { ...entry, storedName: `${entry.id} x/../../../secret` },
      { ...entry, folder: '../..' },
      { ...entry, folder: '.' },
    ];
    for (const changed of evil) {
      await expect(storage.kept(changed)).rejects.toEqual(refused('not_found'));
      await expect(storage.restore(changed, path('/x'), restored)).rejects.toEqual(refused('not_found'));
    }
    const [file = ''] = fs.readdirSync(join(storeIn(root), 'ledger'));
    for (const changed of [...evil, { ...entry, place: '/../x' }])
      fs.appendFileSync(
        join(storeIn(root), 'ledger', file),
        `${JSON.stringify({ type: 'keep', ...changed })}\n`,
      );
    expect((await recordsOf(storage)).map(({ kind }) => kind)).toEqual(['keep']);
  });

  test('continues its ledger after a position', async () => {
    const { storage } = await open({ '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c' });
    await keep(storage, '/a.txt');
    const second = await keep(storage, '/b.txt');
    const position = (await recordsOf(storage)).at(-1)?.position ?? '';
    const third = await keep(storage, '/c.txt');
    await storage.purge([second]);
    const later = await recordsOf(storage, { since: position });
    expect(later).toMatchObject([
      { kind: 'keep', entry: third },
      { kind: 'doom', id: second.id },
      { kind: 'end', id: second.id },
    ]);
  });

  test('follows the folder that contains it', async () => {
    const { storage, root } = await open({ '/a/b.txt': 'b', '/a/c.txt': 'c' });
    fs.writeFileSync(join(root, trash), 'a file blocks the name');
    const first = await keep(storage, '/a/b.txt');
    expect(first.store).toBe('/a');
    await storage.move(path('/a'), path('/moved'), { overwrite: false });
    const second = await keep(storage, '/moved/c.txt');
    expect(second).toMatchObject({ store: '/moved', place: '/moved/c.txt' });
    await storage.restore(first, path('/moved/b.txt'), restored);
    expect(await readText(storage, '/moved/b.txt')).toBe('b');
  });

  test('of another installation is counted and not read', async () => {
    const { storage, root, outside } = await open({ '/a.txt': 'a', '/b.txt': 'b' });
    const other = await openDiskStorage({ root, storeRegistry: join(outside, 'stores.json') });
    await keep(other, '/b.txt');
    await keep(storage, '/a.txt');
    const reports = [...(await storage.stores()), ...(await other.stores())];
    expect(reports).toMatchObject([
      { entries: 1, foreign: 1 },
      { entries: 1, foreign: 1 },
    ]);
    expect(await recordsOf(other)).toHaveLength(1);
    await other.close();
  });

  test('is known after a restart', async () => {
    const { storage, root } = await open({ '/docs/b.txt': 'b' });
    const entry = await keep(storage, '/docs');
    await storage.close();
    const storeRegistry = join(dirname(root), 'stores.json');
    const again = await openDiskStorage({ root, storeRegistry });
    openStorages = [];
    expect(await recordsOf(again)).toMatchObject([{ kind: 'keep', entry }]);
    await again.restore(entry, path('/docs'), restored);
    expect(await treeOf(again)).toEqual({ '/docs/': '', '/docs/b.txt': 'b' });
    await again.close();
  });
});

describe('the records of one operation', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/d/${index}.txt`, 'x']));
  const paths = Object.keys(many).map(path);

  async function countFlushes(work: () => Promise<unknown>): Promise<number> {
    const { fdatasync } = syscalls;
    let flushes = 0;
    syscalls.fdatasync = (descriptor) => {
      flushes += 1;
      return fdatasync(descriptor);
    };
    try {
      await work();
    } finally {
      syscalls.fdatasync = fdatasync;
    }
    return flushes;
  }

  test('share a flush when the next paths are known', async () => {
    const { storage } = await open(many);
    const cause = causeOf();
    const entries: KeptEntry[] = [];
    const flushes = await countFlushes(async () => {
      for (const [index, next] of paths.entries()) {
        const upcoming = () => paths.slice(index + 1, index + 501);
        entries.push(...(await storage.remove(next, { keep: cause, upcoming })));
      }
    });
    expect(flushes).toBeLessThanOrEqual(3);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(1_000);
    expect((await recordsOf(storage)).filter(({ kind }) => kind === 'keep')).toHaveLength(1_000);
    expect(entries[999]).toMatchObject({ kind: 'file', size: 1, place: '/d/999.txt' });
    expect(await storage.stores()).toMatchObject([{ entries: 1_000, withoutRecord: 0, withoutEntry: 0 }]);
  });

  test('share a flush when they arrive together', async () => {
    const { storage } = await open(many);
    const flushes = await countFlushes(() =>
      Promise.all(paths.map((next) => storage.remove(next, { keep: causeOf() }))),
    );
    expect(flushes).toBeLessThan(500);
    expect(await storage.stores()).toMatchObject([{ entries: 1_000, withoutRecord: 0 }]);
  });

  test('describe only what was removed', async () => {
    const { storage } = await open({ '/a.txt': 'a', '/b.txt': 'b' });
    await keep(storage, '/a.txt', { upcoming: () => [path('/b.txt'), path('/missing.txt')] });
    expect(await recordsOf(storage)).toMatchObject([{ kind: 'keep', entry: { place: '/a.txt' } }]);
    expect(await readText(storage, '/b.txt')).toBe('b');
  });
});

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

describe('an entry that cannot be renamed into a store', () => {
  const { rename } = syscalls;
  /** Refuses to rename entries into the store, as overlayfs does for folders of its lower layer. */
  beforeEach(() => {
    const refuse = (...[from, to]: Parameters<typeof rename>): Promise<void> =>
      idOfStoredName(basename(String(to))) !== null && !isTemporaryName(basename(String(from)))
        ? Promise.reject(Object.assign(new Error('EXDEV'), { code: 'EXDEV' }))
        : rename(from, to);
    syscalls.rename = refuse as typeof rename;
  });
  afterEach(() => {
    syscalls.rename = rename;
  });
  const files = { '/d/a.txt': 'a', '/d/inner/b.txt': 'b', '/c.txt': 'c' };

  test('stays where it is, unless it may be copied', async () => {
    const { storage } = await open(files);
    for (const name of ['/d', '/c.txt']) {
      const removal = storage.remove(path(name), { keep: causeOf() });
      await expect(removal).rejects.toEqual(refused('keep_needs_copy'));
    }
    expect(await treeOf(storage)).toMatchObject(files);
    expect((await recordsOf(storage)).filter(({ kind }) => kind === 'keep')).toEqual([]);
  });

  test('is copied into the store on request, and restored from there', async () => {
    const { storage } = await open(files);
    const before = await treeOf(storage);
    const progress: number[] = [];
    const onProgress = ({ entries }: { entries: number }): void => void progress.push(entries);
    const entries = [
      await keep(storage, '/d', { copies: true, onProgress }),
      await keep(storage, '/c.txt', { copies: true }),
    ];
    expect(await treeOf(storage)).toEqual({});
    expect(progress.at(-1)).toBe(3);
    const records = await recordsOf(storage);
    expect(records.flatMap((record) => (record.kind === 'keep' ? [record.entry.id] : []))).toEqual(
      entries.map(({ id }) => id),
    );
    expect(await storage.stores()).toMatchObject([{ entries: 2, withoutRecord: 0, withoutEntry: 0 }]);
    syscalls.rename = rename;
    for (const entry of entries) await storage.restore(entry, entry.place, restored);
    expect(await treeOf(storage)).toEqual(before);
  });

  test('stays complete when the copy cannot be completed', async () => {
    const { storage } = await open(files);
    const before = await treeOf(storage);
    const refuse = (...[from, to]: Parameters<typeof rename>): Promise<void> => {
      if (idOfStoredName(basename(String(to))) === null) return rename(from, to);
      const code = isTemporaryName(basename(String(from))) ? 'ENOSPC' : 'EXDEV';
      return Promise.reject(Object.assign(new Error(code), { code }));
    };
    syscalls.rename = refuse as typeof rename;
    for (const name of ['/d', '/c.txt']) {
      const removal = storage.remove(path(name), { keep: causeOf(), copies: true });
      await expect(removal).rejects.toEqual(refused('storage_full'));
    }
    expect(await treeOf(storage)).toEqual(before);
    expect(await storage.stores()).toMatchObject([{ entries: 0, withoutEntry: 0 }]);
  });
});

describe('a purge', () => {
  const GiB = 1024 ** 3;

  test('shortens large files in steps, and never one with another name', async () => {
    const { storage, root } = await open({ '/large.bin': '', '/linked.bin': '' });
    for (const name of ['large.bin', 'linked.bin']) fs.truncateSync(join(root, name), 3 * GiB + 5);
    fs.linkSync(join(root, 'linked.bin'), join(root, 'other.bin'));
    const entries = [await keep(storage, '/large.bin'), await keep(storage, '/linked.bin')];
    const steps: number[] = [];
    const pace = async (names: number): Promise<void> => void steps.push(names);
    await storage.purge(entries, { pace });
    expect(steps).toHaveLength(5);
    expect(fs.statSync(join(root, 'other.bin')).size).toBe(3 * GiB + 5);
  });

  test('can rest while it removes a folder', async () => {
    const { storage, root } = await open({ '/docs/in/a.txt': 'a' });
    for (let index = 0; index < 600; index++) fs.writeFileSync(join(root, 'docs', `${index}.txt`), '');
    const steps: number[] = [];
    const pace = async (names: number): Promise<void> => void steps.push(names);
    await storage.purge([await keep(storage, '/docs')], { pace });
    expect(steps.length).toBeGreaterThan(2);
    // Folders are few and not counted.
    expect(steps.reduce((sum, names) => sum + names, 0)).toBe(601);
  });

  test('removes the folders of past hours', async () => {
    const { storage, root } = await open({ '/a.txt': 'a', '/b.txt': 'b' });
    const [first, second] = [await keep(storage, '/a.txt'), await keep(storage, '/b.txt')];
    await storage.purge([first]);
    expect(fs.readdirSync(join(storeIn(root), 'things'))).toEqual(['2026-11-21T10']);
    await storage.purge([second]);
    expect(fs.readdirSync(join(storeIn(root), 'things'))).toEqual([]);
  });

  test('ignores entries that never existed', async () => {
    const { storage } = await open({ '/a.txt': 'a' });
    const entry = await keep(storage, '/a.txt');
    const id = newKeptId();
    const unknown = { ...entry, id, storedName: `${id} a.txt` };
    expect(await storage.purge([unknown])).toEqual({ purged: [id], failed: [] });
    expect((await recordsOf(storage))[0]).toMatchObject({ kind: 'keep', entry });
  });
});

test('a kept folder of 2,000 entries needs no more calls than a small one', async () => {
  const { storage, root } = await open({ '/d/': '', '/e/x.txt': 'x' });
  for (let index = 0; index < 2_000; index++) fs.writeFileSync(join(root, 'd', `${index}`), '');
  await keep(storage, '/e');
  const { rename } = syscalls;
  let renames = 0;
  syscalls.rename = ((...given: Parameters<typeof rename>) => {
    renames += 1;
    return rename(...given);
  }) as unknown as typeof rename;
  try {
    await keep(storage, '/d');
  } finally {
    syscalls.rename = rename;
  }
  expect(renames).toBe(1);
});
