import { useEffect } from 'react';
import { redoLast, undoLast } from '../../features/files/feedback/undo.ts';
import { isShortcut } from '../../ui/keyboard/keystroke.ts';

/** Fields in which these keys undo what was typed. */
const fields = 'input:not([type="checkbox"], [type="radio"]), textarea';

/** Undoes and redoes the last change of the tab by keyboard shortcut, as in the files. */
export function useUndoKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(fields) !== null;
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
