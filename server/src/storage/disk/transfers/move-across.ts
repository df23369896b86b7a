import fs, { type BigIntStats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';
import { CopiedEntries } from './copied-entries.ts';
import { copyFile } from './copy-file.ts';
import { copyTree } from './copy-tree.ts';
import { type Disk, withTemporary } from '../disk.ts';
import { at, type Folder, type Identity, identityOf, isSame } from '../paths/folder.ts';
import { removeTemporaryTree, withFolder } from '../trees/with-tree.ts';
import { assertNoMountBelow } from '../paths/mounts.ts';
import { Progress } from '../trees/progress.ts';
import { flushFolder, lstatOrNull } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import { type Fate, withSetAside } from './set-aside.ts';
import { Sweep } from '../trees/sweep.ts';

/** So often is what changed meanwhile copied; after that it stays at the source. */
const maxRounds = 3;

/** `f_type` of FUSE (statfs(2)). */
const fuse = 0x65735546;

/** A name and the place on another file system that it goes to. Both folders are held open. */
export interface Crossing {
  readonly from: Folder;
  readonly fromNames: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
  readonly to: Folder;
  readonly toNames: readonly string[];
  readonly newName: string;
  /** Gives what was copied under the temporary name its final one. */
  publish(temporary: string): Promise<void>;
}

/** The places of a single file or link in the record of what was copied. */
const sourceTop = { relative: [], name: 'source' };
const targetTop = { relative: [], name: 'target' };

/**
 * Moves between file systems: copies the whole, publishes the copy, sets the source aside on its own file system and removes
 * of it what is as it was when it was copied. Files that are new or changed are copied first; what cannot be, or goes on
 * changing, is put back. See docs/decisions/0020-moves-between-file-systems.md.
 *
 * Throws `changed_while_moving`, `holds_mount`, `special_file`; before it copies anything also what the system says when
 * nothing may be removed from the source's folder.
 */
export async function moveAcross(disk: Disk, crossing: Crossing, progress: Progress): Promise<void> {
  const { from, fromNames, name, to, toNames, isFolder } = crossing;
  await syscalls.access(at(from, '.'), fs.constants.W_OK);
  if (isFolder) {
    await withFolder(disk.scopeRoot, from, name, (folder) =>
      assertNoMountBelow(disk.scopeRoot, from, { folder, name, names: [], relative: [] }, progress.signal),
    );
  }
  const { type } = await syscalls.statfs(at(from, '.'));
  const copied = new CopiedEntries(type !== fuse);
  const made = await withTemporary(
    disk,
    toNames,
    async (temporary) => {
      const identity = await (isFolder ? copyFolder : copyOne)(disk, crossing, temporary, copied, progress);
      await progress.beforePublish?.();
      await assertReachable(to);
      await crossing.publish(temporary);
      return identity;
    },
    (temporary) => removeTemporaryTree(disk.scopeRoot, to, temporary),
  );
  // The other disk may write down that the source is gone before this one writes down what took its place.
  await flushFolder(to);
  const remove = isFolder ? removeFolder : removeOne;
  const before = isFolder ? null : await lstatOrNull(from, name);
  await withSetAside(disk, { folder: from, names: fromNames, name }, (aside) =>
    remove(disk, crossing, { aside, copied, made, before }),
  );
}

/** The state that the removal of the source needs. */
interface Removal {
  /** The name that the source has now. */
  readonly aside: string;
  readonly copied: CopiedEntries;
  /** The folder that was made; null for a file. */
  readonly made: Identity | null;
  /** The source right before it was set aside; null when it was gone. */
  readonly before: BigIntStats | null;
}

async function copyFolder(
  disk: Disk,
  { from, fromNames, name, to, toNames }: Crossing,
  temporary: string,
  copied: CopiedEntries,
  progress: Progress,
): Promise<Identity> {
  await syscalls.mkdir(at(to, temporary), 0o700);
  return withFolder(disk.scopeRoot, from, name, (folder) =>
    withFolder(disk.scopeRoot, to, temporary, async (target) => {
      const top = { folder, name, names: [...fromNames, name], relative: [] };
      const targetNames = [...toNames, temporary];
      await copyTree(disk, top, { target, targetNames, isMerge: false, copied, progress });
      return { device: target.device, inode: target.inode };
    }),
  );
}

async function copyOne(
  disk: Disk,
  crossing: Crossing,
  temporary: string,
  copied: CopiedEntries,
  progress: Progress,
): Promise<null> {
  const { from, name, to } = crossing;
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

/** Whether nothing but the name has changed since; renaming a file counts as a change of its state only. */
const isUnchanged = (a: BigIntStats, b: BigIntStats): boolean =>
  isSame(identityOf(a), identityOf(b)) && a.size === b.size && a.mtimeNs === b.mtimeNs;

/** Removes the file or link that was set aside, once the target has its last state. */
async function removeOne(disk: Disk, crossing: Crossing, { aside, copied, before }: Removal): Promise<Fate> {
  const { from, to, toNames, newName } = crossing;
  const progress = new Progress({});
  for (let copies = 0; ;) {
    const stats = await lstatOrNull(from, aside);
    if (stats === null) return 'gone';
    const isOld = before !== null && isUnchanged(before, stats);
    if (copied.hasSource(sourceTop, stats) || (isOld && copied.hasSource(sourceTop, before))) {
      const waitMs = copied.waitFor(isOld ? before : stats);
      if (waitMs > 0) {
        await sleep(waitMs);
        continue;
      }
      await ignoreErrno(syscalls.unlink(at(from, aside)), 'ENOENT');
      return 'gone';
    }
    const there = await lstatOrNull(to, newName);
    // Somebody has changed or removed the copy, too: both are kept.
    if (copies === maxRounds || !stats.isFile() || there === null || !copied.hasTarget(targetTop, there))
      return 'kept';
    copies += 1;
    await withTemporary(
      disk,
      toNames,
      async (temporary) => {
        const place = { folder: from, name: aside, stats };
        const files = await copyFile(disk.scopeRoot, place, to, temporary, progress, { isMove: true });
        await syscalls.rename(at(to, temporary), at(to, newName));
        if (files.source !== null) copied.addSource(sourceTop, files.source);
        copied.addTarget(targetTop, files.copy, { wasRenamed: true });
      },
      async (temporary) => {
        await ignoreErrno(syscalls.unlink(at(to, temporary)), 'ENOENT');
      },
    );
    await flushFolder(to);
  }
}

/** Removes the folder that was set aside, as far as the target has what is in it. */
async function removeFolder(disk: Disk, crossing: Crossing, { aside, copied, made }: Removal): Promise<Fate> {
  const { from, fromNames, to, toNames, newName } = crossing;
  return withFolder(disk.scopeRoot, from, aside, async (folder) => {
    const top = { folder, name: aside, names: [...fromNames, aside], relative: [] };
    await assertNoMountBelow(disk.scopeRoot, from, top);
    const sweep = new Sweep(disk, {
      top,
      target: { folder: to, name: newName, names: [...toNames, newName], made },
      copied,
    });
    // Each round copies in one pass and removes in the next.
    for (let pass = 0; pass < 2 * maxRounds; pass++) {
      const { hasDone, waitMs } = await sweep.pass();
      const isGone = await ignoreErrno(
        syscalls.rmdir(at(from, aside)).then(() => true),
        'ENOTEMPTY',
        'EEXIST',
      );
      if (isGone === true) return 'gone';
      if (!hasDone && waitMs === 0) return 'kept';
      if (waitMs > 0) await sleep(waitMs);
    }
    return 'kept';
  });
}
