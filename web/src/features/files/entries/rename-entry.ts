import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { childOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { announceChange } from './changes.ts';
import { forgetInClipboard } from '../clipboard/clipboard.ts';
import type { FileEntry } from './entry.ts';
import { filesText, toastDone } from '../feedback/toasts.ts';
import { sendStep } from '../transfers/send-step.ts';

/** Renames an entry, offers to undo it, and returns its new path. Throws `ApiError`. */
export async function renameEntry(entry: FileEntry, name: string): Promise<VirtualPath> {
  const folder = parentOf(entry.path);
  const path = await sendStep('move', { entry, to: childOf(folder, name), mode: 'plain' });
  forgetInClipboard([entry.path]);
  announceChange({ folders: [folder], moved: [{ entry, to: path }], reveal: [path] });
  toastDone(filesText('done.renamed', { name: isolateBidi(name) }), async () => {
    const renamed = { ...entry, name, path };
    await sendStep('move', { entry: renamed, to: entry.path, mode: 'plain' });
    announceChange({ folders: [folder], moved: [{ entry: renamed, to: entry.path }], reveal: [entry.path] });
  });
  return path;
}
