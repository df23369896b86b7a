import { BoundedHeap } from './query/bounded-heap.ts';
import type { MapEntry, MapSize } from './catalogue-protocol.ts';
import type { Columns } from './columns/columns.ts';
import { linkKind } from './columns/entry-kinds.ts';
import type { EntryVisibility } from './entry-visibility.ts';

/** Options of {@link fillMap}. */
export interface FillMap {
  readonly top: number;
  /** The number of levels below the top. */
  readonly depth: number;
  /** The maximum number of entries of the whole map. */
  readonly limit: number;
  readonly isLate: () => boolean;
}

/** The entries of a map, each folder before the entries in it. */
export interface FilledMap {
  readonly self: MapEntry;
  readonly rows: readonly MapEntry[];
}

interface Sized {
  readonly entry: number;
  readonly size: MapSize;
}

/** The maximum number of entries of one folder. */
const maxInner = 100;

/**
 * Returns the entries that use the space of a folder: of each folder the largest ones, and the sum of the others. The largest
 * folders are opened first. Returns null when counting the entries that the user may list takes too long.
 */
export function fillMap(
  columns: Columns,
  visibility: EntryVisibility,
  { top, depth, limit, isLate }: FillMap,
): FilledMap | null {
  const total = visibility.totals(top, isLate);
  if (total === null) return null;
  const self = mapEntry('', true, total);
  const opened = new Map<MapEntry, MapEntry[]>();
  const pending = [{ entry: top, level: 0, map: self }];
  let room = limit;
  while (pending.length > 0 && room > 0) {
    pending.sort((a, b) => b.map.bytes - a.map.bytes);
    const next = pending.shift();
    if (next === undefined || next.level >= depth) continue;
    const children = childrenOf(columns, visibility, next.entry, isLate);
    if (children === null) return null;
    const kept = children.largest.slice(0, room);
    room -= kept.length;
    const inner: MapEntry[] = [];
    for (const { entry, size } of kept) {
      const name = columns.nameOf(entry);
      const path = next.map.path === '' ? name : `${next.map.path}/${name}`;
      const map = mapEntry(path, columns.isFolder(entry), size);
      inner.push(map);
      if (map.isFolder) pending.push({ entry, level: next.level + 1, map });
    }
    opened.set(next.map, inner);
    if (children.count > kept.length) next.map.rest = restOf(next.map, inner);
  }
  return { self, rows: inOrder(self, opened) };
}

const mapEntry = (path: string, isFolder: boolean, { bytes, blocks, files }: MapSize): MapEntry => ({
  path,
  isFolder,
  bytes,
  blocks,
  files,
  rest: null,
});

/** The size of a folder without some of its entries. */
function restOf(folder: MapSize, inner: readonly MapSize[]): MapSize {
  const rest = { bytes: folder.bytes, blocks: folder.blocks, files: folder.files };
  for (const { bytes, blocks, files } of inner) {
    rest.bytes -= bytes;
    rest.blocks -= blocks;
    rest.files -= files;
  }
  return rest;
}

/** All entries below `top`, each folder before the entries in it. */
function inOrder(top: MapEntry, opened: ReadonlyMap<MapEntry, readonly MapEntry[]>): MapEntry[] {
  const rows: MapEntry[] = [];
  const visit = (folder: MapEntry): void => {
    for (const map of opened.get(folder) ?? []) {
      rows.push(map);
      visit(map);
    }
  };
  visit(top);
  return rows;
}

/** The largest shown entries of a folder, and the number of all shown ones. */
function childrenOf(
  columns: Columns,
  visibility: EntryVisibility,
  folder: number,
  isLate: () => boolean,
): { largest: Sized[]; count: number } | null {
  const heap = new BoundedHeap<Sized>(maxInner, (a, b) => a.size.bytes < b.size.bytes);
  let count = 0;
  for (const entry of columns.children(folder)) {
    // A link uses no space, and may lead to a place that is denied to the user.
    if (columns.kindOf(entry) === linkKind || !visibility.shows(entry)) continue;
    const size: MapSize | null = columns.isFolder(entry)
      ? visibility.totals(entry, isLate)
      : { bytes: columns.sizeOf(entry), blocks: columns.blocksOf(entry), files: 1 };
    if (size === null) return null;
    count += 1;
    heap.push({ entry, size });
  }
  return { largest: heap.items().toSorted((a, b) => b.size.bytes - a.size.bytes), count };
}
