import type { BigIntStats } from 'node:fs';
import { attempt, changeMode, changeOwner } from '../paths/syscalls.ts';
import { perform, type Steps } from '../paths/steps.ts';

/** Copies the owner (where permitted) and the permission bits of the replaced file to the new one. */
export function* copyOwnerAndMode(
  descriptor: number,
  stats: BigIntStats,
  current: BigIntStats | null,
): Steps<void> {
  if (current === null || !current.isFile()) return;
  if (current.uid !== stats.uid || current.gid !== stats.gid) {
    const owner = changeOwner(descriptor, Number(current.uid), Number(current.gid));
    yield* attempt(owner, 'EPERM', 'EINVAL', 'ENOSYS');
  }
  // Set-user-id bits are not kept, because the new content comes from another user.
  yield* perform(changeMode(descriptor, Number(current.mode & 0o777n)));
}
