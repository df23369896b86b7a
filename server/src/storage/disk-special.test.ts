import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf, entriesOf, namesIn, path, refused, treeOf } from './storage-testing.ts';
import { temporaryDisks } from './temporary-disk.ts';

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
