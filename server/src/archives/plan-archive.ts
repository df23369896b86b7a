import {
  isAtOrBelow,
  nameOf,
  parentOf,
  relativeTo,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import { memberName } from '../storage/pack/member-names.ts';
import type { PackedMember, Storage } from '../storage/storage.ts';
import { Yielder } from '../scheduling/event-loop.ts';

/** Paths that are checked concurrently. */
const parallelChecks = 32;

/** Returns each path once and omits those below another given path. Keeps the order. */
async function withoutNested(paths: readonly VirtualPath[]): Promise<VirtualPath[]> {
  const given = new Set(paths);
  const isNested = (path: VirtualPath): boolean => {
    for (let above = path; above !== rootPath;) {
      above = parentOf(above);
      if (given.has(above)) return true;
    }
    return false;
  };
  const outermost: VirtualPath[] = [];
  const yielder = new Yielder();
  for (const path of given) {
    if (!isNested(path)) outermost.push(path);
    if (yielder.isDue()) await yielder.yield();
  }
  return outermost;
}

/** Returns the deepest folder that contains all of `paths`. */
function commonFolder(paths: readonly VirtualPath[]): VirtualPath {
  let common = parentOf(paths[0] ?? rootPath);
  for (const path of paths) while (!isAtOrBelow(path, common)) common = parentOf(common);
  return common;
}

/**
 * Returns the name of an archive without extension (docs/reference/filebrowser-api.md §1.7): that of the only path, or `_`
 * and the name of the folder that contains all paths. `rootName` is the name of the storage's root.
 */
export async function archiveName(paths: readonly VirtualPath[], rootName: string): Promise<string> {
  const [path = rootPath, ...others] = await withoutNested(paths);
  if (others.length === 0) return nameOf(path) || rootName;
  return `_${nameOf(commonFolder([path, ...others])) || rootName}`;
}

/**
 * Returns the members of the archive of `paths` with their names. A single folder contributes its content; several paths
 * keep their names relative to the folder that contains all of them. Every path has to exist: throws `not_found`,
 * `forbidden`, `external_link`, `special_file`.
 */
export async function planArchive(
  storage: Storage,
  paths: readonly VirtualPath[],
  signal?: AbortSignal,
): Promise<PackedMember[]> {
  const outermost = await withoutNested(paths);
  const isFolder = async (path: VirtualPath): Promise<boolean> => {
    const entry = await storage.stat(path);
    if (entry === null) throw new AppError('not_found');
    if (entry.kind === 'invalid_link') throw new AppError('external_link');
    if (entry.kind === 'special') throw new AppError('special_file');
    return entry.kind === 'folder';
  };
  const areFolders: boolean[] = [];
  for (let first = 0; first < outermost.length; first += parallelChecks) {
    signal?.throwIfAborted();
    areFolders.push(...(await Promise.all(outermost.slice(first, first + parallelChecks).map(isFolder))));
  }
  const [only] = outermost;
  if (only === undefined) throw new AppError('bad_request', 'body.paths: must contain at least one path');
  if (outermost.length === 1)
    return [{ path: only, name: areFolders[0] === true ? '' : memberName(nameOf(only)) }];
  const common = commonFolder(outermost);
  const usedNames = new Set<string>();
  const members: PackedMember[] = [];
  const yielder = new Yielder();
  for (const path of outermost) {
    const name = segmentsOf(relativeTo(path, common)).map(memberName).join('/');
    let freeName = name;
    for (let number = 1; usedNames.has(freeName); number++) freeName = `${name}(${number})`;
    usedNames.add(freeName);
    members.push({ path, name: freeName });
    if (yielder.isDue()) await yielder.yield();
  }
  return members;
}
