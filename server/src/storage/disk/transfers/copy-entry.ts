import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import type { KeepOptions } from '../../kept/kept-entries.ts';
import type { Continuation, TransferOptions } from '../../storage.ts';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';
import { runAsync } from '../paths/steps.ts';
import { copyFile } from './copy-file.ts';
import { copyTree } from './copy-tree.ts';
import { displace } from '../kept/displace.ts';
import { type Disk, lockKey, placeholderRunner, placeOf, withTemporary, withTemporaryFile } from '../disk.ts';
import { at } from '../paths/folder.ts';
import { assertFile } from '../open-file.ts';
import { Progress } from '../trees/progress.ts';
import { type PlaceholderRunner, renameExclusively, renameFolderExclusively } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import { isTemporaryName } from '../paths/temporary-names.ts';
import { removeTemporaryTree, withFolder, withTree } from '../trees/with-tree.ts';
import { assertMergeable } from './assert-mergeable.ts';
import { assertTreeAllowed } from '../trees/assert-tree-allowed.ts';
import { type Ends, withEnds } from './transfer.ts';
import type { TreeFolder } from '../trees/traverse.ts';

/** `Storage.copy` on a disk. A whole tree is checked before anything is created; it then appears complete or is merged. */
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
      const prefixes = [segmentsOf(from), ends.to.names, segmentsOf(to)];
      await assertTreeAllowed(disk.scopeRoot, top, prefixes, { followLinks: true, signal: options.signal });
      const { continuation } = options;
      await (ends.toKind === null
        ? copyWhole(disk, top, await begin(), { progress, continuation })
        : copyInto(disk, top, ends, { progress, continuation, keep: options }, begin));
    });
  });
  progress.report();
}

/** Records the placeholder for an entry with a temporary name that gets its final name in the same folder. */
const placeholderFor = (disk: Disk, { names, name }: Ends['to'], temporary: string): PlaceholderRunner => {
  const above = names.slice(0, -1);
  return placeholderRunner(disk, { names: above, name }, { names: above, name: temporary });
};

/** Copies a file, which gets its name once it is complete. */
async function copyOne(
  disk: Disk,
  { from, to }: Ends,
  options: TransferOptions,
  progress: Progress,
): Promise<void> {
  const { folder, name } = to;
  const names = to.names.slice(0, -1);
  await withTemporaryFile(disk, { folder, names }, async (temporary) => {
    await copyFile(disk.scopeRoot, from, folder, temporary, progress, { replaces: to.stats });
    await progress.beforePublish?.();
    await runAsync(assertReachable(folder));
    await disk.locks.run(lockKey(folder, name), () =>
      options.overwrite
        ? displace(disk, { folder, names, name }, options, () =>
            syscalls.rename(at(folder, temporary), at(folder, name)),
          )
        : renameExclusively(folder, temporary, folder, name, placeholderFor(disk, to, temporary)),
    );
  });
}

/** Options of the copy of a tree. */
interface TreeOptions {
  readonly progress: Progress;
  readonly continuation: Continuation | undefined;
}

/** Copies a tree under a temporary name, which is renamed once it is complete. */
async function copyWhole(
  disk: Disk,
  top: TreeFolder,
  { to }: Ends,
  { progress, continuation }: TreeOptions,
): Promise<void> {
  const folderNames = to.names.slice(0, -1);
  const copyUnder = async (temporary: string, isResumed: boolean): Promise<void> => {
    const creating = syscalls.mkdir(at(to.folder, temporary), 0o700);
    await (isResumed ? ignoreErrno(creating, 'EEXIST') : creating);
    await withFolder(disk.scopeRoot, to.folder, temporary, (target) =>
      copyTree(disk, top, {
        target,
        targetNames: [...folderNames, temporary],
        isMerge: false,
        isResumed,
        progress,
      }),
    );
    await progress.beforePublish?.();
    await runAsync(assertReachable(to.folder));
    await renameFolderExclusively(
      to.folder,
      temporary,
      to.folder,
      to.name,
      placeholderFor(disk, to, temporary),
    );
  };
  if (continuation === undefined) {
    await withTemporary(
      disk,
      folderNames,
      (temporary) => copyUnder(temporary, false),
      (temporary) => removeTemporaryTree(disk.scopeRoot, to.folder, temporary),
    );
  } else {
    if (!isTemporaryName(continuation.temporaryName)) throw new AppError('forbidden');
    await copyUnder(continuation.temporaryName, continuation.isResumed);
  }
}

/** Merges a tree into an existing folder. Entries that only the destination has are kept. */
async function copyInto(
  disk: Disk,
  top: TreeFolder,
  { to }: Ends,
  { progress, continuation, keep }: TreeOptions & { readonly keep: KeepOptions },
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
    keep.onMerged?.({ act: 'merged', path: placeOf(disk, to.names), from: null });
    const isResumed = continuation?.isResumed === true;
    await copyTree(disk, top, { target, targetNames: to.names, isMerge: true, isResumed, keep, progress });
  });
}
