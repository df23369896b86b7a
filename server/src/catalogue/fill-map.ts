import { BoundedHeap } from './bounded-heap.ts';
import type { MapEntry } from './catalogue-protocol.ts';
import type { Columns, Totals } from './columns.ts';
import type { EntrySight } from './entry-sight.ts';

/** Options of {@link fillMap}. */
export interface FillMap {
  readonly top: number;
  /** The number of levels below the top. */
  readonly depth: number;
  /** The number of entries of the whole map. */
  readonly limit: number;
  readonly isLate: () => boolean;
}

interface Sized {
  readonly entry: number;
  readonly totals: Totals;
}

/** The most entries of one folder. */
const maxInner = 100;

/**
 * Returns what fills a folder as a tree, the largest entries of each folder first and the rest of them as a sum. The largest
 * folders are opened first. Null when it takes too long to count what the user may see.
 */
export function fillMap(
  columns: Columns,
  sight: EntrySight,
  { top, depth, limit, isLate }: FillMap,
): MapEntry | null {
  const total = sight.totals(top, isLate);
  if (total === null) return null;
  const root = mapEntry('', true, total);
  const pending = [{ entry: top, level: 0, map: root }];
  let room = limit;
  while (pending.length > 0 && room > 0) {
    pending.sort((a, b) => b.map.bytes - a.map.bytes);
    const next = pending.shift();
    if (next === undefined || next.level >= depth) continue;
    const children = childrenOf(columns, sight, next.entry, isLate);
    if (children === null) return null;
    const kept = children.largest.slice(0, room);
    room -= kept.length;
    const sum = { bytes: 0, blocks: 0, files: 0 };
    for (const { entry, totals } of kept) {
      const map = mapEntry(columns.nameOf(entry), columns.isFolder(entry), totals);
      next.map.inner.push(map);
      sum.bytes += totals.bytes;
      sum.blocks += totals.blocks;
      sum.files += totals.files;
      if (columns.isFolder(entry)) pending.push({ entry, level: next.level + 1, map });
    }
    if (children.count > kept.length)
      next.map.rest = {
        bytes: next.map.bytes - sum.bytes,
        blocks: next.map.blocks - sum.blocks,
        files: next.map.files - sum.files,
      };
  }
  return root;
}

const mapEntry = (name: string, isFolder: boolean, { bytes, blocks, files }: Totals): MapEntry => ({
  name,
  isFolder,
  bytes,
  blocks,
  files,
  inner: [],
  rest: null,
});

/** The largest shown entries of a folder, and the number of all shown ones. */
function childrenOf(
  columns: Columns,
  sight: EntrySight,
  folder: number,
  isLate: () => boolean,
): { largest: Sized[]; count: number } | null {
  const heap = new BoundedHeap<Sized>(maxInner, (a, b) => a.totals.bytes < b.totals.bytes);
  let count = 0;
  for (const entry of columns.children(folder)) {
    if (!sight.shows(entry)) continue;
    const totals: Totals | null = columns.isFolder(entry)
      ? sight.totals(entry, isLate)
      : { bytes: columns.sizeOf(entry), blocks: columns.blocksOf(entry), files: 1, folders: 0 };
    if (totals === null) return null;
    count += 1;
    heap.push({ entry, totals });
  }
  const largest = heap.items().toSorted((a, b) => b.totals.bytes - a.totals.bytes);
  return { largest, count };
}
