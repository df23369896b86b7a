import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf, namesIn, once, path, readText, refused, treeOf } from '../testing/storage-testing.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import { writeTree, temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

/** A folder on another file system; null when there is none. */
function otherDisk(): string | null {
  try {
    const folder = fs.mkdtempSync('/dev/shm/filestead-storage-');
    if (fs.statSync(folder).dev !== fs.statSync(os.tmpdir()).dev) return folder;
    fs.rmdirSync(folder);
  } catch {
    // The folder does not exist.
  }
  return null;
}

describe('moves between file systems', () => {
  const other = otherDisk();

  test.skipIf(other === null)('copy everything before the source is removed', async () => {
    const otherRoot = other ?? '';
    const { storage: first, root } = await disks.open({
      files: { '/a.txt': 'a', '/d/x/y.txt': 'y', '/d/z.txt': 'z', '/e/only-e': 'e' },
    });
    await first.close();
    const storage = await openDiskStorage({ root, followExternalLinks: true });
    try {
      fs.symlinkSync(otherRoot, join(root, 'other'));
      fs.symlinkSync('missing', join(root, 'd/link'));
      writeTree(otherRoot, { '/e/only-otherRoot': 't', '/taken': 't' });
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
        '/other/e/only-otherRoot': 't',
        '/other/taken': 't',
      });
      expect(fs.readlinkSync(join(otherRoot, 'd/link'))).toBe('missing');
      expect(await namesIn(storage, '/')).toEqual(['back', 'other']);

      writeTree(root, { '/p/a': 'a', '/b': 'b' });
      execFileSync('mkfifo', [join(root, 'p/pipe')]);
      await expect(storage.move(path('/p'), path('/other/p'), once)).rejects.toEqual(refused('special_file'));
      await expect(storage.move(path('/b'), path('/other/taken'), once)).rejects.toEqual(
        refused('already_exists'),
      );
      expect(fs.readdirSync(join(root, 'p'))).toEqual(['a', 'pipe']);
      expect(fs.readdirSync(otherRoot).toSorted()).toEqual(['a.txt', 'd', 'e', 'taken']);
    } finally {
      await storage.close();
      fs.rmSync(otherRoot, { recursive: true, force: true });
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
    'causes storage_full, keeps the old file and leaves nothing behind',
    async () => {
      const root = tiny ?? '';
      const storage = await openDiskStorage({ root });
      try {
        writeTree(root, { '/a.txt': 'old', '/half': 'x'.repeat(600_000) });
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
