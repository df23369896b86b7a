import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { createResource } from '@filestead/contract/files';
import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { send } from '../../../api/call.ts';
import { reportOperation } from '../../../api/operation-header.ts';
import { announceChange } from './changes.ts';
import { isOutcomeUnknown } from '../feedback/failure.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone } from '../feedback/toasts.ts';

export type NewEntryKind = 'folder' | 'file';

/** Creates an empty folder or file and returns its path. `onOperation` is called with the id of the operation. Throws `ApiError`. */
export async function createEntry(
  kind: NewEntryKind,
  folder: VirtualPath,
  name: string,
  onOperation?: (id: string) => void,
): Promise<VirtualPath> {
  const path = childOf(folder, name);
  const options = kind === 'folder' ? { path, isFolder: true } : { path, content: '' };
  reportOperation(await send(createResource, options), onOperation);
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
  const operations: string[] = [];
  const path = await createEntry(kind, folder, name, (id) => operations.push(id)).catch((error: unknown) => {
    // The entry may have been created although the response was lost.
    if (isOutcomeUnknown(error)) announceChange({ folders: [folder] });
    throw error;
  });
  announceChange({ folders: [folder], reveal: [path] });
  const message = kind === 'folder' ? 'done.createdFolder' : 'done.createdFile';
  toastDone(filesText(message, { name: isolateBidi(name) }), operations);
  return path;
}
