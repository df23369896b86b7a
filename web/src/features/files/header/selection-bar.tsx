import type { ComponentType } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatSize, pluralValues } from '../../../i18n/format.ts';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import { SelectionBar as Bar } from '../../../ui/selection/selection-bar.tsx';
import type { ActionContext } from '../actions/action.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Ellipsis } from '../../../ui/icons.ts';
import { Menu, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { ActionItems } from '../actions/entry-menu.tsx';
import { actionsAt, type FileAction, type FolderCommands } from '../actions/actions.ts';

/** Maximum number of actions on phones; the others are in the menu of the top bar. */
const maxOnPhone = 4;
const phonePriority = ['download', 'share', 'move', 'remove', 'copy', 'rename'];
/** The order of the actions; others follow. */
const order = ['download', 'share', 'move', 'copy', 'rename'];

interface BarAction extends FileAction {
  readonly icon: ComponentType;
}

const isBarAction = (action: FileAction): action is BarAction =>
  action.icon !== undefined && typeof action.icon !== 'string';

/** Returns the actions of the bar in order. */
function offeredActions(context: ActionContext, isPhone: boolean): readonly BarAction[] {
  const actions = actionsAt('selection', context).filter(isBarAction);
  if (!isPhone) {
    const isFirst = ({ id }: BarAction) => order.includes(id);
    return [
      ...order.flatMap((id) => actions.find((action) => action.id === id) ?? []),
      ...actions.filter((action) => !isFirst(action)),
    ];
  }
  const offered = phonePriority.filter((id) => actions.some((action) => action.id === id));
  const shown = new Set(offered.slice(0, maxOnPhone));
  return actions.filter(({ id }) => shown.has(id));
}

interface SelectionBarProps {
  context: ActionContext;
  /** The total size of the selected files. */
  bytes: number;
  commands: FolderCommands;
}

/** Shows the selection with its actions, at the bottom edge of the listing. */
export function SelectionBar({ context, bytes, commands }: SelectionBarProps) {
  const { t } = useTranslation('files');
  const isPhone = useIsPhone();
  const { count } = context;
  if (count === 0) return null;
  const counted = pluralValues(count);
  const menu = actionsAt('entryMenu', context);
  return (
    <Bar
      label={t('selectionLabel')}
      text={
        bytes > 0 ? t('selectedWithSize', { ...counted, size: formatSize(bytes) }) : t('selected', counted)
      }
      clearLabel={t('clearSelection')}
      onClear={commands.clearSelection}
      actions={offeredActions(context, isPhone).map(({ id, icon, isDangerous }) => ({
        id,
        label: t(`actions.${id}`),
        icon,
        isDangerous,
        isOptional: !order.includes(id) && isDangerous !== true,
        badge: id === 'download' ? counted.number : undefined,
        run: commands[id],
        other:
          id === 'download' && menu.some((action) => action.id === 'downloadAs')
            ? { label: t('actions.downloadAs'), run: commands.downloadAs }
            : undefined,
      }))}
      menu={
        !isPhone && (
          <MenuTrigger>
            <IconButton size="small" label={t('moreActions')} icon={<Ellipsis />} />
            <Menu placement="top start">
              <ActionItems actions={menu} commands={commands} />
            </Menu>
          </MenuTrigger>
        )
      }
    />
  );
}
