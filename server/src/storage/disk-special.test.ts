import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bytesOf,
  breaksAfter,
  entriesOf,
  namesIn,
  path,
  readText,
  refused,
  treeOf,
} from './describe-storage.ts';
import { openDiskStorage } from './disk-storage.ts';
import { plant, temporaryDisks } from './temporary-disk.ts';

const disks = temporaryDisks();
const once = { overwrite: false };
const isRoot = process.getuid?.() === 0;

describe('special files (SL-19)', () => {
  test(
    'are listed, never opened, never waited for, and left out of copies',
    { timeout: 10_000 },
    async () => {
      const { storage, root } = await disks.open({ files: { '/d/a.txt': 'a' } });
      execFileSync('mkfifo', [join(root, 'd/pipe')]);
      const server = net.createServer().listen(join(root, 'd/socket'));
      await new Promise((resolve) => server.once('listening', resolve));
      const special = ['pipe', 'socket'];
      if (isRoot) {
        execFileSync('mknod', [join(root, 'd/null'), 'c', '1', '3']);
        special.unshift('null');
      }
      const listing = await storage.list(path('/d'));
      expect(listing.names).toEqual(['a.txt', ...special]);
      expect((await entriesOf(listing)).map(({ kind }) => kind)).toEqual([
        'file',
        ...special.map(() => 'special'),
      ]);
      for (const name of special) {
        const place = path(`/d/${name}`);
        expect(await storage.stat(place)).toMatchObject({ kind: 'special' });
        await expect(storage.openFile(place)).rejects.toEqual(refused('special_file'));
        await expect(storage.write(place, bytesOf('x'), { mode: 'either' })).rejects.toEqual(
          refused('special_file'),
        );
        await expect(storage.copy(place, path('/copy'), once)).rejects.toEqual(refused('special_file'));
      }
      await storage.copy(path('/d'), path('/copy'), once);
      expect(await treeOf(storage, '/copy')).toEqual({ '/copy/a.txt': 'a' });
      await storage.move(path('/d/pipe'), path('/pipe'), once);
      await storage.remove(path('/d'));
      expect(await namesIn(storage, '/')).toEqual(['copy', 'pipe']);
      server.close();
      await storage.close();
    },
  );
});

describe('what is excluded', () => {
  test('looks as if it were not there, under every name', async () => {
    const { storage: first, root } = await disks.open({
      files: { '/.filestead/db': 'secret', '/sub/data/db': 'secret', '/a.txt': 'a', '/sub/b': 'b' },
    });
    await first.close();
    fs.symlinkSync('.filestead', join(root, 'link'));
    fs.linkSync(join(root, 'sub/data/db'), join(root, 'hard'));
    const excluded = [
      join(root, '.filestead'),
      join(root, 'sub/data'),
      join(root, 'hard'),
      join(root, 'sub/later.db'),
    ];
    const storage = await openDiskStorage({ root, excluded });
    fs.writeFileSync(join(root, 'sub/later.db'), 'secret');
    fs.renameSync(join(root, 'sub/data'), join(root, 'sub/moved'));

    expect(await treeOf(storage)).toEqual({
      '/a.txt': 'a',
      '/sub/': '',
      '/sub/b': 'b',
      '/link': '(invalid_link)',
    });
    expect(await namesIn(storage, '/')).toEqual(['sub', 'a.txt', 'link']);
    expect(
      (await entriesOf(await storage.list(path('/sub')))).map(({ name, kind }) => `${name} ${kind}`),
    ).toEqual(['moved gone', 'b file']);
    for (const place of [
      '/.filestead',
      '/.filestead/db',
      '/link/db',
      '/sub/moved',
      '/sub/moved/db',
      '/sub/data/db',
      '/hard',
      '/sub/later.db',
    ]) {
      expect(await storage.stat(path(place))).toBeNull();
      await expect(storage.openFile(path(place))).rejects.toEqual(refused('not_found'));
      await expect(storage.remove(path(place))).rejects.toEqual(refused('not_found'));
      await expect(storage.move(path(place), path('/x'), once)).rejects.toEqual(refused('not_found'));
      await expect(storage.copy(path(place), path('/x'), once)).rejects.toEqual(refused('not_found'));
    }
    for (const place of [
      '/.filestead',
      '/.filestead/new',
      '/.FileStead/new',
      '/hard',
      '/sub/later.db',
      '/sub/moved',
    ]) {
      await expect(
        storage.write(path(place), bytesOf('x'), { mode: 'either', createParents: true }),
      ).rejects.toEqual(refused('forbidden'));
      await expect(storage.copy(path('/a.txt'), path(place), { overwrite: true })).rejects.toEqual(
        refused('forbidden'),
      );
    }
    await expect(storage.createFolder(path('/.filestead/x'))).rejects.toEqual(refused('forbidden'));
    await expect(storage.createFolder(path('/.filestead'))).rejects.toEqual(refused('forbidden'));
    await expect(storage.within(path('/.filestead'))).rejects.toEqual(refused('not_found'));
    expect(fs.readFileSync(join(root, '.filestead/db'), 'utf8')).toBe('secret');
    await storage.close();
  });

  test('is neither moved nor removed with the folder that holds it, and left out of its copies', async () => {
    const { storage: first, root } = await disks.open({
      files: { '/app/deep/.data/db': 'secret', '/app/a.txt': 'a' },
    });
    await first.close();
    const storage = await openDiskStorage({ root, excluded: [join(root, 'app/deep/.data')] });
    await expect(storage.remove(path('/app'))).rejects.toEqual(refused('forbidden'));
    await expect(storage.move(path('/app/deep'), path('/x'), once)).rejects.toEqual(refused('forbidden'));
    await storage.copy(path('/app'), path('/copy'), once);
    expect(await treeOf(storage, '/copy')).toEqual({ '/copy/a.txt': 'a', '/copy/deep/': '' });
    expect(fs.readFileSync(join(root, 'app/deep/.data/db'), 'utf8')).toBe('secret');
    await storage.close();
  });
});

