import type { BigIntStats } from 'node:fs';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';

/** Copies the owner (where permitted) and the permission bits of the replaced file to the new one. */
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
  // Set-user-id bits are not kept, because the new content comes from another user.
  await syscalls.fchmod(descriptor, Number(current.mode & 0o777n));
}
