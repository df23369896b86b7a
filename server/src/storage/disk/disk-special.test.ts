import { execFileSync } from 'node:child_process';
import net from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf, entriesOf, namesIn, once, path, refused, treeOf } from '../testing/storage-testing.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
const isRoot = process.getuid?.() === 0;

describe('special files (SL-19)', () => {
  test('are listed, but never opened or copied, and never block', { timeout: 10_000 }, async () => {
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
      const entryPath = path(`/d/${name}`);
      expect(await storage.stat(entryPath)).toMatchObject({ kind: 'special' });
      await expect(storage.openFile(entryPath)).rejects.toEqual(refused('special_file'));
      await expect(storage.write(entryPath, bytesOf('x'), { mode: 'either' })).rejects.toEqual(
        refused('special_file'),
      );
      await expect(storage.copy(entryPath, path('/copy'), once)).rejects.toEqual(refused('special_file'));
    }
    await storage.copy(path('/d'), path('/copy'), once);
    expect(await treeOf(storage, '/copy')).toEqual({ '/copy/a.txt': 'a' });
    await storage.move(path('/d/pipe'), path('/pipe'), once);
    await storage.remove(path('/d'));
    expect(await namesIn(storage, '/')).toEqual(['copy', 'pipe']);
    server.close();
    await storage.close();
  });
});