describe('permission bits', () => {
  test('new files are not executable, replaced ones keep their bits but not set-user-id', async () => {
    const { storage, root } = await disks.open({ files: { '/script': '#!', '/private': 'p', '/suid': 's' } });
    fs.chmodSync(join(root, 'script'), 0o750);
    fs.chmodSync(join(root, 'private'), 0o600);
    fs.chmodSync(join(root, 'suid'), 0o4755);
    const umask = process.umask();
    for (const name of ['script', 'private', 'suid', 'new'])
      await storage.write(path(`/${name}`), bytesOf('x'), { mode: 'either' });
    await storage.createFolder(path('/folder'));
    const modeOf = (name: string): number => fs.statSync(join(root, name)).mode & 0o7777;
    expect(modeOf('script')).toBe(0o750);
    expect(modeOf('private')).toBe(0o600);
    expect(modeOf('suid')).toBe(0o755);
    expect(modeOf('new')).toBe(0o666 & ~umask);
    expect(modeOf('folder')).toBe(0o777 & ~umask);
    fs.chmodSync(join(root, 'folder'), 0o700);
    fs.utimesSync(join(root, 'script'), 1000, 2000.5);
    await storage.move(path('/script'), path('/folder/script'), once);
    await storage.copy(path('/folder'), path('/copy'), once);
    expect(modeOf('copy')).toBe(0o700);
    expect(modeOf('copy/script')).toBe(0o750);
    expect(fs.statSync(join(root, 'copy/script')).mtimeMs).toBe(2_000_500);
    await storage.close();
  });

  test.skipIf(!isRoot)('the owner of a replaced file stays', async () => {
    const { storage, root } = await disks.open({ files: { '/a': 'a' } });
    fs.chownSync(join(root, 'a'), 12_345, 23_456);
    await storage.write(path('/a'), bytesOf('x'), { mode: 'replace' });
    expect(fs.statSync(join(root, 'a'))).toMatchObject({ uid: 12_345, gid: 23_456 });
    await storage.close();
  });

  test.skipIf(isRoot)('what the system refuses is forbidden', async () => {
    const { storage, root } = await disks.open({ files: { '/locked/a.txt': 'a', '/unreadable.txt': 'u' } });
    fs.chmodSync(join(root, 'locked'), 0);
    fs.chmodSync(join(root, 'unreadable.txt'), 0);
    await expect(storage.list(path('/locked'))).rejects.toEqual(refused('forbidden'));
    await expect(storage.stat(path('/locked/a.txt'))).rejects.toEqual(refused('forbidden'));
    await expect(storage.openFile(path('/unreadable.txt'))).rejects.toEqual(refused('forbidden'));
    fs.chmodSync(join(root, 'locked'), 0o755);
    await storage.close();
  });
});

