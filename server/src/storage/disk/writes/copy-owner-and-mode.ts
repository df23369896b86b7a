import type { BigIntStats } from 'node:fs';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';

/** Gives the new file the owner, where allowed, and the permission bits of the one that it replaces. */
export async function copyOwnerAndMode(
  descriptor: number,
  stats: BigIntStats,
  current: BigIntStats | null,
): Promise<void> {
  if (current === null || !current.isFile()) return;
  if (current.uid !== stats.uid || current.gid !== stats.gid) {
    await ignoreErrno(
      syscalls.fchown(descriptor, Number(current.uid), Number(current.gid)),
      'EPERM',
      'EINVAL',
      'ENOSYS',
    );
  }
  // Set-user-id bits are not kept: the new content is somebody else's.
  await syscalls.fchmod(descriptor, Number(current.mode & 0o777n));
}
