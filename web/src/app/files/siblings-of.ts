import type { FileEntry } from '../../features/files/entries/entry.ts';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';

/** Whether files of the type are opened in the editor. */
export const isText = (type: string): boolean => type === 'text' || type === 'textImmutable';

const isPreviewed = (type: string): boolean => !isText(type) && type !== 'invalid_link';

const cache = new WeakMap<FolderSession, { version: number; siblings: readonly FileEntry[] }>();

/** Returns the files of the folder in the displayed order, without text files: the previewer skips them. */
export function siblingsOf(session: FolderSession): readonly FileEntry[] {
  const { model } = session;
  const cached = cache.get(session);
  if (cached?.version === model.orderVersion) return cached.siblings;
  const siblings: FileEntry[] = [];
  for (const id of model.order) {
    if (!model.isFolder(id) && isPreviewed(model.item(id).type)) siblings.push(session.entry(id));
  }
  cache.set(session, { version: model.orderVersion, siblings });
  return siblings;
}
