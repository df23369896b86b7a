import { childOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { createAndReveal, type NewEntryKind } from '../entries/create-entry.ts';
import type { FileEntry } from '../entries/entry.ts';
import { renameEntry } from '../entries/rename-entry.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import { openPrompt } from '../prompts/prompt-store.ts';
import type { ActionTargets } from './action.ts';

/** Asks for the name of a new folder or file, creates it and focuses it. */
export function createInDialog(kind: NewEntryKind, targets: () => ActionTargets): void {
  const { path: folder } = targets().session;
  openPrompt({
    kind: 'name',
    purpose: kind === 'folder' ? 'newFolder' : 'newFile',
    folder,
    isTaken: (name) => targets().session.model.find(name) !== null,
    submit: async (name) => {
      await createAndReveal(kind, folder, name);
      targets().focusEntry(name);
    },
  });
}

/** Asks for the new name of an entry of the shown folder. */
export function renameInDialog(
  session: FolderSession,
  entry: FileEntry,
  onRenamed?: (path: VirtualPath) => void,
): void {
  const folder = parentOf(entry.path);
  openPrompt({
    kind: 'name',
    purpose: 'rename',
    folder,
    entry,
    isTaken: (name) => session.idOf(childOf(folder, name)) !== null,
    submit: async (name) => {
      const path = await renameEntry(entry, name);
      onRenamed?.(path);
    },
  });
}
