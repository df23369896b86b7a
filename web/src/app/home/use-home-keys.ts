import { useEffect } from 'react';
import { actionForKey } from '../../features/files/actions/action-keys.ts';
import { actionsAt, creatingActions } from '../../features/files/actions/actions.ts';
import { readActionContext } from '../../features/files/actions/use-action-context.ts';
import { closeDetailsByEscape } from '../../features/files/details/details-state.ts';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { isHandledElsewhere, isShortcut } from '../../ui/keyboard/keystroke.ts';
import type { NewActions } from './use-new-actions.ts';

/** The attribute of the rows of recent entries; the one with the focus is selected. */
export const rowAttribute = 'data-recent';

const actionsWithoutEntry: ReadonlySet<string> = new Set(['toggleDetails', 'undo', 'redo']);

/** Handles the keys of the actions of Home: those that create entries, and those of the recent entry with the focus. */
export function useHomeKeys(screen: FolderScreen, { context: creation, commands: create }: NewActions): void {
  const { session, host, commands } = screen;
  const { user } = host;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isHandledElsewhere(event)) return;
      if (event.key === 'Escape') {
        if (closeDetailsByEscape(session.model)) event.preventDefault();
        return;
      }
      const action = actionForKey(event, creation, false);
      if (action && creatingActions(creation).includes(action)) create[action.id]();
      else {
        const context = readActionContext(session, user);
        const target = event.target instanceof Element ? event.target.closest(`[${rowAttribute}]`) : null;
        const offered = target === null ? [] : actionsAt('entryMenu', context);
        const isPreview = isShortcut(event, 'Space') && event.target instanceof HTMLAnchorElement;
        const command = isPreview
          ? offered.find(({ id }) => id === 'preview')
          : actionForKey(event, context, false);
        if (!command || !(offered.includes(command) || actionsWithoutEntry.has(command.id))) return;
        commands[command.id]();
      }
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [session, user, commands, creation, create]);
}
