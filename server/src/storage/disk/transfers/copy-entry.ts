import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { TransferOptions } from '../../storage.ts';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';
import { copyFile } from './copy-file.ts';
import { copyTree } from './copy-tree.ts';
import { type Disk, type DuringStandIn, lockKey, withStandIn, withTemporary } from '../disk.ts';
import { at } from '../paths/folder.ts';
import { assertFile } from '../open-file.ts';
import { Progress } from '../trees/progress.ts';
import { renameExclusively, renameFolderExclusively } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import { removeTemporaryTree, withFolder, withTree } from '../trees/with-tree.ts';
import { assertMergeable } from './merge.ts';
import { measureTree } from '../trees/measure-tree.ts';
import { type Ends, withEnds } from './transfer.ts';
import type { TreeFolder } from '../trees/traverse.ts';

/** `Storage.copy` on a disk: trees are looked through before anything is made, then appear whole or are merged. */
export async function copyEntry(
  disk: Disk,
  from: VirtualPath,
  to: VirtualPath,
  options: TransferOptions,
): Promise<void> {
  const progress = new Progress(options);
  options.signal?.throwIfAborted();
  await withEnds(disk, from, to, { ...options, followSource: true }, async (ends, begin) => {
    if (ends.from.stats?.isDirectory() !== true) {
      assertFile(ends.from.stats);
      return copyOne(disk, await begin(), options, progress);
    }
    await withTree(disk.scopeRoot, ends.from, async (top) => {
      const places = [segmentsOf(from), ends.to.names, segmentsOf(to)];
      await measureTree(disk.scopeRoot, top, places, { followLinks: true, signal: options.signal });
      await (ends.toKind === null
        ? copyWhole(disk, top, await begin(), progress)
        : copyInto(disk, top, ends, progress, begin));
    });
  });
  progress.tell();
}

/** For something with a temporary name that takes its name in the same folder. */
const standInFor = (disk: Disk, { names, name }: Ends['to'], temporary: string): DuringStandIn => {
  const above = names.slice(0, -1);
  return withStandIn(disk, { names: above, name }, { names: above, name: temporary });
};

/** A file appears under its name when it is whole. */
async function copyOne(
  disk: Disk,
  { from, to }: Ends,
  options: TransferOptions,
  progress: Progress,
): Promise<void> {
  await withTemporary(
    disk,
    to.names.slice(0, -1),
    async (temporary) => {
      await copyFile(disk.scopeRoot, from, to.folder, temporary, progress, { replaces: to.stats });
      await progress.beforePublish?.();
      await assertReachable(to.folder);
      await disk.locks.run(lockKey(to.folder, to.name), () =>
        options.overwrite
          ? syscalls.rename(at(to.folder, temporary), at(to.folder, to.name))
          : renameExclusively(to.folder, temporary, to.folder, to.name, standInFor(disk, to, temporary)),
      );
    },
    async (temporary) => {
      await ignoreErrno(syscalls.unlink(at(to.folder, temporary)), 'ENOENT');
    },
  );
}

/** A tree grows under a temporary name and appears when it is whole. */
async function copyWhole(disk: Disk, top: TreeFolder, { to }: Ends, progress: Progress): Promise<void> {
  const folderNames = to.names.slice(0, -1);
  await withTemporary(
    disk,
    folderNames,
    async (temporary) => {
      await syscalls.mkdir(at(to.folder, temporary), 0o700);
      await withFolder(disk.scopeRoot, to.folder, temporary, (target) =>
        copyTree(disk, top, {
          target,
          targetNames: [...folderNames, temporary],
          isMerge: false,
          progress,
        }),
      );
      await progress.beforePublish?.();
      await assertReachable(to.folder);
      await renameFolderExclusively(
        to.folder,
        temporary,
        to.folder,
        to.name,
        standInFor(disk, to, temporary),
      );
    },
    (temporary) => removeTemporaryTree(disk.scopeRoot, to.folder, temporary),
  );
}

/** Into a folder that exists: nothing that only the destination has is lost. */
async function copyInto(
  disk: Disk,
  top: TreeFolder,
  { to }: Ends,
  progress: Progress,
  begin: () => Promise<unknown>,
): Promise<void> {
  await withFolder(disk.scopeRoot, to.folder, to.name, async (target) => {
    await assertMergeable(
      disk,
      top,
      { folder: target, names: to.names },
      { followLinks: true, signal: progress.signal },
    );
    await begin();
    await copyTree(disk, top, { target, targetNames: to.names, isMerge: true, progress });
  });
}
