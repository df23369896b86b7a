import path from 'node:path';
import { rootPath, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { syscalls, ignoreErrno } from './paths/syscalls.ts';
import { translateErrors } from './paths/errors.ts';
import { at, closeFolder } from './paths/folder.ts';
import type { ScopeRoot } from './paths/locate.ts';
import { openScopeRoot, type ServedScopeRoot } from './open-scope-root.ts';
import { toRawPath } from './paths/raw-names.ts';
import { StoreRegistry } from './kept/store-registry.ts';
import { trashName } from './paths/temporary-names.ts';
import { openOwnTree } from './trees/open-tree.ts';
import type { RootWatch } from '../views/served-root.ts';

/** An entry that programs must not see. */
export interface HiddenPath {
  /** The real disk path. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** An open folder: its path leads to the same folder until it is released, even when its name changes. */
export interface PinnedFolder {
  /** A disk path that leads to this folder until it is released. */
  readonly path: string;
  /** The real path when it was opened. */
  readonly realPath: string;
  /** The open descriptor; -1 on systems without confinement by descriptors. */
  readonly descriptor: number;
  /** The entry at a path below it; null when there is none, or when the path contains a link. */
  entry(path: VirtualPath): Promise<HiddenPath | null>;
  /** Closes the folder; to be called once. */
  release(): void;
}

/**
 * Converts virtual paths to disk paths. Only for programs that are started on users' files; code that reads or writes files
 * itself uses a storage.
 */
export interface DiskPaths {
  /** The disk path of a virtual path, built from its names: nothing is read and no link is followed. */
  pathOf(path: VirtualPath): string;
  /** Opens a folder without leaving the served one. Throws `not_found`, `not_a_folder`, `external_link`. */
  pinFolder(path: VirtualPath): Promise<PinnedFolder>;
  /** The excluded paths and the stores of kept entries, as far as they exist. */
  hidden(): Promise<HiddenPath[]>;
  /** Closes the served folder. */
  close(): void;
}

/** The entry at a real disk path; null when there is none, or when the path contains a link. */
async function readRealPath(disk: string): Promise<HiddenPath | null> {
  const gone = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'];
  if ((await ignoreErrno(syscalls.realpath(toRawPath(disk)), ...gone)) !== disk) return null;
  const stats = await ignoreErrno(syscalls.lstat(toRawPath(disk)), ...gone);
  return stats === undefined ? null : { path: disk, isFolder: stats.isDirectory() };
}

/** Opens the folder `virtual` of the scope. */
async function pinFolder(scopeRoot: ScopeRoot, virtual: VirtualPath): Promise<PinnedFolder> {
  const { folder } = await openOwnTree(scopeRoot, virtual);
  try {
    const realPath = await syscalls.realpath(at(folder, '.'));
    return {
      path: folder.base,
      realPath,
      descriptor: folder.descriptor,
      entry: (below) => readRealPath(path.join(realPath, ...segmentsOf(below))),
      release: () => closeFolder(folder),
    };
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

/** The paths of stores of kept entries below the served folder `root`; one in it may belong to another installation. */
function storePaths(root: string, storeRegistry: string | undefined): string[] {
  const stores = storeRegistry === undefined ? [] : StoreRegistry.open(storeRegistry).stores;
  const folders = new Set([rootPath, ...stores.map((store) => store.path as VirtualPath)]);
  return [...folders].map((folder) => path.join(root, ...segmentsOf(folder), trashName));
}

/**
 * Opens the paths of a served folder. With `watch` they follow a replaced root, and `pinFolder` throws `storage_unavailable`
 * while the root is unavailable. Throws `not_found` or `not_a_folder` without a root.
 */
export async function openDiskPaths(
  { storeRegistry, ...served }: ServedScopeRoot & { readonly storeRegistry?: string },
  watch?: RootWatch,
): Promise<DiskPaths> {
  let scopeRoot = await openScopeRoot(served);
  let generation = watch?.generation;
  let isClosed = false;
  const root = await syscalls.realpath(served.root);
  const followRoot = async (): Promise<void> => {
    await watch?.assertAvailable();
    if (watch?.generation === generation) return;
    const opened = await openScopeRoot(served);
    // A concurrent call may have opened it, or `close` was called.
    if (isClosed || watch?.generation === generation) return closeFolder(opened.root);
    closeFolder(scopeRoot.root);
    scopeRoot = opened;
    generation = watch?.generation;
  };
  return {
    pathOf: (virtual) => path.join(root, ...segmentsOf(virtual)),
    pinFolder: (virtual) => translateErrors(followRoot().then(() => pinFolder(scopeRoot, virtual))),
    async hidden() {
      const excluded = scopeRoot.exclusions.map((exclusion) => exclusion.path);
      const paths = await Promise.all([...excluded, ...storePaths(root, storeRegistry)].map(readRealPath));
      return paths.filter((existing) => existing !== null);
    },
    close() {
      isClosed = true;
      closeFolder(scopeRoot.root);
    },
  };
}
