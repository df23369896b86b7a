import {
  type FindRow,
  findFiles,
  type FindResult,
  getMap,
  getTotals,
} from '@filestead/contract/endpoints/find';
import { listRecents, type RecentRow } from '@filestead/contract/endpoints/marks';
import { getStorage } from '@filestead/contract/endpoints/storage';
import { listTrash } from '@filestead/contract/endpoints/trash';
import { getUsage } from '@filestead/contract/files';
import { isAtOrBelow, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { listMedia } from '@filestead/contract/previews';
import { listShares, type Share } from '@filestead/contract/shares';
import { call } from '../../api/call.ts';
import { isCatalogueOn } from '../../api/catalogue.ts';
import { pageConfig } from '../../api/page-config.ts';
import type { FilesChange } from '../../features/files/entries/changes.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { mapTree, type MapNode } from '../../features/space/map-tree.ts';
import { fileKind } from '../../ui/names/file-kind.ts';
import type { FileIconKind } from '../../ui/names/file-icon.tsx';

/** The number of entries that each part shows. */
const shown = { folders: 8, photos: 16, recent: 8, shares: 3 } as const;
/** The levels of folders, and the entries, from which the kind of a folder's files is determined. */
const mapQuery = { depth: '3', limit: '150' } as const;
/** Folders below this fraction of the whole are not shown; the map leaves out others that are too small to press. */
const minFraction = 0.01;

/** A picture, and its proportions, width to height. */
export interface HomePhoto extends FindRow {
  readonly ratio: number;
}
/** The proportions that are assumed for a picture whose size is unknown. */
const assumedRatio = 1.5;

/** A folder in the root. */
export interface LargeFolder {
  readonly name: string;
  readonly bytes: number;
  /** The kind of most of its bytes; `folder` if that is unknown. */
  readonly kind: FileIconKind;
}

/** The parts of the home page. A part that cannot be loaded, or is empty, is left out. */
export interface Home {
  readonly recent: readonly RecentRow[];
  readonly photos: readonly HomePhoto[];
  /** The folders in the root that fill the disk, the largest first. */
  readonly largest: readonly LargeFolder[];
  /** Whether the sizes are not known yet, because the catalogue is being built. */
  readonly isBuilding: boolean;
  /** The bytes of deleted entries and of versions on all disks, for administrators. */
  readonly kept: { readonly deleted: number; readonly versions: number };
  /** The number of deleted items that the user sees in the trash; absent where the server keeps none. */
  readonly trashCount: number;
  /** The free bytes of the disk; absent where it has no size. */
  readonly free: number;
  readonly shares: readonly Share[];
  readonly shareCount: number;
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
export async function loadLargest(signal: AbortSignal): Promise<Pick<Home, 'largest' | 'isBuilding'>> {
  if (!isCatalogueOn()) return { largest: [], isBuilding: false };
  const result = await call(getMap, { path: rootPath, isFolder: true, query: mapQuery, signal });
  return { largest: largestIn(mapTree(result)), isBuilding: result.coverage === 'building' };
}

/** Returns the folders of a map that are large enough to be shown, the largest first. */
export function largestIn(map: MapNode | null): LargeFolder[] {
  const folders = map?.children.filter(({ kind }) => kind === 'folder') ?? [];
  const whole = folders.reduce((sum, { bytes }) => sum + bytes, 0);
  return folders
    .filter(({ bytes }) => bytes >= whole * minFraction)
    .map((folder) => ({ name: folder.name, bytes: folder.bytes, kind: mainKind(folder) }));
}

/** Returns the kind of most bytes of the files in a folder, as far as the map contains them. */
function mainKind(folder: MapNode): FileIconKind {
  const bytesOf = new Map<FileIconKind, number>();
  const add = ({ children }: MapNode): void => {
    for (const node of children) {
      const { name, kind, bytes } = node;
      if (kind === 'folder') add(node);
      if (kind !== 'file') continue;
      const ofFile = fileKind({ name, type: 'blob', isFolder: false });
      bytesOf.set(ofFile, (bytesOf.get(ofFile) ?? 0) + bytes);
    }
  };
  add(folder);
  let main: FileIconKind = 'folder';
  let most = 0;
  for (const [kind, bytes] of bytesOf) {
    if (bytes <= most) continue;
    main = kind;
    most = bytes;
  }
  return main;
}

async function loadKept(signal: AbortSignal): Promise<Pick<Home, 'kept'>> {
  const [{ volumes }] = await Promise.all([call(getStorage, { signal }), loadTexts('versions')]);
  const sum = (part: 'deleted' | 'versions') =>
    volumes.reduce((bytes, volume) => bytes + volume[part].bytes, 0);
  return { kept: { deleted: sum('deleted'), versions: sum('versions') } };
}

async function loadTrashCount(signal: AbortSignal): Promise<Partial<Home>> {
  if (!pageConfig.EnableTrash) return {};
  const { total } = await call(listTrash, { query: { limit: '1' }, signal });
  return { trashCount: total };
}

async function loadFree(signal: AbortSignal): Promise<Partial<Home>> {
  const { total, used } = await call(getUsage, { path: rootPath, signal });
  return total > 0 ? { free: Math.max(0, total - used) } : {};
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
    loadPhotos,
    loadLargest,
    ...(canShare ? [loadShares] : []),
    ...(isAdmin ? [loadKept] : []),
    loadTrashCount,
    loadFree,
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
