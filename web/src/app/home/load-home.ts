import {
  type FindRow,
  findFiles,
  type FindResult,
  type FolderTotal,
  getTotals,
} from '@filestead/contract/endpoints/find';
import { listRecents, type RecentRow } from '@filestead/contract/endpoints/marks';
import { getStorage } from '@filestead/contract/endpoints/storage';
import { isAtOrBelow, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { listMedia } from '@filestead/contract/previews';
import { listShares, type Share } from '@filestead/contract/shares';
import { listFolderUploads } from '@filestead/contract/endpoints/folder-uploads';
import { listUploads } from '@filestead/contract/uploads';
import { call } from '../../api/call.ts';
import { isCatalogueOn } from '../../api/catalogue.ts';
import type { FilesChange } from '../../features/files/entries/changes.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import type { MapNode } from '../../features/space/map-tree.ts';

/** The number of entries that each part shows. */
const shown = { folders: 8, photos: 16, recent: 8, largest: 6, mapped: 40, shares: 3 } as const;

/** A picture, and its proportions, width to height. */
export interface HomePhoto extends FindRow {
  readonly ratio: number;
}
/** The proportions that are assumed for a picture whose size is unknown. */
const assumedRatio = 1.5;

/** The parts of the home page. A part that cannot be loaded, or is empty, is left out. */
export interface Home {
  /** The number of uploads and folder uploads that are not finished. */
  readonly unfinished: number;
  readonly recent: readonly RecentRow[];
  readonly photos: readonly HomePhoto[];
  /** The largest folders in the root. */
  readonly largest: readonly FolderTotal[];
  /** The root as a map of its folders; null unless at least two of them have a size. */
  readonly map: MapNode | null;
  /** Whether the sizes are not known yet, because the catalogue is being built. */
  readonly isBuilding: boolean;
  /** The bytes of deleted entries and of versions on all disks, for administrators. */
  readonly kept: { readonly deleted: number; readonly versions: number };
  readonly shares: readonly Share[];
  readonly shareCount: number;
}

async function loadUnfinished(signal: AbortSignal): Promise<Pick<Home, 'unfinished'>> {
  const [files, folders] = await Promise.all([
    call(listUploads, { signal }),
    call(listFolderUploads, { signal }),
  ]);
  return { unfinished: files.length + folders.length };
}

export async function loadRecent(signal: AbortSignal): Promise<Pick<Home, 'recent'>> {
  const { rows } = await call(listRecents, { signal });
  return { recent: rows.filter(({ gone }) => gone !== true) };
}

async function loadPhotos(signal: AbortSignal): Promise<Pick<Home, 'photos'>> {
  if (!isCatalogueOn()) return { photos: [] };
  const query = { query: 'type:image', sort: 'modified', limit: String(shown.photos) } as const;
  const { rows }: FindResult = await call(findFiles, { path: rootPath, query, signal });
  const sizes = rows.length === 0 ? [] : await loadSizes(rows, signal);
  const photos: HomePhoto[] = [];
  for (const [index, row] of rows.entries()) {
    const { width, height } = sizes[index] ?? { width: 0, height: 0 };
    photos.push({ ...row, ratio: width > 0 && height > 0 ? width / height : assumedRatio });
  }
  return { photos };
}

/** Loads the sizes of pictures; none if they cannot be read. */
async function loadSizes(rows: readonly FindRow[], signal: AbortSignal) {
  const body = { names: rows.map(({ path }) => path) };
  return call(listMedia, { path: rootPath, body, signal }).then(
    (response) => response.rows,
    () => [],
  );
}

/** The number of entries in a folder and its size; null where they are unknown. */
export async function loadFolderSummary(
  path: VirtualPath,
  signal: AbortSignal,
): Promise<{ readonly entries: number; readonly bytes: number } | null> {
  if (!isCatalogueOn()) return null;
  const { self } = await call(getTotals, { path, signal });
  if (self === null || self.bytes === null) return null;
  return { entries: (self.files ?? 0) + (self.folders ?? 0), bytes: self.bytes };
}

/** Loads the sizes of the folders in the root. */
export async function loadLargest(
  signal: AbortSignal,
): Promise<Pick<Home, 'largest' | 'map' | 'isBuilding'>> {
  if (!isCatalogueOn()) return { largest: [], map: null, isBuilding: false };
  const { self, rows, coverage } = await call(getTotals, { path: rootPath, signal });
  const known = rows.filter(({ bytes }) => bytes !== null && bytes > 0);
  const sorted = known.toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0));
  return {
    largest: sorted.slice(0, shown.largest),
    map: mapOf(self, sorted),
    isBuilding: coverage === 'building',
  };
}

