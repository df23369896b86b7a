import { compareNames } from '@filestead/contract/paths/natural-order';
import { IdList } from './id-list.ts';
import type { EntryColumns } from './entry-columns.ts';

export interface Merged {
  readonly list: IdList;
  readonly removed: readonly number[];
  readonly hasChanged: boolean;
}

/**
 * Updates one section of a listing: entries that still exist keep their id, and with it selection and focus. `old`
 * and `newIds` are in name order; `isKept` accepts entries that are kept although the server does not list them.
 */
export function mergeSection(
  columns: EntryColumns,
  old: IdList,
  reloaded: EntryColumns,
  newIds: IdList,
  isKept: (id: number) => boolean,
): Merged {
  const list = new IdList();
  const removed: number[] = [];
  let hasChanged = false;
  let i = 0;
  let j = 0;
  while (i < old.length || j < newIds.length) {
    const id = old.at(i);
    const row = newIds.at(j);
    const order =
      i === old.length ? 1 : j === newIds.length ? -1 : compareQuickly(columns.name(id), reloaded.name(row));
    if (order === 0) {
      if (columns.copyFrom(reloaded, row, id)) hasChanged = true;
      list.push(id);
      i++;
      j++;
    } else if (order < 0) {
      if (isKept(id)) list.push(id);
      else removed.push(id);
      i++;
    } else {
      const added = columns.add({
        name: reloaded.name(row),
        isFolder: reloaded.isFolder(row),
        isSymlink: reloaded.isSymlink(row),
        type: reloaded.type(row),
        size: reloaded.sizes[row] ?? 0,
        modifiedMs: reloaded.modifiedMs[row] ?? 0,
      });
      list.push(added);
      hasChanged = true;
      j++;
    }
  }
  return { list, removed, hasChanged: hasChanged || removed.length > 0 };
}

/** Nearly all names of a reload are equal, and a comparison for equality is much faster. */
function compareQuickly(a: string, b: string): number {
  return a === b ? 0 : compareNames(a, b);
}

/**
 * Returns the index at which `name` belongs in `list`, which is in name order: the first whose name does not precede
 * it.
 */
export function insertionIndex(columns: EntryColumns, list: IdList, name: string): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareNames(columns.name(list.at(middle)), name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
