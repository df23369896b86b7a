import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import type { KeepOptions } from '../../kept/kept-entries.ts';
import type { Continuation, TransferOptions } from '../../storage.ts';
import { syscalls, isErrno, ignoreErrno } from '../paths/syscalls.ts';
import { type Disk, lockKey, placeholderRunner, placeOf } from '../disk.ts';
import { displace } from '../kept/displace.ts';
import { at, type Folder, identityOf, isSame, type LocatedFolder } from '../paths/folder.ts';
import { assertNothingExcluded, withFolder, withTree } from '../trees/with-tree.ts';
import { assertMergeable } from './assert-mergeable.ts';
import { type EntryMove, finishMoveAcross, moveAcross } from './move-across.ts';
import { isSameVolume, assertNoMountBelow } from '../paths/mounts.ts';
import { Progress } from '../trees/progress.ts';
import { lstatOrNull, renameExclusively, renameFolderExclusively } from '../paths/publish.ts';
import { type RawEntry, readFolder } from '../read-folder.ts';
import { assertTreeAllowed } from '../trees/assert-tree-allowed.ts';
import { type Ends, isCaseRename, withEnds } from './transfer.ts';

/** The move of one entry. */
interface SingleMove extends EntryMove {
  /** A file may replace the existing entry. */
  readonly isReplacing: boolean;
  /** The options of keeping the replaced file. */
  readonly keep: KeepOptions;
  readonly continuation?: Continuation | undefined;
}

/** `Storage.move` on a disk: by rename where possible, otherwise by copying and removing. */
export async function moveEntry(
  disk: Disk,
  from: VirtualPath,
  to: VirtualPath,
  options: TransferOptions,
): Promise<void> {
  const progress = new Progress(options);
  options.signal?.throwIfAborted();
  await withEnds(disk, from, to, { ...options, followSource: false }, (ends, begin) =>
    moveResolved(disk, ends, {
      guardedNames: ends.from.names,
      prefixes: [segmentsOf(from), ends.to.names, segmentsOf(to)],
      keep: options,
      continuation: options.continuation,
      progress,
      begin: async () => ({ disk, ends: await begin() }),
    }),
  );
  progress.report();
}

/** A move whose ends have been resolved. */
export interface ResolvedMove {
  /** The real path of the source for guards. */
  readonly guardedNames: readonly string[];
  /** Further paths (names from the root) with which guards are called for every entry of the source. */
  readonly prefixes: readonly (readonly string[])[];
  readonly keep: KeepOptions;
  /** For folders that are copied to another file system; see `TransferOptions`. */
  readonly continuation?: Continuation | undefined;
  readonly progress: Progress;
  /** Called once, after all checks: returns the ends to work on, and the disk at whose root their paths begin. */
  readonly begin: () => Promise<{ readonly disk: Disk; readonly ends: Ends }>;
}

/** Moves an entry after all checks: by rename where possible, otherwise by copying and removing. */
export async function moveResolved(disk: Disk, ends: Ends, move: ResolvedMove): Promise<void> {
  const { scopeRoot } = disk;
  const { guardedNames, prefixes, keep, continuation, progress, begin } = move;
  const { signal } = progress;
  if (ends.from.stats?.isDirectory() !== true) {
    const begun = await begin();
    return moveOne(begun.disk, begun.ends, { isFolder: false, keep }, progress);
  }
  await withTree(scopeRoot, ends.from, async (top) => {
    await assertNothingExcluded(scopeRoot, top.folder);
    await assertTreeAllowed(scopeRoot, { ...top, names: guardedNames }, prefixes, { signal });
    const isRename = ends.toKind === null || isCaseRename(ends.from, ends.to);
    const isCopied =
      continuation?.copiedInode !== undefined && ends.to.stats?.ino === continuation.copiedInode;
    if (!isRename && isCopied) {
      await assertNoMountBelow(scopeRoot, ends.from.folder, top, signal);
      const begun = await begin();
      return finishMoveAcross(begun.disk, entryMoveOf(begun.ends, true), progress);
    }
    // A renamed folder keeps the mounts in it, but a copy or a merge would empty the mounted file system.
    if (!isRename || !isSameVolume(ends.from.folder, ends.to.folder))
      await assertNoMountBelow(scopeRoot, ends.from.folder, top, signal);
    if (isRename) {
      const begun = await begin();
      return moveOne(begun.disk, begun.ends, { isFolder: true, keep, continuation }, progress);
    }
    await withFolder(scopeRoot, ends.to.folder, ends.to.name, async (target) => {
      await assertMergeable(disk, top, { folder: target, names: ends.to.names }, { signal });
      const begun = await begin();
      await merge(
        begun.disk,
        { folder: top.folder, names: begun.ends.from.names },
        { folder: target, names: begun.ends.to.names },
        keep,
        progress,
      );
    });
    await syscalls.rmdir(at(ends.from.folder, ends.from.name));
    keep.onMerged?.({ act: 'removed', path: placeOf(disk, ends.from.names), from: null });
  });
}

