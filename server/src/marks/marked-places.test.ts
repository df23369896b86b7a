import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { Entry } from '../storage/storage.ts';
import { placesTo, readingOnce } from './marked-places.ts';

test('folders that paths have in common are read once', async () => {
  const read: string[] = [];
  const storage = readingOnce({
    stat: async (path) => {
      read.push(path);
      const entry: Entry = {
        name: path,
        kind: path.endsWith('.txt') ? 'file' : 'folder',
        size: 0,
        modifiedNs: 0n,
        mode: 0,
        isSymlink: false,
      };
      return entry;
    },
  });
  for (const path of ['/docs/year/a.txt', '/docs/year/b.txt'])
    expect(await placesTo(storage, virtualPath(path))).toMatchObject([
      { path: '/docs', isFolder: true },
      { path: '/docs/year', isFolder: true },
      { path, isFolder: false },
    ]);
  expect(read).toEqual(['/docs', '/docs/year', '/docs/year/a.txt', '/docs/year/b.txt']);
});
