import { viewModes, type ViewMode } from '@filestead/contract/users';
import { filesText } from '../feedback/files-text.ts';
import { offerUndo } from '../feedback/undo.ts';
import type { FolderHost } from '../folder/folder-host.ts';

/** Returns the next view when views are cycled (docs/reference/behaviour.md §2). */
export function nextViewMode(mode: ViewMode): ViewMode {
  return viewModes[(viewModes.indexOf(mode) + 1) % viewModes.length] ?? 'list';
}

/** Shows the folder in another view and remembers it. Ctrl+Z restores the previous view. */
export function showView(
  { user, saveView }: Pick<FolderHost, 'user' | 'saveView'>,
  viewMode: ViewMode,
): void {
  const before = user.viewMode;
  offerUndo(async () => {
    saveView({ viewMode: before });
    return `${filesText('view')}: ${filesText(`views.${before}`)}`;
  });
  saveView({ viewMode });
}
