import { rotatePicture } from '@filestead/contract/endpoints/rotation';
import { isApiError } from '../../api/api-error.ts';
import { jsonOf, send } from '../../api/call.ts';
import { addOperations } from '../../features/files/feedback/undo.ts';
import { toastFailure } from '../../features/files/feedback/toasts.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';

/** Whether the server rotates a file of this name. */
export const isRotatable = ({ name, type }: Pick<FileEntry, 'name' | 'type'>): boolean =>
  type === 'image' && /\.(?:jpe?g|jpe|jfif)$/iu.test(name);

/** The rotation that was requested last: a key pressed again rotates what the one before has stored. */
let last: Promise<void> = Promise.resolve();

/** Rotates a picture and shows the new version of the listed entry. Reports a failure as a notice, and throws nothing. */
export function rotateEntry(session: FolderSession, entry: FileEntry, degrees: 90 | 270): Promise<void> {
  last = rotateAfter(last, session, entry, degrees);
  return last;
}

async function rotateAfter(
  before: Promise<void>,
  session: FolderSession,
  entry: FileEntry,
  degrees: 90 | 270,
): Promise<void> {
  await before;
  try {
    const response = await send(rotatePicture, { path: entry.path, body: { degrees } });
    const { size, modified } = (await jsonOf(response)) as { size: number; modified: string };
    const operation = response.headers.get('X-Operation');
    if (operation !== null) addOperations([operation]);
    const id = session.idOf(entry.path);
    if (id !== null) session.model.update(id, { size, modifiedMs: Date.parse(modified) });
  } catch (error) {
    const name = isolateBidi(entry.name);
    const retry = isApiError(error, 'no_connection')
      ? () => void rotateEntry(session, entry, degrees)
      : undefined;
    toastFailure(i18n.t('notRotated', { ns: 'previews', name }), error, retry);
  }
}
