import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readiness } from '@filestead/contract/health';
import type { NotReadyReason } from '@filestead/contract/values/not-ready-reasons';
import { freeBytesOf } from './measure-system.ts';

/** Parts of the server that are checked for readiness. */
export interface ReadinessParts {
  /** Throws if the database does not respond. */
  readonly checkDatabase: () => Promise<void>;
  /** Throws if the served folder is not available. */
  readonly checkRoot: () => Promise<void>;
  /** Paths of the served folder, the data folder and the database file. */
  readonly root: string;
  readonly data: string;
  readonly database: string;
  /** Free bytes that the disks of the served folder and the data folder must have; 0 to require none. */
  readonly minFreeBytes: number;
  /** Whether the server is shutting down. */
  readonly isStopping: () => boolean;
  /** Whether the operating system refuses to watch further folders. */
  readonly isWatchingLimited: () => boolean;
}

/** Whether `work` succeeds. */
const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Whether the disk of `folder` has enough free bytes. A folder that cannot be examined has its own reason. */
async function hasRoom(folder: string, minFreeBytes: number): Promise<boolean> {
  try {
    return (await freeBytesOf(folder)) >= minFreeBytes;
  } catch {
    return true;
  }
}

/** Returns whether the server can serve requests, with all reasons if it cannot. */
export async function checkReadiness(parts: ReadinessParts): Promise<Readiness> {
  const { root, data, database, minFreeBytes } = parts;
  const { R_OK, W_OK, X_OK } = constants;
  const [isDatabaseFine, isRootFine, isRootWritable, isDataWritable, hasRootRoom, hasDataRoom] =
    await Promise.all([
      succeeds(parts.checkDatabase()),
      succeeds(parts.checkRoot().then(() => access(root, R_OK | X_OK))),
      succeeds(access(root, W_OK)),
      succeeds(Promise.all([data, dirname(database)].map((folder) => access(folder, W_OK | X_OK)))),
      hasRoom(root, minFreeBytes),
      hasRoom(data, minFreeBytes),
    ]);
  const failed: Readonly<Record<NotReadyReason, boolean>> = {
    stopping: parts.isStopping(),
    database_unavailable: !isDatabaseFine,
    root_unavailable: !isRootFine,
    data_not_writable: !isDataWritable,
    disk_space_low: !hasRootRoom || !hasDataRoom,
  };
  const reasons = (Object.keys(failed) as NotReadyReason[]).filter((reason) => failed[reason]);
  return {
    status: reasons.length === 0 ? 'ready' : 'not_ready',
    reasons,
    notes: [
      ...(isRootFine && !isRootWritable ? (['read_only'] as const) : []),
      ...(parts.isWatchingLimited() ? (['watches_exhausted'] as const) : []),
    ],
  };
}
