import { useEffect } from 'react';
import { actionForKey, belongsElsewhere } from '../actions/action-keys.ts';
import type { FolderScreen } from '../folder/use-folder-screen.ts';
import { readActionContext } from '../actions/use-action-context.ts';

const pasteKey = { key: 'v', ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };

/**
 * Pastes into the shown folder: files of the system's clipboard are uploaded, else what was cut or copied here moves or
 * is copied. The browser's paste event is listened to, not the key, for it alone tells which of the two is meant.
 */
export function useFolderPaste({ session, host, commands }: FolderScreen, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    const { user, pasteUploads } = host;
    const onPaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || belongsElsewhere(event)) return;
      const { clipboardData } = event;
      if (clipboardData && clipboardData.files.length > 0) {
        if (!user.perm.create) return;
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
