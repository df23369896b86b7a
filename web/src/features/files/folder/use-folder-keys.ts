import { useEffect } from 'react';
import { isHandledElsewhere, isMenuKey, isShortcut } from '../../../ui/keyboard/keystroke.ts';
import { actionForKey } from '../actions/action-keys.ts';
import { closeDetailsByEscape } from '../details/details-state.ts';
import type { FolderScreen } from './use-folder-screen.ts';
import type { ListingModel } from '../listing/model/listing-model.ts';
import { useFolderPaste } from '../clipboard/use-folder-paste.ts';
import { readActionContext } from '../actions/use-action-context.ts';

/** Handles the keys of the files screen while nothing covers it; until the folder has loaded, only those of the search field. */
export function useFolderKeys(screen: FolderScreen, isEnabled: boolean, isLoaded: boolean): void {
  const { session, host, commands, listing } = screen;
  useFolderPaste(screen, isEnabled && isLoaded);
  const { user } = host;
  useEffect(() => {
    if (!isEnabled) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isHandledElsewhere(event)) return;
      // The following paste event determines what is pasted.
      if (isShortcut(event, 'Mod+V')) return;
      if (!isLoaded && !isShortcut(event, 'Mod+K') && !isShortcut(event, 'Mod+F')) return;
      const target = event.target instanceof Element ? event.target : null;
      const isOnControl = target?.closest('button, a, summary') !== null;
      const isInListing = target !== null && target.closest('[role="grid"], [role="listbox"]') !== null;
      if (isMenuKey(event) && !isOnControl) {
        listing.current?.openMenu();
        event.preventDefault();
        return;
      }
      if (event.key === 'Escape' && closeDetailsByEscape(session.model)) {
        event.preventDefault();
        return;
      }
      if (isShortcut(event, 'Mod+C') && hasSelectedText()) return;
      if (isShortcut(event, 'F2')) selectFocused(session.model, target);
      const action = actionForKey(event, readActionContext(session, user), isInListing);
      if (!action || (isOnControl && isShortcut(event, 'Backspace'))) return;
      commands[action.id]();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [session, user, commands, listing, isEnabled, isLoaded]);
}

/** Without a selection, selects the entry with the focus: after a return to a folder, that is the one that was left. */
function selectFocused(model: ListingModel, target: Element | null): void {
  const id = target?.closest('[data-id]')?.getAttribute('data-id');
  if (id && model.selectedCount === 0) model.selectOnly(Number(id));
}

/** Whether text of the page is selected, which Mod+C then copies instead of files. */
const hasSelectedText = (): boolean => (getSelection()?.toString() ?? '') !== '';