describe('names that are no UTF-8', () => {
  const broken = (folder: string, byte: number): Buffer =>
    Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([byte]), Buffer.from('.txt')]);

  test('are not listed, and moved, copied and removed with their folder', async () => {
    const { storage, root } = await disks.open({
      files: { '/d/a.txt': 'a', '/d/sub/b': 'b', '/to/sub/c': 'c' },
    });
    for (const byte of [0xe9, 0xff]) fs.writeFileSync(broken(join(root, 'd'), byte), String(byte));
    fs.mkdirSync(broken(join(root, 'd/sub'), 0xe9));
    fs.writeFileSync(Buffer.concat([broken(join(root, 'd/sub'), 0xe9), Buffer.from('/inner')]), 'i');
    fs.writeFileSync(join(root, 'd/\uFFFD'), 'a name of its own');
    expect(await namesIn(storage, '/d')).toEqual(['sub', 'a.txt', '\uFFFD']);
    expect(Object.keys(await treeOf(storage, '/d')).toSorted()).toEqual([
      '/d/a.txt',
      '/d/sub/',
      '/d/sub/b',
      '/d/\uFFFD',
    ]);
    await storage.copy(path('/d'), path('/copy'), once);
    expect(fs.readFileSync(broken(join(root, 'copy'), 0xe9), 'utf8')).toBe('233');
    expect(fs.readFileSync(broken(join(root, 'copy'), 0xff), 'utf8')).toBe('255');
    await storage.move(path('/d'), path('/to'), { overwrite: true });
    expect(fs.readFileSync(broken(join(root, 'to'), 0xff), 'utf8')).toBe('255');
    expect(
      fs.readFileSync(Buffer.concat([broken(join(root, 'to/sub'), 0xe9), Buffer.from('/inner')]), 'utf8'),
    ).toBe('i');
    await storage.remove(path('/to'));
    await storage.remove(path('/copy'));
    expect(await namesIn(storage, '/')).toEqual([]);
    await storage.close();
  });
});

/** A folder on another file system, when there is one. */
function otherDisk(): string | null {
  try {
    const folder = fs.mkdtempSync('/dev/shm/filestead-storage-');
    if (fs.statSync(folder).dev !== fs.statSync(os.tmpdir()).dev) return folder;
    fs.rmdirSync(folder);
  } catch {
    // There is none.
  }
  return null;
}

describe('moves between file systems', () => {
  const other = otherDisk();

  test.skipIf(other === null)('copy the whole first and remove it only then', async () => {
    const there = other ?? '';
    const { storage: first, root } = await disks.open({
      files: { '/a.txt': 'a', '/d/x/y.txt': 'y', '/d/z.txt': 'z', '/e/only-e': 'e' },
    });
    await first.close();
    const storage = await openDiskStorage({ root, followExternalLinks: true });
    try {
      fs.symlinkSync(there, join(root, 'other'));
      fs.symlinkSync('missing', join(root, 'd/link'));
      plant(there, { '/e/only-there': 't', '/taken': 't' });
      await storage.move(path('/a.txt'), path('/other/a.txt'), once);
      await storage.move(path('/d'), path('/other/d'), once);
      await storage.move(path('/e'), path('/other/e'), { overwrite: true });
      await storage.copy(path('/other/d'), path('/back'), once);
      expect(await treeOf(storage, '/other')).toEqual({
        '/other/a.txt': 'a',
        '/other/d/': '',
        '/other/d/x/': '',
        '/other/d/x/y.txt': 'y',
        '/other/d/z.txt': 'z',
        '/other/d/link': '(invalid_link)',
        '/other/e/': '',
        '/other/e/only-e': 'e',
        '/other/e/only-there': 't',
        '/other/taken': 't',
      });
      expect(fs.readlinkSync(join(there, 'd/link'))).toBe('missing');
      expect(await namesIn(storage, '/')).toEqual(['back', 'other']);

      plant(root, { '/p/a': 'a', '/b': 'b' });
      execFileSync('mkfifo', [join(root, 'p/pipe')]);
      await expect(storage.move(path('/p'), path('/other/p'), once)).rejects.toEqual(refused('special_file'));
      await expect(storage.move(path('/b'), path('/other/taken'), once)).rejects.toEqual(
        refused('already_exists'),
      );
      expect(fs.readdirSync(join(root, 'p'))).toEqual(['a', 'pipe']);
      expect(fs.readdirSync(there).toSorted()).toEqual(['a.txt', 'd', 'e', 'taken']);
    } finally {
      await storage.close();
      fs.rmSync(there, { recursive: true, force: true });
    }
  });
});

