import { useEffect, type RefObject } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { isHandledElsewhere, isMenuKey } from '../../ui/keyboard/keystroke.ts';
import { areSingleKeysOn } from '../../ui/keyboard/single-keys.ts';
import type { TrashListHandle } from './list/trash-list.tsx';
import { isDeniedPurge, readTrashContext, trashActionForKey, type TrashCommands } from './trash-actions.ts';
import type { TrashHost } from './trash-host.ts';
import type { TrashModel } from './trash-model.ts';

interface TrashKeys {
  readonly model: TrashModel;
  readonly host: TrashHost;
  readonly commands: TrashCommands;
  readonly list: RefObject<TrashListHandle | null>;
  /** Whether nothing covers the list. */
  readonly isEnabled: boolean;
}

/** Handles the keys of the trash, wherever the focus is on the page. */
export function useTrashKeys({ model, host, commands, list, isEnabled }: TrashKeys): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isHandledElsewhere(event)) return;
      const isOnControl = event.target instanceof Element && event.target.closest('button, a') !== null;
      if (isMenuKey(event)) {
        if (isOnControl) return;
        list.current?.openMenu();
        event.preventDefault();
        return;
      }
      if (event.key === '/' && !areSingleKeysOn()) return;
      const context = readTrashContext(model, host);
      const action = trashActionForKey(event, context);
      if (!action) {
        if (isDeniedPurge(event, context)) {
          showToast({ tone: 'info', message: i18n.t('mayNotPurgeHere', { ns: 'trash' }) });
          event.preventDefault();
        }
        return;
      }
      commands[action.id]();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, host, commands, list, isEnabled]);
}
