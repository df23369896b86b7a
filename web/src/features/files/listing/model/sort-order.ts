import type { Sorting } from '@filestead/contract/users';

/** The input of a sort: ids in name order, folders and files apart, and the numbers by id. */
export interface SortSource {
  readonly folders: Uint32Array;
  readonly files: Uint32Array;
  readonly sizes: Float64Array;
  readonly modifiedMs: Float64Array;
}

/**
 * Returns the ids in the shown order: folders first, ties in ascending name order. Folders have no size and stay in
 * name order when sizes are sorted. `asc` has the meaning of the API: names start at Z, sizes with the smallest,
 * dates with the oldest.
 */
export function sortOrder(
  { folders, files, sizes, modifiedMs }: SortSource,
  { by, asc }: Sorting,
): Uint32Array {
  const order = new Uint32Array(folders.length + files.length);
  const folderPart = order.subarray(0, folders.length);
  const filePart = order.subarray(folders.length);
  if (by === 'modified') {
    sortByNumber(folders, modifiedMs, !asc, folderPart);
    sortByNumber(files, modifiedMs, !asc, filePart);
    return order;
  }
  folderPart.set(folders);
  if (by === 'size') {
    sortByNumber(files, sizes, !asc, filePart);
    return order;
  }
  filePart.set(files);
  if (asc) {
    folderPart.reverse();
    filePart.reverse();
  }
  return order;
}

/** The low bits of a 64-bit word contain the position in name order, the others the number. */
const positionBits = 20;
const maxPositions = 2 ** positionBits;
const lowNumbers = 2 ** (32 - positionBits);
/** 2^44: bytes of 17 TB, milliseconds until the year 2527. */
const numberLimit = lowNumbers * 2 ** 32;
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Sorts `ids` by their numbers into `out`; equal numbers keep their order. */
function sortByNumber(
  ids: Uint32Array,
  numbers: Float64Array,
  isDescending: boolean,
  out: Uint32Array,
): void {
  if (!canPack(ids, numbers)) {
    sortByComparing(ids, numbers, isDescending, out);
    return;
  }
  // Packs number and position into one word that is sorted natively: three times as fast as comparing (44 ms against
  // 14 for 100,000).
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
    out[index] = ids[(halves[2 * index] ?? 0) & (maxPositions - 1)] ?? 0;
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
  out: Uint32Array,
): void {
  const sign = isDescending ? -1 : 1;
  const number = (position: number): number => numbers[ids[position] ?? 0] ?? 0;
  const sorted = Uint32Array.from(ids, (_, position) => position).sort(
    (a, b) => sign * (number(a) - number(b)) || a - b,
  );
  for (let index = 0; index < sorted.length; index++) out[index] = ids[sorted[index] ?? 0] ?? 0;
}
