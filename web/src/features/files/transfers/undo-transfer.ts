import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { listBelow } from '@filestead/contract/files';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import { announceChange } from '../entries/changes.ts';
import type { FileEntry } from '../entries/entry.ts';
import { RefusedError } from '../feedback/failure.ts';
import { removePath } from '../entries/remove-entries.ts';
import { filesText } from '../feedback/toasts.ts';
import { findExisting } from './find-existing.ts';
import { performSteps } from './perform-steps.ts';
import type { TransferStep } from './plan-transfer.ts';

/** Moved or copied entries with their new paths. */
export type Transferred = readonly { readonly item: TransferStep; readonly result: VirtualPath }[];

/** Returns the moves, for the components that show the folders. */
export const movesOf = (done: Transferred): { entry: FileEntry; to: VirtualPath }[] =>
  done.map(({ item, result }) => ({ entry: item.entry, to: result }));

/** Moves all entries back. Throws the error of the first that could not be moved. */
export async function moveBack(done: Transferred, folders: readonly VirtualPath[]): Promise<void> {
  const steps = done.map(({ item, result }): TransferStep => ({
    entry: { ...item.entry, path: result, name: nameOf(result) },
    to: item.entry.path,
    mode: 'plain',
  }));
  const { done: back, failed } = await performSteps('move', steps);
  announceChange({ folders, moved: movesOf(back), reveal: back.map(({ result }) => result) });
  const first = failed[0];
  if (first) throw first.error;
}

/** Deletes the copies if each still equals its original. Throws `RefusedError`, `ApiError`. */
export async function removeCopies(done: Transferred, destination: VirtualPath): Promise<void> {
  const names = new Set(done.map(({ result }) => nameOf(result)));
  const existing = await findExisting(destination, names);
  for (const { item, result } of done) {
    const copy = existing.get(nameOf(result));
    if (!copy) continue;
    const isSame = item.entry.isFolder
      ? copy.isFolder && (await haveSameContents(item.entry.path, result))
      : !copy.isFolder && copy.size === item.entry.size;
    if (!isSame)
      throw new RefusedError(filesText('failed.undoChanged', { name: isolateBidi(nameOf(result)) }));
  }
  const removed: VirtualPath[] = [];
  try {
    for (const { result } of done) {
      await removePath(result);
      removed.push(result);
    }
  } finally {
    announceChange({ folders: [destination], removed });
  }
}

/** Whether nothing was added to a copied folder and no size in it has changed since. */
async function haveSameContents(original: VirtualPath, copy: VirtualPath): Promise<boolean> {
  const [before, now] = await Promise.all([listSizes(original, copy), listSizes(copy, copy)]);
  return before.size >= now.size && [...now].every(([path, size]) => before.get(path) === size);
}

/**
 * Returns the sizes of all entries below `folder` by their relative paths; -1 for folders. `without` and everything
 * below it is omitted.
 */
async function listSizes(folder: VirtualPath, without: VirtualPath): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { path, size, isDir } of await call(listBelow, { path: folder })) {
    const isCopyItself = folder !== without && (path === without || path.startsWith(`${without}/`));
    if (!isCopyItself) sizes.set(path.slice(folder.length), isDir ? -1 : size);
  }
  return sizes;
}
