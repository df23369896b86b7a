import { naturalOrder } from '@filestead/contract/paths/natural-order';
import { nameOf } from '@filestead/contract/paths/virtual-path';
import type { Sorting } from '@filestead/contract/users';
import { isAscending } from '@filestead/contract/values/listing-columns';
import type { ScatteredEntry } from '../scattered/list-entries.ts';

/** The numbers by which entries of several folders are sorted; NaN where one is unknown. */
export interface SortNumbers {
  readonly size: (entry: ScatteredEntry) => number;
  readonly modified: (entry: ScatteredEntry) => number;
}

/**
 * Returns entries of several folders sorted by name, size or date: folders among the files, entries without a number last, and those
 * with the same number in the order of their names.
 */
export function sortMarked(
  entries: readonly ScatteredEntry[],
  sorting: Sorting,
  numbers: SortNumbers,
): readonly ScatteredEntry[] {
  const order = naturalOrder(entries.map(({ path }) => nameOf(path)));
  const named = Array.from(order, (index) => entries[index]).filter((entry) => entry !== undefined);
  const sign = isAscending(sorting) ? 1 : -1;
  if (sorting.by !== 'size' && sorting.by !== 'modified') return sign === 1 ? named : named.toReversed();
  const numberOf = numbers[sorting.by];
  return named
    .map((entry) => ({ entry, number: numberOf(entry) }))
    .toSorted((a, b) => {
      const hasNone = Number(Number.isNaN(a.number)) - Number(Number.isNaN(b.number));
      return hasNone || (Number.isNaN(a.number) ? 0 : sign * (a.number - b.number));
    })
    .map(({ entry }) => entry);
}
