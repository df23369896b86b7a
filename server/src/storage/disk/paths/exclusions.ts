import path from 'node:path';
import { lstat, realPath, isErrno } from './syscalls.ts';
import { type Folder, type Identity, identityOf, isSame } from './folder.ts';
import { toRawPath } from './raw-names.ts';
import { type Steps, take } from './steps.ts';

/** Something on the disk that the storage behaves as if it were not there, for instance the server's own data folder. */
export interface Exclusion {
  /** The real disk path. */
  readonly path: string;
  readonly name: string;
  /** The folder that holds it; with `name` it also covers what does not exist yet. */
  readonly parent: Identity | null;
  /** The identity of the entry, which other names share (another mount, a renamed parent); null when it is missing. */
  readonly self: Identity | null;
}

/** Finds out what `disk` is. It need not exist. */
export function* readExclusion(disk: string): Steps<Exclusion> {
  const absolute = path.resolve(disk);
  try {
    const real = yield* take(realPath(absolute));
    const stats = yield* take(lstat(toRawPath(real)));
    const parent = yield* take(lstat(toRawPath(path.dirname(real))));
    return {
      path: real,
      name: path.basename(real),
      parent: parent && identityOf(parent),
      self: stats && identityOf(stats),
    };
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error;
    if (path.dirname(absolute) === absolute) throw error;
    const folder = yield* readFolderOf(absolute);
    return {
      path: path.join(folder.path, path.basename(absolute)),
      name: path.basename(absolute),
      parent: folder.self,
      self: null,
    };
  }
}

function* readFolderOf(absolute: string): Steps<{ path: string; self: Identity | null }> {
  try {
    const real = yield* take(realPath(path.dirname(absolute)));
    const stats = yield* take(lstat(toRawPath(real)));
    return { path: real, self: stats && identityOf(stats) };
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return { path: path.dirname(absolute), self: null };
    throw error;
  }
}

/** Whether the thing itself is excluded, whatever its name. */
export const isExcluded = (exclusions: readonly Exclusion[], identity: Identity): boolean =>
  exclusions.some(({ self }) => self !== null && isSame(self, identity));

/** Whether the name `name` in `folder` is excluded. Names are compared without case: some disks do the same. */
export const isExcludedName = (exclusions: readonly Exclusion[], folder: Identity, name: string): boolean =>
  exclusions.some(
    (excluded) =>
      excluded.parent !== null &&
      isSame(excluded.parent, folder) &&
      excluded.name.toLowerCase() === name.toLowerCase(),
  );

/** Whether the real disk path `real` is an excluded thing or lies in one. */
export const isExcludedPath = (exclusions: readonly Exclusion[], real: string): boolean =>
  exclusions.some((excluded) => real === excluded.path || real.startsWith(excluded.path + path.sep));

/** Whether one of the excluded things lies somewhere below `folder`. */
export function* holdsExcluded(exclusions: readonly Exclusion[], folder: Folder): Steps<boolean> {
  for (const excluded of exclusions) {
    if (excluded.parent === null) continue;
    let above = path.dirname(excluded.path);
    for (;;) {
      const stats = yield* take(lstat(toRawPath(above)));
      if (stats !== null && isSame(identityOf(stats), folder)) return true;
      const next = path.dirname(above);
      if (next === above) break;
      above = next;
    }
  }
  return false;
}