/** Returns the map of the root from the sizes of its folders, the largest first; files and small folders are one rest. */
export function mapOf(self: FolderTotal | null, folders: readonly FolderTotal[]): MapNode | null {
  if (folders.length < 2) return null;
  const children = folders.slice(0, shown.mapped).map(({ name, bytes, files }): MapNode => ({
    path: name,
    name,
    kind: 'folder',
    bytes: bytes ?? 0,
    files: files ?? 0,
    children: [],
  }));
  const mapped = children.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = Math.max(mapped, self?.bytes ?? 0);
  const root = { path: '', name: '', kind: 'folder', bytes, files: self?.files ?? 0 } as const;
  if (bytes === mapped) return { ...root, children };
  const rest: MapNode = { path: '/', name: '', kind: 'rest', bytes: bytes - mapped, files: 0, children: [] };
  return { ...root, children: [...children, rest] };
}

async function loadKept(signal: AbortSignal): Promise<Pick<Home, 'kept'>> {
  const [{ volumes }] = await Promise.all([call(getStorage, { signal }), loadTexts('versions')]);
  const sum = (part: 'deleted' | 'versions') =>
    volumes.reduce((bytes, volume) => bytes + volume[part].bytes, 0);
  return { kept: { deleted: sum('deleted'), versions: sum('versions') } };
}

async function loadShares(signal: AbortSignal): Promise<Pick<Home, 'shares' | 'shareCount'>> {
  const shares = await call(listShares, { query: { own: 'true' }, signal });
  return { shares: shares.slice(0, shown.shares), shareCount: shares.length };
}

/** Loads all parts at once, and passes on each as it arrives. Parts that fail are left out: each has a page that reports it. */
export function loadHome(
  { canShare, isAdmin, signal }: { canShare: boolean; isAdmin: boolean; signal: AbortSignal },
  onPart: (part: Partial<Home>) => void,
): Promise<unknown> {
  const parts = [
    loadRecent,
    loadUnfinished,
    loadPhotos,
    loadLargest,
    ...(canShare ? [loadShares] : []),
    ...(isAdmin ? [loadKept] : []),
  ];
  return Promise.allSettled(
    parts.map(async (load) => {
      const part = await load(signal);
      if (!signal.aborted) onPart(part);
    }),
  );
}

/** Returns the folders that a user works in: favorite ones first, then those of the recent entries, the most frequent first. */
export function usedFolders(
  favorites: readonly VirtualPath[],
  recent: readonly { readonly path: string }[],
): VirtualPath[] {
  const counts = new Map<VirtualPath, number>();
  for (const { path } of recent) {
    const folder = parentOf(path as VirtualPath);
    if (folder !== rootPath) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted((a, b) => b[1] - a[1]).map(([folder]) => folder);
  return [...new Set([...favorites, ...frequent])].slice(0, shown.folders);
}

/** Returns the first recent entries. */
export const firstRecent = (recent: readonly RecentRow[]): readonly RecentRow[] =>
  recent.slice(0, shown.recent);

/** Returns the recent entries after a change by an action, before they are loaded again: without the deleted ones, and renamed. */
export function recentAfter(recent: readonly RecentRow[], change: FilesChange): readonly RecentRow[] {
  const { removed = [], moved = [] } = change;
  if (removed.length + moved.length === 0) return recent;
  return recent
    .filter(({ path }) => !removed.some((gone) => isAtOrBelow(path as VirtualPath, gone)))
    .map((row) => {
      const move = moved.find(({ entry }) => isAtOrBelow(row.path as VirtualPath, entry.path));
      return move ? withPath(row, move.to + row.path.slice(move.entry.path.length)) : row;
    });
}

const withPath = (row: RecentRow, path: string): RecentRow => ({ ...row, path });
