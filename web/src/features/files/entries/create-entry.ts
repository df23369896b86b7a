import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { createResource, getResource } from '@filestead/contract/files';
import { childOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import { streamListing } from '../../../api/stream-listing.ts';
import { announceChange } from './changes.ts';
import { isOutcomeUnknown, RefusedError } from '../feedback/failure.ts';
import { removePath } from './remove-entries.ts';
import { filesText, toastDone } from '../feedback/toasts.ts';

export type NewEntryKind = 'folder' | 'file';

/** Creates an empty folder or file and returns its path. Throws `ApiError`. */
export async function createEntry(
  kind: NewEntryKind,
  folder: VirtualPath,
  name: string,
): Promise<VirtualPath> {
  const path = childOf(folder, name);
  await call(createResource, kind === 'folder' ? { path, isFolder: true } : { path, content: '' });
  return path;
}

/**
 * Creates an entry with {@link createEntry}, reveals it in the listing, and shows a notification with an undo button.
 */
export async function createAndReveal(
  kind: NewEntryKind,
  folder: VirtualPath,
  name: string,
): Promise<VirtualPath> {
  const path = await createEntry(kind, folder, name).catch((error: unknown) => {
    // The entry may have been created although the response was lost.
    if (isOutcomeUnknown(error)) announceChange({ folders: [folder] });
    throw error;
  });
  announceChange({ folders: [folder], reveal: [path] });
  const message = kind === 'folder' ? 'done.createdFolder' : 'done.createdFile';
  toastDone(filesText(message, { name: isolateBidi(name) }), () => removeWhileEmpty(kind, path, name));
  return path;
}

/** Undoes a creation, unless something has been added to the entry. Throws `ApiError`, `RefusedError`. */
async function removeWhileEmpty(kind: NewEntryKind, path: VirtualPath, name: string): Promise<void> {
  if (!(await isEmpty(kind, path))) {
    throw new RefusedError(filesText('failed.undoNotEmpty', { name: isolateBidi(name) }));
  }
  await removePath(path);
  announceChange({ folders: [parentOf(path)] });
}

async function isEmpty(kind: NewEntryKind, path: VirtualPath): Promise<boolean> {
  if (kind === 'file') return (await call(getResource, { path })).size === 0;
  const end = await streamListing(path, { onHeader: () => undefined, onRows: () => undefined });
  return end.numDirs + end.numFiles === 0;
}
