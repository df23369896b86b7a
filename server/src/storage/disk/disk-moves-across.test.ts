import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { Mounts } from '../../../test/fixtures/mounts.ts';
import { once, over, path, refused } from '../testing/storage-testing.ts';
import { writeTree, type TemporaryDisk, temporaryDisks } from '../testing/temporary-disk.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import { TemporaryJournal } from './writes/temporary-journal.ts';

const disks = temporaryDisks();
const writerFile = fileURLToPath(new URL('../../../test/faults/late-writer.mjs', import.meta.url));
let mounts: Mounts;
const writers: ChildProcess[] = [];
let watch: NodeJS.Immediate | undefined;
beforeEach(() => {
  mounts = new Mounts();
});
afterEach(() => {
  for (const writer of writers.splice(0)) writer.kill('SIGKILL');
  clearImmediate(watch);
  mounts.release();
});

/** A storage with a second file system at `/disk`. */
async function openWithDisk(
  context: TestContext,
  files: Record<string, string> = {},
): Promise<TemporaryDisk & { journal: string }> {
  const disk = await disks.open({ files: { ...files, '/disk/': '' } });
  await disk.storage.close();
  mounts.required(context).tmpfs(join(disk.root, 'disk'), 'size=256m');
  const journal = join(disk.outside, 'journal');
  return { ...disk, journal, storage: await openDiskStorage({ root: disk.root, temporaryJournal: journal }) };
}

/** All files below a folder by their paths, with their text, including reserved names. */
function filesBelow(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(file.slice(folder.length + 1), fs.readFileSync(file, 'utf8'));
  }
  return files;
}

/** Starts a program that writes into `folder` until the folder is gone. Returns the files it has finished, with their last content. */
function startWriter(
  folder: string,
  way: 'path' | 'inside',
): {
  finished: Map<string, string>;
  ended: Promise<void>;
  /** Ends the program between two files. */
  stop: () => void;
} {
  const stopFile = `${folder}.stop`;
  const writer = spawn(process.execPath, [writerFile, folder, stopFile, way], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  writers.push(writer);
  const finished = new Map<string, string>();
  let rest = '';
  const ended = new Promise<void>((resolve) => {
    writer.stdout.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [name = '', content = ''] = line.split('\t');
        if (name !== 'end') finished.set(name, content);
      }
    });
    writer.once('close', () => resolve());
  });
  return { finished, ended, stop: () => fs.writeFileSync(stopFile, '') };
}

