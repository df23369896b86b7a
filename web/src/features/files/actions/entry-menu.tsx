import { Fragment } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { ContextMenu } from '../../../ui/overlays/context-menu.tsx';
import { MenuItem, MenuSeparator } from '../../../ui/overlays/menu.tsx';
import type { ActionContext } from './action.ts';
import { actionsAt, type FileAction, type FolderCommands } from './actions.ts';

export interface EntryMenuProps {
  /** The position in the window, or null while the menu is closed. */
  at: { x: number; y: number } | null;
  /** The kind of menu: for the selected entries, or for the folder itself. */
  place: 'entryMenu' | 'folderMenu';
  /** Whether the menu was opened by keyboard, so that its first item gets the focus. */
  isByKey: boolean;
  context: ActionContext;
  commands: FolderCommands;
  onClose: () => void;
}

/** The context menu: the same actions as everywhere, with their shortcuts. */
export function EntryMenu({ at, place, isByKey, context, commands, onClose }: EntryMenuProps) {
  const { t } = useTranslation('files');
  return (
    <ContextMenu label={t('menuLabel')} at={at} focus={isByKey ? 'first' : 'menu'} onClose={onClose}>
      <ActionItems actions={actionsAt(place, context)} commands={commands} />
    </ContextMenu>
  );
}

/** Returns the icon of an action for a menu. */
export const iconInMenu = (Icon: FileAction['icon']) =>
  Icon === undefined || typeof Icon === 'string' ? Icon : <Icon />;

/** Renders actions as menu items, with a separator between groups. */
export function ActionItems({
  actions,
  commands,
}: {
  actions: readonly FileAction[];
  commands: FolderCommands;
}) {
  const { t } = useTranslation('files');
  return actions.map(({ id, icon, keys, group, isDangerous }, index) => (
    <Fragment key={id}>
      {index > 0 && actions[index - 1]?.group !== group && <MenuSeparator />}
      <MenuItem
        icon={iconInMenu(icon)}
        shortcut={keys[0]}
        tone={isDangerous ? 'danger' : 'neutral'}
        onAction={commands[id]}
      >
        {t(`actions.${id}`)}
      </MenuItem>
    </Fragment>
  ));
}
