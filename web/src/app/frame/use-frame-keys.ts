import { useEffect } from 'react';
import { isShortcut } from '../../ui/keyboard/keystroke.ts';
import { areSingleKeysOn, isSingleKey } from '../../ui/keyboard/single-keys.ts';
import { frameActions, type FrameActionId } from './frame-actions.ts';
import { toggleSidebar } from './sidebar-state.ts';

const editable = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"][data-placement]';

/** Handles the keys of {@link frameActions}. Those that type a character are ignored in text fields. */
export function useFrameKeys({ onHelp, onPalette }: { onHelp: () => void; onPalette: () => void }): void {
  useEffect(() => {
    const run: Record<FrameActionId, () => void> = {
      help: onHelp,
      palette: onPalette,
      sidebar: toggleSidebar,
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const isTyping = event.target instanceof Element && event.target.closest(editable) !== null;
      const action = frameActions.find(({ keys }) =>
        keys.some((key) => isShortcut(event, key) && !(isSingleKey(key) && (isTyping || !areSingleKeysOn()))),
      );
      if (!action || document.querySelector(overlay) !== null) return;
      run[action.id]();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onHelp, onPalette]);
}
