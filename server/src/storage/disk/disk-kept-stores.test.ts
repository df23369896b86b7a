import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newKeptId } from '../kept/kept-names.ts';
import type { KeptEntry } from '../kept/kept-entries.ts';
import { causeOf, keep, recordsOf, restored } from '../testing/kept-testing.ts';
import { storeIn, trash } from '../testing/kept-stores.ts';
import { bytesOf, path, rawName, readText, refused, treeOf } from '../testing/storage-testing.ts';
import { type TemporaryDisk, temporaryDisks } from '../testing/temporary-disk.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import { syscalls } from './paths/syscalls.ts';

const disks = temporaryDisks();
let openStorages: TemporaryDisk[] = [];
afterEach(async () => {
  for (const { storage } of openStorages.splice(0)) await storage.close();
});

async function open(files: Record<string, string>): Promise<TemporaryDisk> {
  const disk = await disks.open({ files });
  openStorages.push(disk);
  return disk;
}

/** The lines of the ledger of the store whose own folder is `own`. */
const linesOf = (own: string): string[] =>
  fs
    .readdirSync(join(own, 'ledger'))
    .flatMap((name) => fs.readFileSync(join(own, 'ledger', name), 'utf8').split('\n'))
    .filter((line) => line !== '');

const ledgerOf = (base: string): string[] => linesOf(storeIn(base));

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

  test.each(['deleted', 'replaced'])(
    'is created again when it was moved away before a file is %s',
    async (act) => {
      const { storage, root, outside } = await open({ '/a.txt': 'a', '/b.txt': 'b' });
      const first = await keep(storage, '/a.txt');
      fs.renameSync(join(root, trash), join(outside, 'away'));
      let second: KeptEntry | undefined;
      if (act === 'deleted') second = await keep(storage, '/b.txt');
      else {
        const onKept = ([entry]: readonly KeptEntry[]): void => void (second = entry);
        await storage.write(path('/b.txt'), bytesOf('new'), { mode: 'replace', keep: causeOf(), onKept });
      }
      if (second === undefined) throw new Error('nothing was kept');
      await expect(storage.kept(first)).rejects.toEqual(refused('not_found'));
      expect(fs.readFileSync(join(storeIn(root), 'things', second.folder, second.storedName), 'utf8')).toBe(
        'b',
      );
      expect(ledgerOf(root).filter((line) => line.includes(second?.id ?? ''))).not.toEqual([]);
      // The store that was moved is back: what it keeps is found again.
      fs.rmSync(join(root, trash), { recursive: true });
      fs.renameSync(join(outside, 'away'), join(root, trash));
      await storage.restore(first, path('/a.txt'), restored);
      expect(await readText(storage, '/a.txt')).toBe('a');
    },
  );

  test('that was removed by hand is created again while another call looks for it', async () => {
    const { storage, root } = await open({ '/a.txt': 'a' });
    for (const round of [1, 2, 3]) {
      const kept = await keep(storage, '/a.txt');
      fs.rmSync(join(root, trash), { recursive: true });
      fs.writeFileSync(join(root, 'a.txt'), 'a');
      // The first call does not create the store, and the second one waits for it.
      const [found, removal] = await Promise.allSettled([
        storage.kept(kept),
        storage.remove(path('/a.txt'), { keep: causeOf() }),
      ]);
      expect(found, `round ${round}`).toEqual({ status: 'rejected', reason: refused('not_found') });
      expect(removal, `round ${round}`).toMatchObject({ status: 'fulfilled' });
      fs.writeFileSync(join(root, 'a.txt'), 'a');
    }
  });

  test('is another one when the folder that contains it was replaced', async () => {
    const { storage, root, outside } = await open({ '/a/b.txt': 'b', '/a/c.txt': 'c' });
    fs.writeFileSync(join(root, trash), 'a file blocks the name');
    await keep(storage, '/a/b.txt');
    fs.renameSync(join(root, 'a'), join(outside, 'a'));
    fs.mkdirSync(join(root, 'a'));
    fs.renameSync(join(outside, 'a/c.txt'), join(root, 'a/c.txt'));
    const second = await keep(storage, '/a/c.txt');
    expect(fs.existsSync(join(storeIn(join(root, 'a')), 'things', second.folder, second.storedName))).toBe(
      true,
    );
  });

  test('that lacks file descriptors for a moment refuses, and reports no problem of the disk', async () => {
    const { storage } = await open({ '/a.txt': 'a' });
    const exhausted = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const rename = vi.spyOn(syscalls, 'rename').mockRejectedValueOnce(exhausted);
    await expect(keep(storage, '/a.txt', { losesUnkept: true })).rejects.toMatchObject(refused('busy'));
    rename.mockRestore();
    expect(await treeOf(storage)).toEqual({ '/a.txt': 'a' });
    expect(await storage.stores()).toMatchObject([{ problem: null, entries: 0 }]);
    await keep(storage, '/a.txt');
  });

  test('that was moved away while a job deletes has the records of the other files', async () => {
    const { storage, root, outside } = await open({ '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c' });
    const cause = causeOf();
    await storage.remove(path('/a.txt'), { keep: cause, upcoming: () => [path('/b.txt'), path('/c.txt')] });
    fs.renameSync(join(root, trash), join(outside, 'away'));
    for (const name of ['/b.txt', '/c.txt']) await storage.remove(path(name), { keep: cause });
    expect(await storage.stores()).toMatchObject([{ entries: 2, withoutRecord: 0, withoutEntry: 0 }]);
  });

  test('that was moved away between two files of a job takes the second with it, but no later one', async () => {
    const { storage, root, outside } = await open({ '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c' });
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const cause = causeOf();
    const remove = async (name: string): Promise<KeptEntry | undefined> =>
      (await storage.remove(path(name), { keep: cause, upcoming: () => [] }))[0];
    // The first one creates the store, the second one finds it at its name.
    fs.writeFileSync(join(root, 'first.txt'), '');
    await remove('/first.txt');
    await remove('/a.txt');
    const away = join(outside, 'away');
    fs.renameSync(join(root, trash), away);
    const moved = join(away, fs.readdirSync(away).find((name) => name !== 'README.txt') ?? '');
    now.mockReturnValue(1_049);
    const second = await remove('/b.txt');
    expect(fs.existsSync(join(moved, 'things', second?.folder ?? '', second?.storedName ?? ''))).toBe(true);
    expect(linesOf(moved)).toHaveLength(3);
    now.mockReturnValue(1_051);
    const third = await remove('/c.txt');
    expect(fs.existsSync(join(storeIn(root), 'things', third?.folder ?? '', third?.storedName ?? ''))).toBe(
      true,
    );
    expect(linesOf(moved)).toHaveLength(3);
    expect(ledgerOf(root)).toHaveLength(1);
    now.mockRestore();
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

  test('can pause between steps while it removes a folder', async () => {
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
