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

/** So many paths are looked at side by side. */
const parallelLooks = 32;

/** Each path once, without those that lie in another one; in the order they were given. */
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

/** The deepest folder that holds all of `paths`. */
function commonFolder(paths: readonly VirtualPath[]): VirtualPath {
  let common = parentOf(paths[0] ?? rootPath);
  for (const path of paths) while (!isAtOrBelow(path, common)) common = parentOf(common);
  return common;
}

/**
 * The name of an archive without extension (docs/reference/filebrowser-api.md §1.7): of the one path, or `_` and the folder that holds all of
 * them. `rootName` stands for the root of the storage.
 */
export async function archiveName(paths: readonly VirtualPath[], rootName: string): Promise<string> {
  const [path = rootPath, ...others] = await withoutNested(paths);
  if (others.length === 0) return nameOf(path) || rootName;
  return `_${nameOf(commonFolder([path, ...others])) || rootName}`;
}

/**
 * What goes into the archive of `paths`, and under which names: one folder gives what it holds, several things keep their
 * names below the folder that holds all of them. Everything has to be there: throws `not_found`, `forbidden`,
 * `external_link`, `special_file`.
 */
export async function planArchive(
  storage: Storage,
  paths: readonly VirtualPath[],
  signal?: AbortSignal,
): Promise<PackedMember[]> {
  const wanted = await withoutNested(paths);
  const look = async (path: VirtualPath): Promise<boolean> => {
    const entry = await storage.stat(path);
    if (entry === null) throw new AppError('not_found');
    if (entry.kind === 'invalid_link') throw new AppError('external_link');
    if (entry.kind === 'special') throw new AppError('special_file');
    return entry.kind === 'folder';
  };
  let isFolder = false;
  for (let first = 0; first < wanted.length; first += parallelLooks) {
    signal?.throwIfAborted();
    const looks = await Promise.all(wanted.slice(first, first + parallelLooks).map(look));
    isFolder = looks[0] === true;
  }
  const [only] = wanted;
  if (only === undefined) throw new AppError('bad_request', 'nothing to be packed');
  if (wanted.length === 1) return [{ path: only, name: isFolder ? '' : memberName(nameOf(only)) }];
  const common = commonFolder(wanted);
  const taken = new Set<string>();
  const members: PackedMember[] = [];
  const yielder = new Yielder();
  for (const path of wanted) {
    const name = segmentsOf(relativeTo(path, common)).map(memberName).join('/');
    let free = name;
    for (let number = 1; taken.has(free); number++) free = `${name}(${number})`;
    taken.add(free);
    members.push({ path, name: free });
    if (yielder.isDue()) await yielder.yield();
  }
  return members;
}