const manyFiles = (folder: string, count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${folder}/${i % 7}/file-${i}`, `content ${i}`]),
  );

/**
 * Calls `act` as soon as `entry` exists, and contains at least `entries` if that is given: checked in every turn of the event loop,
 * so that the storage cannot make two calls in between.
 */
function watchFor(entry: string, act: () => void, entries = 0): () => boolean {
  let isDone = false;
  const isReached = (): boolean =>
    fs.existsSync(entry) && (entries === 0 || fs.readdirSync(entry, { recursive: true }).length >= entries);
  const look = (): void => {
    if (!isReached()) {
      watch = setImmediate(look);
      return;
    }
    isDone = true;
    act();
  };
  watch = setImmediate(look);
  return () => isDone;
}

describe('a move to another file system', () => {
  for (const [way, rounds] of [
    ['path', 5],
    ['inside', 2],
  ] as const) {
    test(
      `loses nothing that a program writes into the source meanwhile (${way})`,
      { timeout: 180_000 },
      async (context) => {
        const { storage, root } = await openWithDisk(context);
        let late = 0;
        for (let round = 0; round < rounds; round++) {
          const source = join(root, `from${round}`);
          writeTree(root, {
            ...manyFiles(`/from${round}`, 250),
            [`/from${round}/old-${way}`]: `old-0000000000000`,
          });
          const { finished, ended, stop } = startWriter(source, way);
          await expect.poll(() => finished.size).toBeGreaterThan(3);
          const moved = storage.move(path(`/from${round}`), path(`/disk/to${round}`), once);
          const outcome = await moved.then(
            () => 'moved',
            (error: { code?: string }) => error.code,
          );
          // Files that a program keeps changing stay at the source; the program may also have created the source again.
          expect(['moved', 'changed_while_moving']).toContain(outcome);
          stop();
          await ended;
          const kept = filesBelow(root);
          const contents = new Map<string, Set<string>>();
          for (const [file, content] of kept) {
            const below = file.replace(/^(?:disk\/to|from)\d+(?: \(not moved\))?\//, '');
            contents.set(below, (contents.get(below) ?? new Set()).add(content));
          }
          for (const [name, content] of finished) {
            const found = [...(contents.get(name) ?? [])];
            // The program may have written once more without having reported it.
            const isThere = found.some((text) => text.slice(0, 8) === content.slice(0, 8) && text >= content);
            expect(isThere, `${name} is ${content}, found ${found.join(', ')}`).toBe(true);
          }
          for (let i = 0; i < 250; i++)
            expect(kept.get(`disk/to${round}/${i % 7}/file-${i}`)).toBe(`content ${i}`);
          expect([...kept.keys()].filter((file) => file.includes('.part'))).toEqual([]);
          late += finished.size;
          fs.rmSync(source, { recursive: true, force: true });
          fs.rmSync(join(root, `from${round} (not moved)`), { recursive: true, force: true });
          fs.rmSync(join(root, `disk/to${round}`), { recursive: true });
        }
        expect(late).toBeGreaterThan(rounds * 3);
        await storage.close();
      },
    );
  }

  test('copies files that are changed or added between the copy and the removal', async (context) => {
    const { storage, root } = await openWithDisk(context, {
      '/d/a.txt': 'old',
      '/d/x/b.txt': 'b',
      '/d/same.txt': 's',
    });
    const isSeen = watchFor(join(root, 'disk/d/same.txt'), () => {
      writeTree(root, {
        '/d/a.txt': 'new',
        '/d/x/late.txt': 'late',
        '/d/fresh/deep/c.txt': 'c',
        '/d/fresh/empty/': '',
      });
      fs.symlinkSync('a.txt', join(root, 'd/link'));
    });
    await storage.move(path('/d'), path('/disk/d'), once);
    expect(isSeen()).toBe(true);
    expect(Object.fromEntries(filesBelow(root))).toEqual({
      'disk/d/a.txt': 'new',
      'disk/d/fresh/deep/c.txt': 'c',
      'disk/d/same.txt': 's',
      'disk/d/x/b.txt': 'b',
      'disk/d/x/late.txt': 'late',
    });
    expect(fs.readlinkSync(join(root, 'disk/d/link'))).toBe('a.txt');
    expect(fs.readdirSync(join(root, 'disk/d/fresh'))).toEqual(['deep', 'empty']);
    expect(fs.readdirSync(root)).toEqual(['disk']);
    await storage.close();
  });

  test('keeps both states of a file that is changed at the source and at the target', async (context) => {
    const { storage, root } = await openWithDisk(context, {
      '/d/a.txt': 'old',
      '/d/b.txt': 'b',
      '/f.txt': 'old',
    });
    watchFor(join(root, 'disk/d/b.txt'), () => {
      writeTree(root, { '/d/a.txt': 'new at the source', '/disk/d/a.txt': 'new at the target' });
    });
    await expect(storage.move(path('/d'), path('/disk/d'), once)).rejects.toEqual(
      refused('changed_while_moving'),
    );
    watchFor(join(root, 'disk/f.txt'), () => {
      writeTree(root, { '/f.txt': 'new at the source', '/disk/f.txt': 'new at the target' });
    });
    await expect(storage.move(path('/f.txt'), path('/disk/f.txt'), once)).rejects.toEqual(
      refused('changed_while_moving'),
    );
    expect(Object.fromEntries(filesBelow(root))).toEqual({
      'd/a.txt': 'new at the source',
      'disk/d/a.txt': 'new at the target',
      'disk/d/b.txt': 'b',
      'disk/f.txt': 'new at the target',
      'f.txt': 'new at the source',
    });
    await storage.close();
  });

  test('moves the last state of a single file', async (context) => {
    const { storage, root } = await openWithDisk(context, { '/f.txt': 'old' });
    watchFor(join(root, 'disk/f.txt'), () => writeTree(root, { '/f.txt': 'new' }));
    await storage.move(path('/f.txt'), path('/disk/f.txt'), once);
    expect(Object.fromEntries(filesBelow(root))).toEqual({ 'disk/f.txt': 'new' });
    await storage.close();
  });

  test('has left the journal when it ends', async (context) => {
    const { storage, journal } = await openWithDisk(context, { '/d/a.txt': 'a' });
    await storage.move(path('/d'), path('/disk/d'), once);
    const { journal: reader, leftovers } = TemporaryJournal.open(journal);
    reader.close();
    expect(leftovers.removals).toEqual([]);
    await storage.close();
  });

  test('restores the old name of files that cannot be copied', async (context) => {
    const { storage, root } = await openWithDisk(context, { '/d/a.txt': 'a', '/d/x/b.txt': 'b' });
    watchFor(join(root, 'disk/d/x/b.txt'), () => {
      // A folder of the same name prevents the copy of the late file.
      writeTree(root, { '/d/x/late': 'late', '/disk/d/x/late/': '' });
    });
    await expect(storage.move(path('/d'), path('/disk/d'), once)).rejects.toEqual(
      refused('changed_while_moving'),
    );
    expect(Object.fromEntries(filesBelow(root))).toEqual({
      'd/x/late': 'late',
      'disk/d/a.txt': 'a',
      'disk/d/x/b.txt': 'b',
    });
    await storage.close();
  });

  test('moves files with several names in one tree', async (context) => {
    const { storage, root } = await openWithDisk(context, { '/d/a': 'one file' });
    for (const name of ['b', 'c', 'e', 'f', 'g']) fs.linkSync(join(root, 'd/a'), join(root, 'd', name));
    await storage.move(path('/d'), path('/disk/d'), once);
    expect(fs.readdirSync(join(root, 'disk/d'))).toEqual(['a', 'b', 'c', 'e', 'f', 'g']);
    expect(fs.readdirSync(root)).toEqual(['disk']);
    await storage.close();
  });

  test('merges into an existing folder, and keeps files that arrive in the source', async (context) => {
    const { storage, root } = await openWithDisk(context, { '/d/a.txt': 'a', '/d/x/b.txt': 'b' });
    writeTree(root, { '/disk/d/own.txt': 'o', '/disk/d/x/b.txt': 'old' });
    watchFor(join(root, 'disk/d/a.txt'), () => writeTree(root, { '/d/late.txt': 'late' }));
    await expect(storage.move(path('/d'), path('/disk/d'), over)).rejects.toEqual(
      refused('folder_not_empty'),
    );
    expect(Object.fromEntries(filesBelow(root))).toEqual({
      'd/late.txt': 'late',
      'disk/d/a.txt': 'a',
      'disk/d/own.txt': 'o',
      'disk/d/x/b.txt': 'b',
    });
    await storage.close();
  });

  describe('that is continued after an interruption', () => {
    const temporaryName = `.filestead-${'1'.repeat(32)}.part`;

    /** Moves `/tree` until `count` entries are copied, and leaves the copy as a killed server would. */
    async function interrupt({ storage, root }: TemporaryDisk, count: number): Promise<void> {
      const controller = new AbortController();
      watchFor(join(root, 'disk', temporaryName), () => controller.abort(), count);
      const moving = storage.move(path('/tree'), path('/disk/tree'), {
        ...once,
        continuation: { temporaryName, isResumed: false },
        signal: controller.signal,
      });
      await expect(moving).rejects.toThrow();
    }
    const proceed = ({ storage }: TemporaryDisk): Promise<void> =>
      storage.move(path('/tree'), path('/disk/tree'), {
        ...once,
        continuation: { temporaryName, isResumed: true },
      });
    const waitForTick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

    test('keeps the copies of files, and loses nothing', async (context) => {
      const disk = await openWithDisk(context, manyFiles('/tree', 300));
      const before = filesBelow(join(disk.root, 'tree'));
      fs.symlinkSync('0/file-0', join(disk.root, 'tree/link'));
      await waitForTick();
      await interrupt(disk, 120);
      const copy = join(disk.root, 'disk', temporaryName);
      const inodes = new Map(
        [...filesBelow(copy).keys()].map((name) => [name, fs.statSync(join(copy, name)).ino]),
      );
      expect(inodes.size).toBeGreaterThan(50);
      expect(filesBelow(join(disk.root, 'tree'))).toEqual(before);
      await proceed(disk);
      expect(filesBelow(join(disk.root, 'disk/tree'))).toEqual(before);
      expect(fs.existsSync(join(disk.root, 'tree'))).toBe(false);
      expect(fs.readlinkSync(join(disk.root, 'disk/tree/link'))).toBe('0/file-0');
      const kept = [...inodes].filter(
        ([name, inode]) => fs.statSync(join(disk.root, 'disk/tree', name)).ino === inode,
      );
      // A file that was being copied is copied again.
      expect(kept.length).toBeGreaterThanOrEqual(inodes.size - 8);
    });

    test('removes the source when the copy had its name already, except for what the copy does not have', async (context) => {
      const disk = await openWithDisk(context, manyFiles('/tree', 40));
      const { root, storage } = disk;
      const before = filesBelow(join(root, 'tree'));
      fs.symlinkSync('0/file-0', join(root, 'tree/link'));
      await waitForTick();
      let copiedInode: bigint | undefined;
      const published = new Error('the server was killed');
      const onCopied = async (inode: bigint): Promise<void> => {
        copiedInode = inode;
        throw published;
      };
      const continuation = { temporaryName, isResumed: false, onCopied };
      await expect(storage.move(path('/tree'), path('/disk/tree'), { ...once, continuation })).rejects.toBe(
        published,
      );
      fs.renameSync(join(root, 'disk', temporaryName), join(root, 'disk/tree'));
      // Changes of both trees before the server starts again.
      await waitForTick();
      writeTree(root, {
        '/tree/0/late': 'late',
        '/tree/1/file-1': 'changed at the source',
        '/disk/tree/1/file-1': 'and at the copy',
        '/disk/tree/2/file-2': 'changed at the copy',
        '/disk/tree/new': 'new',
      });
      await waitForTick();
      await expect(
        storage.move(path('/tree'), path('/disk/tree'), {
          ...over,
          continuation: { temporaryName, isResumed: true, copiedInode },
        }),
      ).rejects.toMatchObject({ code: 'changed_while_moving' });
      // Only files of which both sides have a state of their own stay at the source.
      expect(filesBelow(join(root, 'tree'))).toEqual(
        new Map([
          ['1/file-1', 'changed at the source'],
          ['2/file-2', before.get('2/file-2')],
        ]),
      );
      expect(filesBelow(join(root, 'disk/tree'))).toEqual(
        new Map([
          ...before,
          ['0/late', 'late'],
          ['1/file-1', 'and at the copy'],
          ['2/file-2', 'changed at the copy'],
          ['new', 'new'],
        ]),
      );
      expect(fs.readlinkSync(join(root, 'disk/tree/link'))).toBe('0/file-0');
    });

    test('copies a file again that was changed meanwhile, even if size and modification time are the same', async (context) => {
      const disk = await openWithDisk(context, manyFiles('/tree', 300));
      await waitForTick();
      await interrupt(disk, 200);
      const [[name, text] = ['', '']] = filesBelow(join(disk.root, 'disk', temporaryName));
      const file = join(disk.root, 'tree', name);
      const { mtimeNs } = fs.statSync(file, { bigint: true });
      await waitForTick();
      fs.writeFileSync(file, text.toUpperCase());
      fs.utimesSync(file, Number(mtimeNs) / 1e9, Number(mtimeNs) / 1e9);
      await waitForTick();
      await proceed(disk);
      expect(fs.readFileSync(join(disk.root, 'disk/tree', name), 'utf8')).toBe(text.toUpperCase());
    });
  });

  test('is refused before anything is copied when the source folder is read-only', async (context) => {
    const { storage, root } = await openWithDisk(context, { '/ro/': '' });
    const readOnly = join(root, 'ro');
    mounts.required(context).tmpfs(readOnly);
    writeTree(readOnly, { '/d/a.txt': 'a' });
    mounts.remountReadOnly(readOnly);
    await expect(storage.move(path('/ro/d'), path('/disk/d'), once)).rejects.toEqual(refused('forbidden'));
    expect(fs.readdirSync(join(root, 'disk'))).toEqual([]);
    await storage.close();
  });
});

describe('the next start', () => {
  const temporaryName = `.filestead-${'a'.repeat(32)}.part`;

  /** Writes the journal of a server that was killed while the source of a move had its temporary name. */
  function writePendingRemoval(
    root: string,
    journal: string,
    name: string,
    folderInode = fs.statSync(root, { bigint: true }).ino,
  ): void {
    fs.writeFileSync(journal, `>${JSON.stringify([temporaryName, [name], folderInode.toString()])}\n`);
  }

  test('restores the name of a pending removal', async () => {
    const { storage, root, outside } = await disks.open({
      files: { [`/${temporaryName}/x/late.txt`]: 'late' },
    });
    await storage.close();
    const journal = join(outside, 'journal');
    writePendingRemoval(root, journal, 'd');
    await (await openDiskStorage({ root, temporaryJournal: journal })).close();
    expect(Object.fromEntries(filesBelow(root))).toEqual({ 'd/x/late.txt': 'late' });
    expect(fs.readFileSync(journal, 'utf8')).toBe('');
  });

  test.each([
    [
      'a folder',
      { [`/${temporaryName}/late.txt`]: 'late', '/d/new.txt': 'n' },
      'd',
      { 'd (not moved)/late.txt': 'late', 'd/new.txt': 'n' },
    ],
    [
      'a file',
      { [`/${temporaryName}`]: 'late', '/f.tar.gz': 'n', '/f.tar (not moved).gz': 'k' },
      'f.tar.gz',
      { 'f.tar (not moved 2).gz': 'late', 'f.tar (not moved).gz': 'k', 'f.tar.gz': 'n' },
    ],
  ])('restores %s under an alternative name when its name exists again', async (_, files, name, expected) => {
    const { storage, root, outside } = await disks.open({ files });
    await storage.close();
    const journal = join(outside, 'journal');
    writePendingRemoval(root, journal, name);
    await (await openDiskStorage({ root, temporaryJournal: journal })).close();
    expect(Object.fromEntries(filesBelow(root))).toEqual(expected);
  });

  test('keeps a pending removal on a disk that is not mounted', async (context) => {
    const { storage, root, journal } = await openWithDisk(context);
    await storage.close();
    const disk = join(root, 'disk');
    const folderInode = fs.statSync(disk, { bigint: true }).ino;
    writeTree(disk, { [`/${temporaryName}/late.txt`]: 'late' });
    const line = `>${JSON.stringify([temporaryName, ['disk', 'd'], folderInode.toString()])}\n`;
    fs.writeFileSync(journal, line);
    // Another folder hides the disk, so that its contents cannot be reached.
    const cover = fs.mkdtempSync(join(root, 'cover-'));
    for (let i = 0; i < 3; i++) fs.mkdirSync(join(cover, `x${i}`));
    mounts.bind(join(cover, 'x2'), disk);
    await (await openDiskStorage({ root, temporaryJournal: journal })).close();
    expect(fs.readFileSync(journal, 'utf8')).toBe(line);
    mounts.detach(disk);
    await (await openDiskStorage({ root, temporaryJournal: journal })).close();
    expect(fs.readFileSync(join(disk, 'd/late.txt'), 'utf8')).toBe('late');
    expect(fs.readFileSync(journal, 'utf8')).toBe('');
  });
});
