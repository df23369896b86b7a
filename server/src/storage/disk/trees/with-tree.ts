import { AppError } from '../../../errors.ts';
import { syscalls, isErrno, ignoreErrno } from '../paths/syscalls.ts';
import { containsExcluded } from '../paths/exclusions.ts';
import { at, closeFolder, type Folder, openFolder } from '../paths/folder.ts';
import type { ScopeRoot, ResolvedEntry } from '../paths/locate.ts';
import { isOtherMount } from '../paths/mounts.ts';
import type { Progress } from './progress.ts';
import { runAsync } from '../paths/steps.ts';
import { traverse, type TreeFolder } from './traverse.ts';

/** The number of times that a removal is repeated when entries appear in a folder while it is being emptied. */
const maxRounds = 3;

/** Calls `work` with the open folder `name` of `parent`, which is never opened through a link. */
export async function withFolder<T>(
  scopeRoot: ScopeRoot,
  parent: Folder,
  name: string,
  work: (folder: Folder) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(scopeRoot.confinement, at(parent, name)).async();
  try {
    return await work(folder);
  } finally {
    closeFolder(folder);
  }
}

/** Calls `work` with the open folder at `resolved` as the top of a tree. It is never opened through a link. */
export const withTree = <T>(
  scopeRoot: ScopeRoot,
  resolved: ResolvedEntry,
  work: (top: TreeFolder) => Promise<T>,
): Promise<T> =>
  withFolder(scopeRoot, resolved.folder, resolved.name, (folder) =>
    work({ folder, name: resolved.name, names: resolved.names, relative: [] }),
  );

/** Throws `forbidden` when the folder contains an excluded entry. */
export async function assertNothingExcluded(scopeRoot: ScopeRoot, folder: Folder): Promise<void> {
  if (await runAsync(containsExcluded(scopeRoot.exclusions, folder))) throw new AppError('forbidden');
}

/** Removes the contents of the open folder `top` and then the folder itself from `parent`. Links are not followed. */
export async function removeTree(
  scopeRoot: ScopeRoot,
  parent: Folder,
  top: TreeFolder,
  progress?: Progress,
): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await emptyTree(scopeRoot, top, progress);
      await ignoreErrno(syscalls.rmdir(at(parent, top.name)), 'ENOENT');
      return;
    } catch (error) {
      if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
      if (round === maxRounds) throw new AppError('folder_not_empty', undefined, { cause: error });
    }
  }
}

async function emptyTree(
  scopeRoot: ScopeRoot,
  top: TreeFolder,
  progress: Progress | undefined,
): Promise<void> {
  for await (const event of traverse(scopeRoot, top, { signal: progress?.signal, includesReserved: true })) {
    if (event.kind === 'enter') {
      // It was mounted after the check.
      if (event.parent !== null && isOtherMount(event.parent.folder, event.at.folder))
        throw new AppError('holds_mount');
    } else if (event.kind === 'entries') {
      await Promise.all(
        event.entries.map(({ name }) => ignoreErrno(syscalls.unlink(at(event.at.folder, name)), 'ENOENT')),
      );
      progress?.add(event.entries.length, 0);
      await progress?.pace?.(event.entries.length);
    } else if (event.kind === 'exit' && event.parent !== null) {
      await ignoreErrno(syscalls.rmdir(at(event.parent.folder, event.at.name)), 'ENOENT');
      progress?.add(1, 0);
    }
  }
}

/** Removes the unfinished file or tree `name` from `parent`, if it exists. */
export async function removeTemporaryTree(scopeRoot: ScopeRoot, parent: Folder, name: string): Promise<void> {
  const removed = await ignoreErrno(
    syscalls.unlink(at(parent, name)).then(() => true),
    'ENOENT',
    'EISDIR',
    'EPERM',
  );
  if (removed === true) return;
  const folder = await ignoreErrno(
    openFolder(scopeRoot.confinement, at(parent, name)).async(),
    'ENOENT',
    'ENOTDIR',
    'ELOOP',
  );
  if (folder === undefined) return;
  try {
    await removeTree(scopeRoot, parent, { folder, name, names: [name], relative: [] });
  } finally {
    closeFolder(folder);
  }
}
