import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf, entriesOf, namesIn, once, path, refused, treeOf } from '../testing/storage-testing.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

describe('an excluded entry', () => {
  test('is treated as missing under every name', async () => {
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
    for (const name of [
      '/.filestead',
      '/.filestead/db',
      '/link/db',
      '/sub/moved',
      '/sub/moved/db',
      '/sub/data/db',
      '/hard',
      '/sub/later.db',
    ]) {
      expect(await storage.stat(path(name))).toBeNull();
      await expect(storage.openFile(path(name))).rejects.toEqual(refused('not_found'));
      await expect(storage.remove(path(name))).rejects.toEqual(refused('not_found'));
      await expect(storage.move(path(name), path('/x'), once)).rejects.toEqual(refused('not_found'));
      await expect(storage.copy(path(name), path('/x'), once)).rejects.toEqual(refused('not_found'));
    }
    for (const name of [
      '/.filestead',
      '/.filestead/new',
      '/.FileStead/new',
      '/hard',
      '/sub/later.db',
      '/sub/moved',
    ]) {
      await expect(
        storage.write(path(name), bytesOf('x'), { mode: 'either', createParents: true }),
      ).rejects.toEqual(refused('forbidden'));
      await expect(storage.copy(path('/a.txt'), path(name), { overwrite: true })).rejects.toEqual(
        refused('forbidden'),
      );
    }
    await expect(storage.createFolder(path('/.filestead/x'))).rejects.toEqual(refused('forbidden'));
    await expect(storage.createFolder(path('/.filestead'))).rejects.toEqual(refused('forbidden'));
    await expect(storage.within(path('/.filestead'))).rejects.toEqual(refused('not_found'));
    expect(fs.readFileSync(join(root, '.filestead/db'), 'utf8')).toBe('secret');
    await storage.close();
  });

  test('is neither moved nor removed with its folder, and skipped in copies', async () => {
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
