import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { ContextMenu } from '../../../ui/overlays/context-menu.tsx';
import { MenuItem, MenuSeparator } from '../../../ui/overlays/menu.tsx';
import type { ActionContext } from './action.ts';
import { actionsAt, type FileAction, type FolderCommands } from './actions.ts';

export interface EntryMenuProps {
  /** In the window, or null while there is no menu. */
  at: { x: number; y: number } | null;
  /** Whether it was asked for on entries or on the folder itself. */
  place: 'entryMenu' | 'folderMenu';
  /** Asked for with the keyboard, which then stands on its first item. */
  isByKey: boolean;
  context: ActionContext;
  commands: FolderCommands;
  onClose: () => void;
}

/** The menu of the right mouse button: the same actions as everywhere, with their keys. */
export function EntryMenu({ at, place, isByKey, context, commands, onClose }: EntryMenuProps) {
  const { t } = useTranslation('files');
  return (
    <ContextMenu label={t('menuLabel')} at={at} focus={isByKey ? 'first' : 'menu'} onClose={onClose}>
      <ActionItems actions={actionsAt(place, context)} commands={commands} />
    </ContextMenu>
  );
}

/** Actions as items of a menu, a line between groups. */
export function ActionItems({
  actions,
  commands,
}: {
  actions: readonly FileAction[];
  commands: FolderCommands;
}) {
  const { t } = useTranslation('files');
  return actions.map(({ id, icon: Icon, keys, group, isDangerous }, index) => (
    <Fragment key={id}>
      {index > 0 && actions[index - 1]?.group !== group && <MenuSeparator />}
      <MenuItem
        icon={<Icon />}
        shortcut={keys[0]}
        tone={isDangerous ? 'danger' : 'neutral'}
        onAction={commands[id]}
      >
        {t(`actions.${id}`)}
      </MenuItem>
    </Fragment>
  ));
}
