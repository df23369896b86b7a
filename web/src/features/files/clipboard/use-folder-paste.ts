import { useEffect } from 'react';
import { isHandledElsewhere } from '../../../ui/keyboard/keystroke.ts';
import { actionForKey } from '../actions/action-keys.ts';
import type { FolderScreen } from '../folder/use-folder-screen.ts';
import { readActionContext } from '../actions/use-action-context.ts';

const pasteKey = { key: 'v', ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };

/**
 * Pastes into the shown folder: uploads the files of the system's clipboard, else moves or copies the entries that
 * were cut or copied here. Listens for the paste event instead of the key, since only the event shows which of the
 * two applies.
 */
export function useFolderPaste({ session, host, commands }: FolderScreen, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    const { user, pasteUploads } = host;
    const onPaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isHandledElsewhere(event)) return;
      const { clipboardData } = event;
      if (clipboardData && clipboardData.files.length > 0) {
        if (!user.perm.create || !session.isFolder) return;
        pasteUploads(clipboardData);
      } else {
        const action = actionForKey(pasteKey, readActionContext(session, user), true);
        if (!action) return;
        commands[action.id]();
      }
      event.preventDefault();
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [session, host, commands, isEnabled]);
}
