import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDataLocked } from '../../database/lock-data.ts';
import { isErrno } from '../../storage/disk/paths/syscalls.ts';

/** Names of archives that are being written, as {@link partPathOf} makes them: the number is the id of the writing process. */
const partName = /^filestead-\d{8}-\d{6}-\d{3}\.tar\.gz\.(\d+)\.part$/;
/** Names of the folders that contain the copy of the database while a backup is made or restored. */
export const workPrefix = 'unfinished-';
/** A file in such a folder that its backup keeps locked; the operating system releases it when the process ends. */
export const lockName = 'lock';
/** Returns the path at which the archive `file` is written before it is complete. */
export const partPathOf = (file: string): string => `${file}.${process.pid}.part`;

/** Time without a change after which something unlocked counts as abandoned, in milliseconds. */
const abandonedAfterMs = 10 * 60_000;

/** Whether nothing at `path` has changed for {@link abandonedAfterMs}. */
const isOld = (path: string): boolean => Date.now() - statSync(path).mtimeMs > abandonedAfterMs;

/** Removes the copies of backups that were killed. A backup that runs at the same time keeps its own. */
export function removeAbandonedCopies(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(workPrefix))) {
    const work = join(folder, name);
    const lock = join(work, lockName);
    try {
      // A backup creates its lock a moment after the folder.
      const isAbandoned = existsSync(lock) ? !isDataLocked(lock) : isOld(work);
      if (isAbandoned) rmSync(work, { recursive: true, force: true });
    } catch (error) {
      // Another backup has ended and removed its copy meanwhile.
      if (existsSync(work)) throw error;
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/** Removes the partial archives of killed backups. Another machine may be writing to the same folder, hence the age. */
export function removeAbandonedArchives(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = partName.exec(name)?.[1];
    const part = join(folder, name);
    try {
      if (pid !== undefined && !isRunning(Number(pid)) && isOld(part)) rmSync(part, { force: true });
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error;
    }
  }
}
