import path from 'node:path';
import { lstat, realPath, isErrno } from './syscalls.ts';
import { type Folder, type Identity, identityOf, isSame } from './folder.ts';
import { toRawPath } from './raw-names.ts';
import { type Steps, perform } from './steps.ts';

/** An entry on the disk that the storage treats as missing, for instance the server's own data folder. */
export interface Exclusion {
  /** The real disk path. */
  readonly path: string;
  readonly name: string;
  /** The folder that contains it. Together with `name` it also identifies an entry that does not exist yet. */
  readonly parent: Identity | null;
  /** The identity of the entry, which also matches its other names (another mount, a renamed parent); null when it is missing. */
  readonly self: Identity | null;
}

/** Resolves the exclusion for the path `disk`, which may not exist yet. */
export function* readExclusion(disk: string): Steps<Exclusion> {
  const absolute = path.resolve(disk);
  try {
    const real = yield* perform(realPath(absolute));
    const stats = yield* perform(lstat(toRawPath(real)));
    const parent = yield* perform(lstat(toRawPath(path.dirname(real))));
    return {
      path: real,
      name: path.basename(real),
      parent: parent && identityOf(parent),
      self: stats && identityOf(stats),
    };
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error;
    if (path.dirname(absolute) === absolute) throw error;
    const folder = yield* readParent(absolute);
    return {
      path: path.join(folder.path, path.basename(absolute)),
      name: path.basename(absolute),
      parent: folder.self,
      self: null,
    };
  }
}

function* readParent(absolute: string): Steps<{ path: string; self: Identity | null }> {
  try {
    const real = yield* perform(realPath(path.dirname(absolute)));
    const stats = yield* perform(lstat(toRawPath(real)));
    return { path: real, self: stats && identityOf(stats) };
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return { path: path.dirname(absolute), self: null };
    throw error;
  }
}

/** Whether the entry itself is excluded, regardless of its name. */
export const isExcluded = (exclusions: readonly Exclusion[], identity: Identity): boolean =>
  exclusions.some(({ self }) => self !== null && isSame(self, identity));

/** Whether the name `name` in `folder` is excluded. Names are compared case-insensitively, because some file systems do so too. */
export const isExcludedName = (exclusions: readonly Exclusion[], folder: Identity, name: string): boolean =>
  exclusions.some(
    (excluded) =>
      excluded.parent !== null &&
      isSame(excluded.parent, folder) &&
      excluded.name.toLowerCase() === name.toLowerCase(),
  );

const isNeverExcluded = (): boolean => false;

/** As {@link isExcludedName}, for many names of one folder: the exclusions in it are selected once. */
export function exclusionTest(exclusions: readonly Exclusion[], folder: Identity): (name: string) => boolean {
  const here = exclusions.filter(({ parent }) => parent !== null && isSame(parent, folder));
  return here.length === 0 ? isNeverExcluded : (name) => isExcludedName(here, folder, name);
}

/** Whether the real disk path `real` is an excluded entry or is below one. */
export const isExcludedPath = (exclusions: readonly Exclusion[], real: string): boolean =>
  exclusions.some((excluded) => real === excluded.path || real.startsWith(excluded.path + path.sep));

/** Whether one of the excluded entries is below `folder`, at any depth. */
export function* containsExcluded(exclusions: readonly Exclusion[], folder: Folder): Steps<boolean> {
  for (const excluded of exclusions) {
    if (excluded.parent === null) continue;
    let above = path.dirname(excluded.path);
    for (;;) {
      const stats = yield* perform(lstat(toRawPath(above)));
      if (stats !== null && isSame(identityOf(stats), folder)) return true;
      const next = path.dirname(above);
      if (next === above) break;
      above = next;
    }
  }
  return false;
}
