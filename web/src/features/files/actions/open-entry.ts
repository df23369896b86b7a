import { archiveExtensionOf } from '@filestead/contract/values/archive-formats';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import type { FileEntry } from '../entries/entry.ts';
import { filesText } from '../feedback/files-text.ts';
import type { FolderHost } from '../folder/folder-host.ts';

/** Whether a file opens in the previewer; text files open in the editor, folders in the listing. */
export const isPreviewed = ({ isFolder, type }: Pick<FileEntry, 'isFolder' | 'type'>): boolean =>
  !isFolder && type !== 'text' && type !== 'textImmutable' && type !== 'invalid_link';

/** Whether an entry is an archive whose content the server can show and extract. */
export const isReadableArchive = ({
  isFolder,
  name,
  type,
}: Pick<FileEntry, 'isFolder' | 'name' | 'type'>): boolean =>
  !isFolder && type !== 'invalid_link' && archiveExtensionOf(name) !== null;

/** Enters a folder or shows a file. A broken link opens nothing and is explained by a message. */
export function openEntry(host: FolderHost, entry: FileEntry): void {
  if (entry.isFolder) host.openFolder(entry.path);
  else if (host.openArchive && host.user.perm.download && isReadableArchive(entry))
    host.openArchive(entry.path);
  else if (entry.type !== 'invalid_link') host.openFile(entry.path);
  else showToast({ tone: 'info', message: filesText('invalidLink', { name: isolateBidi(entry.name) }) });
}

/** Opens a file in the previewer; returns false for any other entry. */
export function previewEntry(host: FolderHost, entry: FileEntry): boolean {
  if (!isPreviewed(entry)) return false;
  host.openFile(entry.path);
  return true;
}
