import { useEffect } from 'react';
import { toggleSidebar } from './sidebar-state.ts';

const editable = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"][data-placement]';

/** The keys that mean the same on every screen: `F1` and `?` for help, `[` for the sidebar. */
export function useFrameKeys(onHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (document.querySelector(overlay) !== null) return;
      const isTyping = event.target instanceof Element && event.target.closest(editable) !== null;
      if (event.key === 'F1' || (event.key === '?' && !isTyping)) onHelp();
      else if (event.key === '[' && !isTyping) toggleSidebar();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onHelp]);
}
