import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import type { FileEntry } from '../entries/entry.ts';
import { filesText } from '../feedback/toasts.ts';
import type { FolderHost } from '../folder/folder-host.ts';

/** Whether a file is shown by the previewer: texts are opened in the editor, folders entered. */
export const isPreviewed = ({ isFolder, type }: Pick<FileEntry, 'isFolder' | 'type'>): boolean =>
  !isFolder && type !== 'text' && type !== 'textImmutable' && type !== 'invalid_link';

/** Enters a folder or shows a file. A broken link opens nothing and is explained by a message. */
export function openEntry(host: FolderHost, entry: FileEntry): void {
  if (entry.isFolder) host.openFolder(entry.path);
  else if (entry.type !== 'invalid_link') host.openFile(entry.path);
  else showToast({ tone: 'info', message: filesText('invalidLink', { name: isolateBidi(entry.name) }) });
}

/** Shows a file that the previewer can show; false for anything else. */
export function previewEntry(host: FolderHost, entry: FileEntry): boolean {
  if (!isPreviewed(entry)) return false;
  host.openFile(entry.path);
  return true;
}
