import { compareNames } from '@filestead/contract/paths/natural-order';
import {
  childOf,
  isAtOrBelow,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import { ancestorsOf } from '../header/ancestors.ts';
import { onFilesChange, type FilesChange } from '../entries/changes.ts';
import { listFolders } from '../folder/list-folders.ts';

/** The maximum number of folders that are shown in one folder; the others are only in the listing. */
export const maxFoldersPerLevel = 200;

interface FolderTreeState {
  /** The names of the folders in each folder that has been read, in natural order. */
  readonly names: ReadonlyMap<VirtualPath, readonly string[]>;
  readonly expanded: ReadonlySet<VirtualPath>;
}

const initialState: FolderTreeState = { names: new Map(), expanded: new Set([rootPath]) };

/** The folders in the sidebar, as far as they have been read. */
export const useFolderTree = create<FolderTreeState>(() => initialState);

/** Forgets everything, when another user signs in. */
export const resetFolderTree = (): void => useFolderTree.setState(initialState);

const isSame = (a: readonly string[], b: readonly string[] | undefined): boolean =>
  b !== undefined && a.length === b.length && a.every((name, index) => name === b[index]);

/** Stores the names of the folders in `path`; at most {@link maxFoldersPerLevel}. */
export function publishFolders(path: VirtualPath, folders: readonly string[]): void {
  const { names } = useFolderTree.getState();
  const shown = folders.slice(0, maxFoldersPerLevel);
  if (!isSame(shown, names.get(path))) useFolderTree.setState({ names: new Map(names).set(path, shown) });
}

const loading = new Set<VirtualPath>();

/** Reads the folders in `path`. A failure is not reported: the listing of the folder reports it when it is opened. */
async function load(path: VirtualPath): Promise<void> {
  if (loading.has(path)) return;
  loading.add(path);
  try {
    publishFolders(path, await listFolders(path, AbortSignal.timeout(loadTimeoutMs)));
  } catch {
    setExpanded(path, false);
  } finally {
    loading.delete(path);
  }
}
const loadTimeoutMs = 30_000;

/** Expands or collapses a folder. Its subfolders are read when it is first expanded. */
export function setExpanded(path: VirtualPath, isExpanded: boolean): void {
  const { expanded, names } = useFolderTree.getState();
  if (isExpanded && !names.has(path)) void load(path);
  if (expanded.has(path) === isExpanded) return;
  const next = new Set(expanded);
  if (isExpanded) next.add(path);
  else next.delete(path);
  useFolderTree.setState({ expanded: next });
}

/** Expands the folders above `path`, so that it is shown, and reads those that are unknown. */
export function revealInTree(path: VirtualPath): void {
  for (const folder of ancestorsOf(path)) setExpanded(folder, true);
}

/** Keeps the tree up to date with the changes that actions make. Returns the function that stops. */
export function followChanges(): () => void {
  return onFilesChange(applyChange);
}

function applyChange({ folders, removed = [], moved = [] }: FilesChange): void {
  const names = new Map(useFolderTree.getState().names);
  for (const path of [...removed, ...moved.map(({ entry }) => entry.path)]) removeFolder(names, path);
  for (const { entry, to } of moved) if (entry.isFolder) addFolder(names, to);
  useFolderTree.setState({ names });
  const { expanded } = useFolderTree.getState();
  for (const folder of folders) if (names.has(folder) && expanded.has(folder)) void load(folder);
}

function removeFolder(names: Map<VirtualPath, readonly string[]>, path: VirtualPath): void {
  const siblings = names.get(parentOf(path));
  if (siblings?.includes(nameOf(path))) {
    names.set(
      parentOf(path),
      siblings.filter((name) => name !== nameOf(path)),
    );
  }
  for (const known of names.keys()) if (isAtOrBelow(known, path)) names.delete(known);
}

function addFolder(names: Map<VirtualPath, readonly string[]>, path: VirtualPath): void {
  const siblings = names.get(parentOf(path));
  if (siblings === undefined || siblings.includes(nameOf(path))) return;
  names.set(parentOf(path), [...siblings, nameOf(path)].toSorted(compareNames));
}

/** One shown folder of the tree. */
export interface TreeRow {
  readonly path: VirtualPath;
  readonly level: number;
  readonly isExpanded: boolean;
  /** False when the folder is known to contain no folders. */
  readonly isExpandable: boolean;
}

/** Returns the shown folders from top to bottom. */
export function treeRows({ names, expanded }: FolderTreeState): TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (path: VirtualPath, level: number): void => {
    const children = names.get(path);
    const isExpandable = children === undefined || children.length > 0;
    const isExpanded = isExpandable && expanded.has(path);
    rows.push({ path, level, isExpanded, isExpandable });
    if (isExpanded) for (const name of children ?? []) visit(childOf(path, name), level + 1);
  };
  visit(rootPath, 1);
  return rows;
}
