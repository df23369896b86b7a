import type { Sorting } from '@filestead/contract/users';

/** What a sort reads: ids in name order, folders and files apart, and the numbers by id. */
export interface SortSource {
  readonly folders: Uint32Array;
  readonly files: Uint32Array;
  readonly sizes: Float64Array;
  readonly modifiedMs: Float64Array;
}

/**
 * The ids in the order to show: folders first, ties always in ascending name order. Folders have no size of their own
 * and stay in name order when sizes are sorted. `asc` means what it means on the wire: names start at Z, sizes with the
 * smallest, dates with the oldest.
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

/** Of a 64-bit word the low bits hold the place in name order, the others the number. */
const placeBits = 20;
const places = 2 ** placeBits;
const lowNumbers = 2 ** (32 - placeBits);
/** 2^44: bytes of 17 TB, milliseconds until the year 2527. */
const numberLimit = lowNumbers * 2 ** 32;
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Sorts `ids` by their numbers into `out`; equal numbers stay as they are in `ids`. */
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
  // Number and place in one word, sorted natively: three times as fast as comparing (44 ms against 14 for 100,000).
  const words = new BigUint64Array(ids.length);
  const halves = new Uint32Array(words.buffer);
  for (let place = 0; place < ids.length; place++) {
    const whole = Math.floor(numbers[ids[place] ?? 0] ?? 0);
    const key = isDescending ? numberLimit - 1 - whole : whole;
    const high = Math.floor(key / lowNumbers);
    halves[2 * place] = (key - high * lowNumbers) * places + place;
    halves[2 * place + 1] = high;
  }
  words.sort();
  for (let index = 0; index < ids.length; index++) {
    out[index] = ids[(halves[2 * index] ?? 0) & (places - 1)] ?? 0;
  }
}

function canPack(ids: Uint32Array, numbers: Float64Array): boolean {
  if (!isLittleEndian || ids.length > places) return false;
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
  const number = (place: number): number => numbers[ids[place] ?? 0] ?? 0;
  const sorted = Uint32Array.from(ids, (_, place) => place).sort(
    (a, b) => sign * (number(a) - number(b)) || a - b,
  );
  for (let index = 0; index < sorted.length; index++) out[index] = ids[sorted[index] ?? 0] ?? 0;
}
