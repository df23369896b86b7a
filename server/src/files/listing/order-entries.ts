import type { Sorting } from '@filestead/contract/users';
import { isAscending, listingColumns, type SortFields } from '@filestead/contract/values/listing-columns';
import type { EntryBatch, FolderListing } from '../../storage/storage.ts';
import { yieldToEventLoop } from '../../scheduling/event-loop.ts';
import { listedType } from './entry-text.ts';

/** Comparisons between two yields to the event loop; about 2 ms. */
const comparisonsPerTurn = 50_000;

/**
 * Sorts positions by their keys without blocking the event loop. It is a stable merge sort, so equal keys keep the order of
 * `positions`.
 */
export async function sortByKey(
  positions: Uint32Array<ArrayBuffer>,
  keys: Float64Array,
  isDescending: boolean,
): Promise<Uint32Array<ArrayBuffer>> {
  let from = positions.slice();
  let to = new Uint32Array(from.length);
  let comparisons = 0;
  for (let width = 1; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      mergeRuns(from, to, start, middle, end, keys, isDescending);
      comparisons += end - start;
      if (comparisons > comparisonsPerTurn) {
        comparisons = 0;
        await yieldToEventLoop();
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges the sorted runs `start..middle` and `middle..end` of `from` into `to`. */
function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  end: number,
  keys: Float64Array,
  isDescending: boolean,
): void {
  let left = start;
  let right = middle;
  for (let target = start; target < end; target++) {
    const a = from[left] ?? 0;
    const b = from[right] ?? 0;
    const keyA = keys[a] ?? 0;
    const keyB = keys[b] ?? 0;
    const takesRight = left >= middle || (right < end && (isDescending ? keyB > keyA : keyB < keyA));
    to[target] = takesRight ? b : a;
    if (takesRight) right += 1;
    else left += 1;
  }
}

/** Collects the metadata of all entries of a listing in one batch. */
export async function collectEntries(listing: FolderListing): Promise<EntryBatch> {
  const count = listing.names.length;
  const all = {
    first: 0,
    count,
    sizes: new Float64Array(count),
    modifiedMs: new Float64Array(count),
    modes: new Uint32Array(count),
    kinds: new Uint8Array(count),
    links: new Uint8Array(count),
  };
  for await (const batch of listing.batches()) {
    const size = batch.count;
    all.sizes.set(batch.sizes.subarray(0, size), batch.first);
    all.modifiedMs.set(batch.modifiedMs.subarray(0, size), batch.first);
    all.modes.set(batch.modes.subarray(0, size), batch.first);
    all.kinds.set(batch.kinds.subarray(0, size), batch.first);
    all.links.set(batch.links.subarray(0, size), batch.first);
  }
  return all;
}

const positionsFrom = (first: number, end: number): Uint32Array<ArrayBuffer> =>
  Uint32Array.from({ length: end - first }, (_, index) => first + index);

function concatenate(first: Uint32Array, second: Uint32Array): Uint32Array {
  const both = new Uint32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The fields of the entry at a position, of which a sort number needs one. */
class FieldsAt implements SortFields {
  readonly #entries: EntryBatch;
  readonly #names: readonly string[];
  position = 0;

  constructor(entries: EntryBatch, names: readonly string[]) {
    this.#entries = entries;
    this.#names = names;
  }

  get size(): number {
    return this.#entries.sizes[this.position] ?? 0;
  }

  get modifiedMs(): number {
    return this.#entries.modifiedMs[this.position] ?? 0;
  }

  get type(): SortFields['type'] {
    return listedType(this.#entries, this.position, this.#names[this.position] ?? '');
  }
}

/** Returns the sort number of each entry by position, and yields to other requests in between. */
async function sortNumbers(
  entries: EntryBatch,
  names: readonly string[],
  sortNumber: (entry: SortFields) => number,
): Promise<Float64Array> {
  const numbers = new Float64Array(entries.count);
  const fields = new FieldsAt(entries, names);
  for (let position = 0; position < entries.count; position++) {
    fields.position = position;
    numbers[position] = sortNumber(fields);
    if (position % comparisonsPerTurn === comparisonsPerTurn - 1) await yieldToEventLoop();
  }
  return numbers;
}

/**
 * Returns the positions of a folder's entries in the order of a user's saved sorting, as `listingColumns` defines it (the
 * table of docs/reference/filebrowser-api.md §1.5). Ties are in the order of `names`.
 */
export async function orderEntries(
  entries: EntryBatch,
  names: readonly string[],
  folderCount: number,
  sorting: Sorting,
): Promise<Uint32Array> {
  const { sortNumber, folders: placement } = listingColumns[sorting.by];
  const folders = positionsFrom(0, folderCount);
  const files = positionsFrom(folderCount, entries.count);
  const isDescending = !isAscending(sorting);
  if (sortNumber === null) {
    return isDescending ? concatenate(folders.reverse(), files.reverse()) : concatenate(folders, files);
  }
  const numbers = await sortNumbers(entries, names, sortNumber);
  if (placement === 'mixed') return sortByKey(positionsFrom(0, entries.count), numbers, isDescending);
  const sortedFolders = await sortByKey(folders, numbers, isDescending);
  const sortedFiles = await sortByKey(files, numbers, isDescending);
  return placement === 'smaller' && isDescending
    ? concatenate(sortedFiles, sortedFolders)
    : concatenate(sortedFolders, sortedFiles);
}
