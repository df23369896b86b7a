import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf, once, path, refused } from '../testing/storage-testing.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
const isRoot = process.getuid?.() === 0;

describe('permission bits', () => {
  test('new files are not executable; replaced files keep their bits except set-user-id', async () => {
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

  test.skipIf(!isRoot)('a replaced file keeps its owner', async () => {
    const { storage, root } = await disks.open({ files: { '/a': 'a' } });
    fs.chownSync(join(root, 'a'), 12_345, 23_456);
    await storage.write(path('/a'), bytesOf('x'), { mode: 'replace' });
    expect(fs.statSync(join(root, 'a'))).toMatchObject({ uid: 12_345, gid: 23_456 });
    await storage.close();
  });

  test.skipIf(isRoot)('an entry that the operating system protects is forbidden', async () => {
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
