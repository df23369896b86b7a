import { viewModes, type Sorting, type ViewMode } from '@filestead/contract/users';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import {
  ChevronDown,
  Ellipsis,
  LayoutDashboard,
  LayoutGrid,
  List,
  PanelRight,
  Plus,
  Settings2,
} from '../../../ui/icons.ts';
import { Menu, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import type { ActionContext } from '../actions/action.ts';
import { actionsAt, creatingActions, type FolderCommands } from '../actions/actions.ts';
import { ActionItems } from '../actions/entry-menu.tsx';
import styles from './folder-header.module.css';
import { DensityChoices, SortChoices, TileChoices, UseForAllItem } from './sort-menu.tsx';

const viewIcons: Record<ViewMode, ReactNode> = {
  list: <List />,
  mosaic: <LayoutGrid />,
  'mosaic gallery': <LayoutDashboard />,
};

interface FolderHeaderProps {
  context: ActionContext;
  commands: FolderCommands;
}

interface FolderBarProps extends FolderHeaderProps {
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  onView: (view: ViewMode) => void;
  onUseForAll: () => void;
  /** The reason for which the view cannot be chosen. */
  fixedView?: string | undefined;
  /** The reason for which there is nothing to act on: all controls but the search keep their places, disabled. */
  disabledReason?: string | undefined;
  /** The search field. */
  search: ReactNode;
}

/** The actions for the folder itself, in one order that never changes: search, view, display, details, new. */
export function FolderHeader({
  context,
  commands,
  sorting,
  onSort,
  onView,
  onUseForAll,
  disabledReason,
  fixedView = disabledReason,
  search,
}: FolderBarProps) {
  const { t } = useTranslation('files');
  return (
    <div className={styles.header} role="group" aria-label={t('actionsLabel')}>
      {search}
      <fieldset disabled={disabledReason !== undefined} aria-label={disabledReason}>
        <ViewSwitch view={context.viewMode} onView={onView} disabledReason={fixedView} />
        <MenuTrigger>
          <IconButton label={t('sortAndDisplay')} icon={<Settings2 />} />
          <Menu placement="bottom end">
            {context.isFolder && <SortChoices sorting={sorting} onSort={onSort} />}
            {context.viewMode === 'list' ? <DensityChoices /> : <TileChoices />}
            {context.isFolder && <UseForAllItem onUseForAll={onUseForAll} />}
          </Menu>
        </MenuTrigger>
        <DetailsButton context={context} commands={commands} />
        {context.can.execute && context.hasCommands && context.isFolder && (
          <MenuTrigger>
            <IconButton label={t('moreActions')} icon={<Ellipsis />} />
            <Menu placement="bottom end">
              <ActionItems actions={actionsAt('header', context)} commands={commands} />
            </Menu>
          </MenuTrigger>
        )}
        <NewMenu context={context} commands={commands} />
      </fieldset>
    </div>
  );
}

/** Shows or hides the details. */
export function DetailsButton({ context, commands }: FolderHeaderProps) {
  const { t } = useTranslation('files');
  return (
    <IconButton
      label={t('actions.toggleDetails')}
      shortcut="Mod+I"
      icon={<PanelRight />}
      isPressed={context.areDetailsOpen}
      onClick={commands.toggleDetails}
    />
  );
}

/** The menu of all actions that create or upload entries, for users with the permission. */
export function NewMenu({ context, commands }: FolderHeaderProps) {
  const { t } = useTranslation('files');
  const actions = creatingActions(context);
  if (actions.length === 0) return null;
  return (
    <MenuTrigger>
      <Button variant="primary" icon={<Plus />} endIcon={<ChevronDown />}>
        {t('new')}
      </Button>
      <Menu placement="bottom end">
        <ActionItems actions={actions} commands={commands} />
      </Menu>
    </MenuTrigger>
  );
}

/** The three views of a folder as a segmented control of constant width. */
export function ViewSwitch({
  view,
  onView,
  disabledReason,
}: {
  view: ViewMode;
  onView: (view: ViewMode) => void;
  disabledReason?: string | undefined;
}) {
  const { t } = useTranslation('files');
  return (
    <SegmentedControl
      label={t('view')}
      value={view}
      onChange={onView}
      disabledReason={disabledReason}
      options={viewModes.map((value) => ({ value, label: t(`views.${value}`), icon: viewIcons[value] }))}
    />
  );
}
