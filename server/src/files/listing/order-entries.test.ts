import type { Sorting } from '@filestead/contract/users';
import { array, assert, asyncProperty, boolean, integer } from 'fast-check';
import { expect, test } from 'vitest';
import type { EntryBatch } from '../../storage/storage.ts';
import { orderEntries, sortByKey } from './order-entries.ts';

/** Entries by name rank: two folders, then four files. */
const entries: EntryBatch = {
  first: 0,
  count: 6,
  sizes: Float64Array.from([4096, 512, 5, 900, 5, 0]),
  modifiedMs: Float64Array.from([40, 10, 30, 20, 50, 30]),
  modes: new Uint32Array(6),
  kinds: Uint8Array.from([1, 1, 0, 0, 0, 0]),
  links: new Uint8Array(6),
};

const names = ['archive', 'photos', 'a.txt', 'b.jpg', 'c.pdf', 'd.txt'];

test.each<[Sorting, number[]]>([
  [{ by: 'name', asc: false }, [0, 1, 2, 3, 4, 5]],
  [{ by: 'name', asc: true }, [1, 0, 5, 4, 3, 2]],
  [{ by: 'kind', asc: false }, [0, 1, 2, 5, 3, 4]],
  [{ by: 'kind', asc: true }, [4, 3, 2, 5, 0, 1]],
  [{ by: 'size', asc: false }, [3, 2, 4, 5, 0, 1]],
  [{ by: 'size', asc: true }, [1, 0, 5, 2, 4, 3]],
  [{ by: 'modified', asc: false }, [4, 0, 2, 5, 3, 1]],
  [{ by: 'modified', asc: true }, [1, 3, 2, 5, 0, 4]],
])('orders entries by %j', async (sorting, order) => {
  expect([...(await orderEntries(entries, names, 2, sorting))]).toEqual(order);
});

test('sorting by key gives the same order as the stable Array.sort', async () => {
  await assert(
    asyncProperty(array(integer({ min: 0, max: 9 })), boolean(), async (keys, isDescending) => {
      const positions = Uint32Array.from(keys, (_, index) => index);
      const sign = isDescending ? -1 : 1;
      const expected = [...positions].sort((a, b) => sign * ((keys[a] ?? 0) - (keys[b] ?? 0)));
      expect([...(await sortByKey(positions, Float64Array.from(keys), isDescending))]).toEqual(expected);
    }),
  );
});
