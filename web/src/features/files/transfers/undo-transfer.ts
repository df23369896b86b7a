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

/** What was moved or copied, and where it lies now. */
export type Transferred = readonly { readonly item: TransferStep; readonly result: VirtualPath }[];

/** Where entries went, for those who show the folders. */
export const movesOf = (done: Transferred): { entry: FileEntry; to: VirtualPath }[] =>
  done.map(({ item, result }) => ({ entry: item.entry, to: result }));

/** Moves everything back to where it came from. Throws why the first of them could not be moved. */
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

/** Deletes the copies, as long as each is still what it was copied from. Throws `RefusedError`, `ApiError`. */
export async function removeCopies(done: Transferred, destination: VirtualPath): Promise<void> {
  const names = new Set(done.map(({ result }) => nameOf(result)));
  const there = await findExisting(destination, names);
  for (const { item, result } of done) {
    const copy = there.get(nameOf(result));
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

/** Whether nothing has been put into a copied folder and nothing in it has grown or shrunk since. */
async function haveSameContents(original: VirtualPath, copy: VirtualPath): Promise<boolean> {
  const [before, now] = await Promise.all([contentsOf(original, copy), contentsOf(copy, copy)]);
  return before.size >= now.size && [...now].every(([path, size]) => before.get(path) === size);
}

/** The sizes of all entries below `folder` by their paths within it; -1 for folders, and for `without` in it. */
async function contentsOf(folder: VirtualPath, without: VirtualPath): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { path, size, isDir } of await call(listBelow, { path: folder })) {
    const isCopyItself = folder !== without && (path === without || path.startsWith(`${without}/`));
    if (!isCopyItself) sizes.set(path.slice(folder.length), isDir ? -1 : size);
  }
  return sizes;
}