const entryMoveOf = ({ from, to }: Pick<Ends, 'from' | 'to'>, isFolder: boolean): EntryMove => ({
  from: from.folder,
  fromNames: from.names.slice(0, -1),
  name: from.name,
  isFolder,
  to: to.folder,
  toNames: to.names.slice(0, -1),
  newName: to.name,
});

async function moveOne(
  disk: Disk,
  { from, to, toKind }: Ends,
  { isFolder, keep, continuation }: Pick<SingleMove, 'isFolder' | 'keep' | 'continuation'>,
  progress: Progress,
): Promise<void> {
  if (isCaseRename(from, to)) return syscalls.rename(at(from.folder, from.name), at(to.folder, to.name));
  // The source is locked too: another move may be replacing it.
  const keys = [lockKey(from.folder, from.name), lockKey(to.folder, to.name)];
  await disk.locks.runAll(keys, () =>
    runMove(
      disk,
      { ...entryMoveOf({ from, to }, isFolder), isReplacing: toKind !== null, keep, continuation },
      progress,
    ),
  );
}

/** Renames the entry; between file systems it is copied and then removed. */
async function runMove(disk: Disk, step: SingleMove, progress: Progress): Promise<void> {
  try {
    await renameTo(disk, step, { folder: step.from, names: step.fromNames, name: step.name });
  } catch (error) {
    if (!isErrno(error, 'EXDEV')) throw error;
    const publish = (temporary: string): Promise<void> =>
      renameTo(disk, step, { folder: step.to, names: step.toNames, name: temporary });
    await moveAcross(disk, { ...step, publish }, progress);
  }
  progress.add(1, 0);
}

/** Renames `source` to the destination of the move. */
async function renameTo(
  disk: Disk,
  { isFolder, isReplacing, to, toNames, newName, keep }: SingleMove,
  source: LocatedFolder & { readonly name: string },
): Promise<void> {
  const { folder, name } = source;
  if (isFolder || !isReplacing) {
    const rename = isFolder ? renameFolderExclusively : renameExclusively;
    const runWithPlaceholder = placeholderRunner(disk, { names: toNames, name: newName }, source);
    return rename(folder, name, to, newName, runWithPlaceholder);
  }
  const [moved, existing] = await Promise.all([lstatOrNull(folder, name), lstatOrNull(to, newName)]);
  // Renaming one name of a file onto another name of the same file does nothing at all. A file with one name was renamed
  // by another program between both calls: removing that name would remove the file.
  const isOneFile =
    moved !== null &&
    existing !== null &&
    isSame(identityOf(moved), identityOf(existing)) &&
    moved.nlink > 1n &&
    existing.nlink > 1n;
  if (isOneFile) return syscalls.unlink(at(folder, name));
  await displace(disk, { folder: to, names: toNames, name: newName }, keep, () =>
    syscalls.rename(at(folder, name), at(to, newName)),
  );
}

/** All entries of `folder`, read before the first of them is moved. */
async function allEntries(folder: Folder): Promise<RawEntry[]> {
  const all: RawEntry[] = [];
  for await (const entries of readFolder(folder)) all.push(...entries);
  return all;
}

/**
 * Moves the contents of `from` into `to`: folders that both have are merged recursively, files replace files. The depth of
 * the recursion is the depth to which both trees have the same folders.
 */
async function merge(
  disk: Disk,
  from: LocatedFolder,
  to: LocatedFolder,
  keep: KeepOptions,
  progress: Progress,
): Promise<void> {
  keep.onMerged?.({ act: 'merged', path: placeOf(disk, to.names), from: null });
  for (const { name, type } of await allEntries(from.folder)) {
    const existing = await lstatOrNull(to.folder, name);
    if (type === 'folder' && existing !== null) {
      if (!existing.isDirectory()) throw new AppError('already_exists');
      await withFolder(disk.scopeRoot, from.folder, name, (inner) =>
        withFolder(disk.scopeRoot, to.folder, name, (target) =>
          merge(
            disk,
            { folder: inner, names: [...from.names, name] },
            { folder: target, names: [...to.names, name] },
            keep,
            progress,
          ),
        ),
      );
      await ignoreErrno(syscalls.rmdir(at(from.folder, name)), 'ENOENT');
      keep.onMerged?.({ act: 'removed', path: placeOf(disk, [...from.names, name]), from: null });
      continue;
    }
    const folders = { from: from.folder, fromNames: from.names, to: to.folder, toNames: to.names };
    await runMove(
      disk,
      { ...folders, name, isFolder: type === 'folder', newName: name, isReplacing: existing !== null, keep },
      progress,
    );
    keep.onMerged?.({
      act: 'moved',
      path: placeOf(disk, [...to.names, name]),
      from: placeOf(disk, [...from.names, name]),
    });
  }
}
