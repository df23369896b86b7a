import path from 'node:path';
import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { syscalls, ignoreErrno } from './paths/syscalls.ts';
import { translated } from './paths/errors.ts';
import { at, closeFolder, openFolder } from './paths/folder.ts';
import type { ScopeRoot } from './paths/locate.ts';
import { openScopeRoot, type ServedScopeRoot } from './open-area.ts';
import { toRawPath } from './paths/raw-names.ts';
import { openTree } from './trees/walk-tree.ts';
import type { RootWatch } from '../views/served-root.ts';

/** Something that must not be seen. */
export interface HiddenPlace {
  /** The real disk path. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** A folder that stays the same one while it is held, whatever happens to its name. */
export interface HeldFolder {
  /** A disk path that leads to this very folder while it is held. */
  readonly path: string;
  /** Where it lies by name at the moment. */
  readonly realPath: string;
  /** Names the folder; -1 on systems where folders are not held by descriptors. */
  readonly descriptor: number;
  /** The entry at a path below it; null when there is none, or when the path contains a link. */
  entry(path: VirtualPath): Promise<HiddenPlace | null>;
  /** To be called once. */
  release(): void;
}

/**
 * Where virtual paths lie on the disk. Only for programs that are started on users' files; whatever reads or writes files
 * itself uses a storage.
 */
export interface DiskPlaces {
  /** The disk path of what a path names, put together from names: nothing is looked at and no link is followed. */
  pathOf(path: VirtualPath): string;
  /** Opens a folder without leaving the served one. Throws `not_found`, `not_a_folder`, `external_link`. */
  hold(path: VirtualPath): Promise<HeldFolder>;
  /** The excluded paths that exist. */
  hidden(): Promise<HiddenPlace[]>;
  close(): void;
}

/** The entry at a real disk path; null when there is none, or when the path is not the real one. */
async function look(disk: string): Promise<HiddenPlace | null> {
  const gone = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'];
  if ((await ignoreErrno(syscalls.realpath(toRawPath(disk)), ...gone)) !== disk) return null;
  const stats = await ignoreErrno(syscalls.lstat(toRawPath(disk)), ...gone);
  return stats === undefined ? null : { path: disk, isFolder: stats.isDirectory() };
}

/** Holds the folder `virtual` of `area`. */
async function hold(scopeRoot: ScopeRoot, virtual: VirtualPath): Promise<HeldFolder> {
  const tree = await openTree(scopeRoot, virtual);
  // A descriptor of its own, so that it can be closed without a look at whose it is.
  const folder =
    tree.folder === scopeRoot.root
      ? await openFolder(scopeRoot.confinement, at(scopeRoot.root, '.')).async()
      : tree.folder;
  try {
    const realPath = await syscalls.realpath(at(folder, '.'));
    return {
      path: folder.base,
      realPath,
      descriptor: folder.descriptor,
      entry: (below) => look(path.join(realPath, ...segmentsOf(below))),
      release: () => closeFolder(folder),
    };
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

/**
 * Opens the places of a served folder. With `watch` they follow it, and holding a folder throws `storage_unavailable` while it
 * is gone. Throws `not_found` or `not_a_folder` when there is none.
 */
export async function openDiskPlaces(served: ServedScopeRoot, watch?: RootWatch): Promise<DiskPlaces> {
  let scopeRoot = await openScopeRoot(served);
  let generation = watch?.generation;
  let isClosed = false;
  const root = await syscalls.realpath(served.root);
  const followRoot = async (): Promise<void> => {
    await watch?.gate();
    if (watch?.generation === generation) return;
    const opened = await openScopeRoot(served);
    // Somebody else may have opened it meanwhile, or closed all.
    if (isClosed || watch?.generation === generation) return closeFolder(opened.root);
    closeFolder(scopeRoot.root);
    scopeRoot = opened;
    generation = watch?.generation;
  };
  return {
    pathOf: (virtual) => path.join(root, ...segmentsOf(virtual)),
    hold: (virtual) => translated(followRoot().then(() => hold(scopeRoot, virtual))),
    async hidden() {
      const places = await Promise.all(scopeRoot.exclusions.map((exclusion) => look(exclusion.path)));
      return places.filter((place) => place !== null);
    },
    close() {
      isClosed = true;
      closeFolder(scopeRoot.root);
    },
  };
}
