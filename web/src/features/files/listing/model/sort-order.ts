import type { Sorting } from '@filestead/contract/users';
import { isAscending, listingColumns, type SortFields } from '@filestead/contract/values/listing-columns';

/** The input of a sort: ids in name order, folders and files apart, and the fields of each entry. */
export interface SortSource {
  readonly folders: Uint32Array;
  readonly files: Uint32Array;
  /** Larger than any id. */
  readonly capacity: number;
  readonly sortFields: (id: number) => SortFields;
  /** Whether folders are sorted by their sizes among themselves, instead of by name. */
  readonly hasFolderSizes: boolean;
}

/**
 * Returns the ids in the order to show: folders first, ties always in ascending name order. Folders that count as
 * smaller than any file stay in name order unless their sizes are known.
 */
export function sortOrder(
  { folders, files, capacity, sortFields, hasFolderSizes }: SortSource,
  sorting: Sorting,
): Uint32Array {
  const { sortNumber, folders: placement } = listingColumns[sorting.by];
  const isDescending = !isAscending(sorting);
  const order = new Uint32Array(folders.length + files.length);
  const folderPart = order.subarray(0, folders.length);
  const filePart = order.subarray(folders.length);
  folderPart.set(folders);
  filePart.set(files);
  if (sortNumber === null) {
    if (isDescending) {
      folderPart.reverse();
      filePart.reverse();
    }
    return order;
  }
  const numbers = new Float64Array(capacity);
  for (const id of order) numbers[id] = sortNumber(sortFields(id));
  if (placement === 'mixed' || hasFolderSizes) sortByNumber(folders, numbers, isDescending, folderPart);
  sortByNumber(files, numbers, isDescending, filePart);
  return order;
}

/** The low bits of a 64-bit word contain the position in name order, the others the number. */
const positionBits = 20;
const maxPositions = 2 ** positionBits;
const lowNumbers = 2 ** (32 - positionBits);
/** 2^44: bytes of 17 TB, milliseconds until the year 2527. */
const numberLimit = lowNumbers * 2 ** 32;
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Sorts `ids` by their numbers into `target`; equal numbers keep their order. */
function sortByNumber(
  ids: Uint32Array,
  numbers: Float64Array,
  isDescending: boolean,
  target: Uint32Array,
): void {
  if (!canPack(ids, numbers)) {
    sortByComparing(ids, numbers, isDescending, target);
    return;
  }
  // Packs number and position into one word that is sorted natively: three times as fast as comparing (14 ms instead
  // of 44 for 100,000).
  const words = new BigUint64Array(ids.length);
  const halves = new Uint32Array(words.buffer);
  for (let position = 0; position < ids.length; position++) {
    const integer = Math.floor(numbers[ids[position] ?? 0] ?? 0);
    const key = isDescending ? numberLimit - 1 - integer : integer;
    const high = Math.floor(key / lowNumbers);
    halves[2 * position] = (key - high * lowNumbers) * maxPositions + position;
    halves[2 * position + 1] = high;
  }
  words.sort();
  for (let index = 0; index < ids.length; index++) {
    target[index] = ids[(halves[2 * index] ?? 0) & (maxPositions - 1)] ?? 0;
  }
}

function canPack(ids: Uint32Array, numbers: Float64Array): boolean {
  if (!isLittleEndian || ids.length > maxPositions) return false;
  for (const id of ids) {
    const number = numbers[id] ?? 0;
    if (!(number >= 0 && number < numberLimit)) return false;
  }
  return true;
}

function sortByComparing(
  ids: Uint32Array,
  numbers: Float64Array,
  isDescending: boolean,
  target: Uint32Array,
): void {
  const sign = isDescending ? -1 : 1;
  const number = (position: number): number => numbers[ids[position] ?? 0] ?? 0;
  const sorted = Uint32Array.from(ids, (_, position) => position).sort(
    (a, b) => sign * (number(a) - number(b)) || a - b,
  );
  for (let index = 0; index < sorted.length; index++) target[index] = ids[sorted[index] ?? 0] ?? 0;
}
