import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { childOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { announceChange } from './changes.ts';
import { forgetInClipboard } from '../clipboard/clipboard.ts';
import type { FileEntry } from './entry.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone } from '../feedback/toasts.ts';
import { sendStep } from '../transfers/send-step.ts';

/** Renames an entry, offers to undo it, and returns its new path. Throws `ApiError`. */
export async function renameEntry(entry: FileEntry, name: string): Promise<VirtualPath> {
  const folder = parentOf(entry.path);
  const operations: string[] = [];
  const step = { entry, to: childOf(folder, name), mode: 'plain' } as const;
  const path = await sendStep('move', step, (id) => operations.push(id));
  forgetInClipboard([entry.path]);
  announceChange({ folders: [folder], moved: [{ entry, to: path }], reveal: [path] });
  toastDone(filesText('done.renamed', { name: isolateBidi(name) }), operations);
  return path;
}
