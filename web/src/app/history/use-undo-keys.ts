import { useEffect } from 'react';
import { redoLast, undoLast } from '../../features/files/feedback/undo.ts';
import { isShortcut } from '../../ui/keyboard/keystroke.ts';

/** Undoes and redoes the last change of the tab by keyboard shortcut, as in the files. */
export function useUndoKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (event.defaultPrevented || isTyping) return;
      if (isShortcut(event, 'Mod+Z')) void undoLast();
      else if (isShortcut(event, 'Mod+Shift+Z')) void redoLast();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
