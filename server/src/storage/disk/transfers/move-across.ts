import fs, { type BigIntStats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../errors.ts';
import type { Continuation } from '../../storage.ts';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';
import { runAsync } from '../paths/steps.ts';
import { CopiedEntries } from './copied-entries.ts';
import { copyFile } from './copy-file.ts';
import { copyTree } from './copy-tree.ts';
import { type Disk, withTemporary, withTemporaryFile } from '../disk.ts';
import { at, type Folder, type Identity, identityOf, isSame } from '../paths/folder.ts';
import { removeTemporaryTree, withFolder } from '../trees/with-tree.ts';
import { isFuse } from '../paths/file-system-types.ts';
import { assertNoMountBelow } from '../paths/mounts.ts';
import { Progress } from '../trees/progress.ts';
import { flushFolder, lstatOrNull } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import { isTemporaryName } from '../paths/temporary-names.ts';
import { type RemovalOutcome, withPendingRemoval } from './pending-removal.ts';
import { CopiedTreeRemover } from './remove-copied-tree.ts';

/** The number of times that changed files are copied again; files that change after that stay at the source. */
const maxRounds = 3;

/** An entry and its destination. Both parent folders are open. */
export interface EntryMove {
  readonly from: Folder;
  readonly fromNames: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
  readonly to: Folder;
  /** The real path of `to`. */
  readonly toNames: readonly string[];
  readonly newName: string;
}

/** A move to another file system. */
export interface CrossDeviceMove extends EntryMove {
  /** For folders; see `TransferOptions`. */
  readonly continuation?: Continuation | undefined;
  /** Renames the copy from its temporary name to its final one. */
  publish(temporary: string): Promise<void>;
}

/** The positions of a single file or link in {@link CopiedEntries}. */
const sourceTop = { relative: [], name: 'source' };
const targetTop = { relative: [], name: 'target' };

/**
 * Moves between file systems: copies the tree, publishes the copy, renames the source to a temporary name on its own file
 * system and removes the entries that have not changed since they were copied. New and changed files are copied first; files
 * that cannot be copied or keep changing are restored. See docs/decisions/0020-moves-between-file-systems.md.
 *
 * Throws `changed_while_moving`, `holds_mount`, `special_file`, and before anything is copied the error of the operating
 * system when entries may not be removed from the source's folder.
 */
export async function moveAcross(disk: Disk, move: CrossDeviceMove, progress: Progress): Promise<void> {
  const { from, fromNames, name, to, isFolder } = move;
  await syscalls.access(at(from, '.'), fs.constants.W_OK);
  if (isFolder) {
    await withFolder(disk.scopeRoot, from, name, (folder) =>
      assertNoMountBelow(disk.scopeRoot, from, { folder, name, names: [], relative: [] }, progress.signal),
    );
  }
  const copied = await openCopiedEntries(from);
  const copyIdentity = await withCopyName(disk, move, async (temporary, isResumed) => {
    const identity = isFolder
      ? await copyFolder(disk, move, { name: temporary, isResumed }, copied, progress)
      : await copyOne(disk, move, temporary, copied, progress);
    if (identity !== null) await move.continuation?.onCopied?.(identity.inode);
    await progress.beforePublish?.();
    await runAsync(assertReachable(to));
    await move.publish(temporary);
    return identity;
  });
  // Otherwise the removal of the source could reach its disk before the copy reaches the other one.
  await flushFolder(to);
  const remove = isFolder ? removeFolder : removeOne;
  const before = isFolder ? null : await lstatOrNull(from, name);
  await withPendingRemoval(disk, { folder: from, names: fromNames, name }, (temporaryName) =>
    remove(disk, move, { temporaryName, copied, copyIdentity, before }),
  );
}

/**
 * Calls `work` with the temporary name of the copy, and whether an earlier copy under this name is continued. A copy that cannot be
 * continued is removed when `work` fails.
 */
async function withCopyName<T>(
  disk: Disk,
  { continuation, isFolder, to, toNames }: CrossDeviceMove,
  work: (temporary: string, isResumed: boolean) => Promise<T>,
): Promise<T> {
  if (!isFolder || continuation === undefined) {
    return withTemporary(
      disk,
      toNames,
      (temporary) => work(temporary, false),
      (temporary) => removeTemporaryTree(disk.scopeRoot, to, temporary),
    );
  }
  if (!isTemporaryName(continuation.temporaryName)) throw new AppError('forbidden');
  return work(continuation.temporaryName, continuation.isResumed);
}

const openCopiedEntries = async (source: Folder): Promise<CopiedEntries> => {
  const { type } = await syscalls.statfs(at(source, '.'));
  return new CopiedEntries(!isFuse(type));
};

/**
 * Continues the move of a folder after its copy got its name `move.newName`: compares both trees, and removes the source like
 * {@link moveAcross}. Throws `changed_while_moving` and `holds_mount`.
 */
export async function finishMoveAcross(disk: Disk, move: EntryMove, progress: Progress): Promise<void> {
  const { from, fromNames, name, newName } = move;
  const copied = await openCopiedEntries(from);
  const copyIdentity = await copyFolder(disk, move, { name: newName, isPublished: true }, copied, progress);
  await withPendingRemoval(disk, { folder: from, names: fromNames, name }, (temporaryName) =>
    removeFolder(disk, move, { temporaryName, copied, copyIdentity, before: null }),
  );
}

/** The state that the removal of the source needs. */
interface Removal {
  /** The current name of the source. */
  readonly temporaryName: string;
  readonly copied: CopiedEntries;
  /** The folder that was created; null for a file. */
  readonly copyIdentity: Identity | null;
  /** The metadata of the source right before it was renamed; null when it no longer existed. */
  readonly before: BigIntStats | null;
}

/** The folder that receives a copy, and whether an earlier run has begun it, or completed it. */
interface FolderCopy {
  readonly name: string;
  readonly isResumed?: boolean;
  readonly isPublished?: boolean;
}

async function copyFolder(
  disk: Disk,
  { from, fromNames, name, to, toNames }: EntryMove,
  { name: copyName, isPublished = false, isResumed = isPublished }: FolderCopy,
  copied: CopiedEntries,
  progress: Progress,
): Promise<Identity> {
  const creating = syscalls.mkdir(at(to, copyName), 0o700);
  await (isResumed ? ignoreErrno(creating, 'EEXIST') : creating);
  return withFolder(disk.scopeRoot, from, name, (folder) =>
    withFolder(disk.scopeRoot, to, copyName, async (target) => {
      const top = { folder, name, names: [...fromNames, name], relative: [] };
      const targetNames = [...toNames, copyName];
      await copyTree(disk, top, {
        target,
        targetNames,
        isMerge: false,
        isResumed,
        isPublished,
        copied,
        progress,
      });
      return { device: target.device, inode: target.inode };
    }),
  );
}

async function copyOne(
  disk: Disk,
  move: CrossDeviceMove,
  temporary: string,
  copied: CopiedEntries,
  progress: Progress,
): Promise<null> {
  const { from, name, to } = move;
  const stats = await lstatOrNull(from, name);
  if (stats?.isSymbolicLink() === true) {
    await syscalls.symlink(
      await syscalls.readlink(at(from, name), { encoding: 'buffer' }),
      at(to, temporary),
    );
    copied.addSource(sourceTop, stats);
    const copy = await lstatOrNull(to, temporary);
    if (copy !== null) copied.addTarget(targetTop, copy, { wasRenamed: true });
    return null;
  }
  const files = await copyFile(disk.scopeRoot, { folder: from, name, stats }, to, temporary, progress, {
    isMove: true,
  });
  if (files.source !== null) copied.addSource(sourceTop, files.source);
  copied.addTarget(targetTop, files.copy, { wasRenamed: true });
  return null;
}

/** Whether nothing but the name has changed. A rename changes `ctime`, which is therefore not compared. */
const isUnchanged = (a: BigIntStats, b: BigIntStats): boolean =>
  isSame(identityOf(a), identityOf(b)) && a.size === b.size && a.mtimeNs === b.mtimeNs;

/** Removes the renamed source file or link, once the target has its last state. */
async function removeOne(
  disk: Disk,
  move: CrossDeviceMove,
  { temporaryName, copied, before }: Removal,
): Promise<RemovalOutcome> {
  const { from, to, toNames, newName } = move;
  const progress = new Progress({});
  for (let copies = 0; ;) {
    const stats = await lstatOrNull(from, temporaryName);
    if (stats === null) return 'gone';
    const isOld = before !== null && isUnchanged(before, stats);
    if (copied.hasSource(sourceTop, stats) || (isOld && copied.hasSource(sourceTop, before))) {
      const waitMs = copied.remainingWaitMs(isOld ? before : stats);
      if (waitMs > 0) {
        await sleep(waitMs);
        continue;
      }
      await ignoreErrno(syscalls.unlink(at(from, temporaryName)), 'ENOENT');
      return 'gone';
    }
    const existing = await lstatOrNull(to, newName);
    // The copy was changed or removed as well: both are kept.
    if (
      copies === maxRounds ||
      !stats.isFile() ||
      existing === null ||
      !copied.hasTarget(targetTop, existing)
    )
      return 'kept';
    copies += 1;
    await withTemporaryFile(disk, { folder: to, names: toNames }, async (temporary) => {
      const source = { folder: from, name: temporaryName, stats };
      const files = await copyFile(disk.scopeRoot, source, to, temporary, progress, { isMove: true });
      await syscalls.rename(at(to, temporary), at(to, newName));
      if (files.source !== null) copied.addSource(sourceTop, files.source);
      copied.addTarget(targetTop, files.copy, { wasRenamed: true });
    });
    await flushFolder(to);
  }
}

/** Removes the renamed source folder, except for entries that the target does not have. */
async function removeFolder(
  disk: Disk,
  move: EntryMove,
  { temporaryName, copied, copyIdentity }: Removal,
): Promise<RemovalOutcome> {
  const { from, fromNames, to, toNames, newName } = move;
  return withFolder(disk.scopeRoot, from, temporaryName, async (folder) => {
    const top = { folder, name: temporaryName, names: [...fromNames, temporaryName], relative: [] };
    await assertNoMountBelow(disk.scopeRoot, from, top);
    const remover = new CopiedTreeRemover(disk, {
      top,
      target: { folder: to, name: newName, names: [...toNames, newName], made: copyIdentity },
      copied,
    });
    // Each round takes two passes: one copies, the next removes.
    for (let pass = 0; pass < 2 * maxRounds; pass++) {
      const { hasChanged, waitMs } = await remover.pass();
      const isGone = await ignoreErrno(
        syscalls.rmdir(at(from, temporaryName)).then(() => true),
        'ENOTEMPTY',
        'EEXIST',
      );
      if (isGone === true) return 'gone';
      if (!hasChanged && waitMs === 0) return 'kept';
      if (waitMs > 0) await sleep(waitMs);
    }
    return 'kept';
  });
}
