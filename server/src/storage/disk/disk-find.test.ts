import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDiskStorage } from './open-disk-storage.ts';
import type { Storage } from '../storage.ts';
import { path } from '../testing/storage-testing.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
const anything = { terms: [], isCaseSensitive: false, media: [], extensions: [] };

async function found(storage: Storage, folder = '/'): Promise<string[]> {
  const paths: string[] = [];
  for await (const entries of storage.find(path(folder), { pattern: anything })) {
    for (const entry of entries) paths.push(entry.isFolder ? `${entry.path}/` : entry.path);
  }
  return paths;
}

const openDescriptors = (): number => fs.readdirSync('/proc/self/fd').length;

describe('find on a disk', () => {
  test('follows no link below the folder, and reports links to folders as files', async () => {
    const { storage, root, outside } = await disks.open({ files: { '/a/in.txt': '' } });
    fs.writeFileSync(join(outside, 'canary.txt'), '');
    fs.symlinkSync(outside, join(root, 'escape'));
    fs.symlinkSync('a', join(root, 'inside'));
    fs.symlinkSync('.', join(root, 'loop'));
    expect(await found(storage)).toEqual(['/a/', '/a/in.txt', '/escape', '/inside', '/loop']);
    expect(await found(storage, '/inside')).toEqual(['/inside/in.txt']);
    await expect(found(storage, '/escape')).rejects.toThrow('external_link');
  });

  test('finds neither excluded entries nor unfinished files', async () => {
    const { storage: first, root } = await disks.open({
      files: { '/.filestead/db': '', '/sub/data/db': '', '/sub/b': '' },
    });
    await first.close();
    fs.writeFileSync(join(root, `.filestead-${'0'.repeat(32)}.part`), '');
    const storage = await openDiskStorage({
      root,
      excluded: [join(root, '.filestead'), join(root, 'sub/data')],
    });
    fs.renameSync(join(root, 'sub/data'), join(root, 'sub/moved'));
    expect(await found(storage)).toEqual(['/sub/', '/sub/b']);
    await storage.close();
  });

  test.skipIf(process.getuid?.() === 0)('skips folders that cannot be read', async () => {
    const { storage, root } = await disks.open({ files: { '/closed/x': '', '/open/y': '' } });
    fs.chmodSync(join(root, 'closed'), 0);
    expect(await found(storage)).toEqual(['/closed/', '/open/', '/open/y']);
    fs.chmodSync(join(root, 'closed'), 0o755);
  });

  test.runIf(process.platform === 'linux')(
    'closes every descriptor, also when the loop is left early',
    async () => {
      const files: Record<string, string> = { [`${'/deep'.repeat(50)}/x`]: '' };
      // More than a search reads ahead, so that one that is left early has open folders.
      for (let i = 0; i < 10_000; i++) files[`/${i % 5}/${i}`] = '';
      const { storage } = await disks.open({ files });
      await found(storage);
      const before = openDescriptors();
      for (let round = 0; round < 5; round++) {
        for await (const entries of storage.find(path('/'), { pattern: anything })) {
          expect(entries.length).toBeGreaterThan(0);
          break;
        }
        await found(storage, '/deep');
      }
      await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
      await storage.close();
    },
  );
});
