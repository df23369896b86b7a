import { useEffect } from 'react';
import { actionForKey, belongsElsewhere, isShortcut } from './actions/keys.ts';
import type { FolderScreen } from './use-folder-screen.ts';
import { readSituation } from './use-situation.ts';

/** Listens for the keys of the files screen while nothing lies over it. */
export function useFolderKeys({ session, surroundings, commands }: FolderScreen, isEnabled: boolean): void {
  const { user } = surroundings;
  useEffect(() => {
    if (!isEnabled) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || belongsElsewhere(event)) return;
      const target = event.target instanceof Element ? event.target : null;
      const isOnControl = target?.closest('button, a, summary') !== null;
      const isInListing = target !== null && target.closest('[role="grid"], [role="listbox"]') !== null;
      if (isShortcut(event, 'Mod+C') && hasSelectedText()) return;
      const action = actionForKey(event, readSituation(session, user), isInListing);
      if (action) action.run(commands);
      else if (isShortcut(event, 'Escape')) commands.clearSelection();
      else if (isShortcut(event, 'Alt+ArrowUp') || (isShortcut(event, 'Backspace') && !isOnControl)) {
        commands.goUp();
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [session, user, commands, isEnabled]);
}

/** Somebody is copying words of the page, not files. */
const hasSelectedText = (): boolean => (getSelection()?.toString() ?? '') !== '';
