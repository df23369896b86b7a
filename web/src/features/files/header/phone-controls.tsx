import { formatSize, pluralValues } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { EllipsisVertical, Plus } from '../../../ui/icons.ts';
import { Menu, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { PhoneSelectionTop as SelectionTop } from '../../../ui/selection/phone-selection-top.tsx';
import type { ActionContext } from '../actions/action.ts';
import { actionsAt, creatingActions, type FolderCommands } from '../actions/actions.ts';
import { ActionItems } from '../actions/entry-menu.tsx';
import { useSelectedBytes } from '../actions/use-action-context.ts';
import styles from './phone-controls.module.css';
import type { FolderScreen } from '../folder/use-folder-screen.ts';

export { PhoneListHead } from './phone-list-head.tsx';

/** The phone's top bar while something is selected. */
export function PhoneSelectionTop({ screen }: { screen: FolderScreen }) {
  const { t } = useTranslation('files');
  const { context, commands, session } = screen;
  const bytes = useSelectedBytes(session);
  return (
    <SelectionTop
      title={t('selected', pluralValues(context.count))}
      note={bytes > 0 ? formatSize(bytes) : undefined}
      clearLabel={t('clearSelection')}
      onClear={commands.clearSelection}
      selectAllLabel={t('actions.selectAll')}
      onSelectAll={commands.selectAll}
    >
      <PhoneMenu screen={screen} />
    </SelectionTop>
  );
}

/** The menu in the phone's top bar; creating entries has its own round button. */
export function PhoneMenu({ screen: { context, commands } }: { screen: FolderScreen }) {
  const { t } = useTranslation('files');
  return (
    <MenuTrigger>
      <IconButton label={t('moreActions')} icon={<EllipsisVertical />} hasTooltip={false} />
      <Menu placement="bottom end">
        <ActionItems
          actions={actionsAt(context.count > 0 ? 'entryMenu' : 'phoneMenu', context)}
          commands={commands}
        />
      </Menu>
    </MenuTrigger>
  );
}

/** The round button above the phone's navigation, with all actions that create or upload entries. */
export function PhoneAddButton({ context, commands }: { context: ActionContext; commands: FolderCommands }) {
  const { t } = useTranslation('files');
  const actions = creatingActions(context);
  if (actions.length === 0 || context.count > 0) return null;
  return (
    <MenuTrigger>
      <IconButton className={styles.add} label={t('add')} icon={<Plus />} hasTooltip={false} />
      <Menu placement="top end">
        <ActionItems actions={actions} commands={commands} />
      </Menu>
    </MenuTrigger>
  );
}