/** A very small file system, where the tests may mount one. */
function tinyDisk(): string | null {
  const folder = fs.mkdtempSync(join(os.tmpdir(), 'filestead-tiny-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    fs.rmdirSync(folder);
    return null;
  }
}

describe('a full disk', () => {
  const tiny = tinyDisk();

  test.skipIf(tiny === null)(
    'refuses with storage_full, keeps the old file and leaves nothing behind',
    async () => {
      const root = tiny ?? '';
      const storage = await openDiskStorage({ root });
      try {
        plant(root, { '/a.txt': 'old', '/half': 'x'.repeat(600_000) });
        const piece = 'y'.repeat(300_000);
        await expect(
          storage.write(path('/a.txt'), bytesOf(piece, piece, piece), { mode: 'either' }),
        ).rejects.toEqual(refused('storage_full'));
        await expect(storage.copy(path('/half'), path('/copy'), once)).rejects.toEqual(
          refused('storage_full'),
        );
        expect(fs.readdirSync(root).toSorted()).toEqual(['a.txt', 'half']);
        expect(await readText(storage, '/a.txt')).toBe('old');
        await storage.write(path('/b.txt'), bytesOf('small'), { mode: 'create' });
      } finally {
        await storage.close();
        execFileSync('umount', [root]);
        fs.rmdirSync(root);
      }
    },
  );
});

describe('unfinished files', () => {
  const leftover = (digit: string): string => `.filestead-${digit.repeat(32)}.part`;

  test('of a crash are removed at the next start: those of the journal, and nothing else', async () => {
    const { storage: first, root, outside } = await disks.open({ files: { '/d/a.txt': 'a', '/a.txt': 'a' } });
    await first.close();
    plant(root, {
      [`/d/${leftover('1')}`]: 'ours',
      [`/${leftover('2')}/deep/x`]: 'ours',
      [`/d/${leftover('3')}`]: 'finished',
      [`/d/${leftover('4')}`]: 'of another',
    });
    plant(outside, { [`/${leftover('5')}`]: 'outside' });
    fs.symlinkSync(outside, join(root, 'out'));
    const journal = join(outside, 'journal');
    const begin = (...names: string[]): string => `+${JSON.stringify(names)}\n`;
    fs.writeFileSync(
      journal,
      [
        begin('d', leftover('1')),
        begin(leftover('2')),
        begin('d', leftover('3')),
        `-${leftover('3')}\n`,
        begin('a.txt'),
        begin('d', 'a.txt'),
        begin('gone', leftover('6')),
        begin('out', leftover('5')),
        begin('..', 'outside', leftover('5')),
        '+["cut off by the cr',
      ].join(''),
    );
    const storage = await openDiskStorage({ root, temporaryJournal: journal });
    expect(fs.readdirSync(join(root, 'd')).toSorted()).toEqual([leftover('3'), leftover('4'), 'a.txt']);
    expect(fs.readdirSync(root).toSorted()).toEqual(['a.txt', 'd', 'out']);
    expect(fs.existsSync(join(outside, leftover('5')))).toBe(true);
    expect(fs.readFileSync(journal, 'utf8')).toBe('');
    expect(await namesIn(storage, '/d')).toEqual(['a.txt']);
    await storage.close();
  });

  test('are in the journal while they are being written, and not any more afterwards', async () => {
    const { storage: first, root, outside } = await disks.open({ files: { '/d/e/a.txt': 'a' } });
    await first.close();
    const journal = join(outside, 'journal');
    const open = async (): Promise<Awaited<ReturnType<typeof openDiskStorage>>> =>
      openDiskStorage({ root, temporaryJournal: journal });
    const storage = await open();
    const inner = await storage.within(path('/d'));
    let during = '';
    async function* source(): AsyncGenerator<Uint8Array> {
      during = fs.readFileSync(journal, 'utf8');
      yield new Uint8Array(10);
    }
    await inner.write(path('/e/new'), source(), { mode: 'create' });
    const [temporary] = /\.filestead-[0-9a-f]{32}\.part/.exec(during) ?? [''];
    expect(during).toContain(JSON.stringify(['d', 'e', temporary]));
    await expect(inner.write(path('/e/other'), breaksAfter('x'), { mode: 'create' })).rejects.toThrow();
    await inner.close();
    await storage.close();
    plant(root, { [`/d/e/${temporary}`]: 'made by somebody else since' });
    await (await open()).close();
    expect(fs.readdirSync(join(root, 'd/e')).toSorted()).toEqual([temporary, 'a.txt', 'new']);
  });

  test('are not in the way of removing their folder', async () => {
    const { storage, root } = await disks.open({ files: { [`/d/${leftover('1')}`]: 'x' } });
    expect(await namesIn(storage, '/d')).toEqual([]);
    await storage.remove(path('/d'));
    expect(fs.readdirSync(root)).toEqual([]);
    await storage.close();
  });
});
