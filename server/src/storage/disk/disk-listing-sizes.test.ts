import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

// Beyond 2,000 entries another worker lists the folder.
test.each([0, 1, 1_999, 2_000, 2_001, 2_500])(
  'a folder of %i entries is listed completely',
  async (count) => {
    const names = Array.from({ length: count }, (_, i) => `file ${i}`);
    const { storage } = await disks.open({
      files: Object.fromEntries(names.map((name) => [`in/${name}`, name])),
    });
    if (count === 0) await storage.createFolder(virtualPath('/in'));
    const listing = await storage.list(virtualPath('/in'));
    expect(listing.names).toEqual(names);
    const sizes: number[] = [];
    for await (const batch of listing.batches()) sizes.push(...batch.sizes);
    expect(sizes).toEqual(names.map(({ length }) => length));
    await storage.close();
  },
);
