import { AppError } from '../../../errors.ts';
import { syscalls } from './syscalls.ts';
import { at, type Folder } from './folder.ts';
import type { ScopeRoot } from './locate.ts';
import { hasMountBelow, isAtOrBelow, type Mount, mountAt, mountIdOf, readMounts } from './mount-table.ts';
import { traverse, type TreeFolder } from '../trees/traverse.ts';

/** Whether the open folder `top` is a mount point or contains one, according to the mount table of Linux. */
async function containsMountByTable(mounts: readonly Mount[], { folder }: TreeFolder): Promise<boolean> {
  const path = await syscalls.realpath(at(folder, '.'));
  const id = mountIdOf(folder);
  const own = mounts.find((mount) => mount.id === id) ?? mountAt(mounts, path);
  if (own === undefined) return mounts.some(({ point }) => isAtOrBelow(point, path));
  return own.point === path || hasMountBelow(mounts, own, path);
}

/** The same for systems without a mount table: another device number means another file system. */
async function containsMountByDevice(
  scopeRoot: ScopeRoot,
  parent: Folder,
  top: TreeFolder,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (top.folder.device !== parent.device) return true;
  for await (const event of traverse(scopeRoot, top, { signal, includesReserved: true }))
    if (event.kind === 'enter' && event.at.folder.device !== parent.device) return true;
  return false;
}

/**
 * Throws `holds_mount` when the open folder `top` of `parent` is a mount point or contains one, so that a removal does not
 * empty another disk. Reads the table of mounts, or the whole tree on systems without one.
 */
export async function assertNoMountBelow(
  scopeRoot: ScopeRoot,
  parent: Folder,
  top: TreeFolder,
  signal?: AbortSignal,
): Promise<void> {
  const mounts = await readMounts();
  const containsMount =
    mounts === null
      ? await containsMountByDevice(scopeRoot, parent, top, signal)
      : await containsMountByTable(mounts, top);
  if (containsMount) throw new AppError('holds_mount');
}

/** Whether `folder`, found below `above`, belongs to another mount. Subvolumes of one mount have different device numbers. */
export function isOtherMount(above: Folder, folder: Folder): boolean {
  if (folder.device === above.device) return false;
  const [outer, inner] = [mountIdOf(above), mountIdOf(folder)];
  return outer === null || inner === null || outer !== inner;
}

/** Whether both folders are on the same mount, so that a rename between them is normally possible. */
export const isSameVolume = (a: Folder, b: Folder): boolean =>
  a.device === b.device && mountIdOf(a) === mountIdOf(b);
