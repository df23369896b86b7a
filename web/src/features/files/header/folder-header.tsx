import type { Sorting, ViewMode } from '@filestead/contract/users';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { BaseButton } from '../../../ui/buttons/base-button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import {
  ArrowUpDown,
  ChevronDown,
  EllipsisVertical,
  Images,
  Info,
  LayoutGrid,
  List,
  Search,
  SquareCheck,
  SquareTerminal,
  Upload,
} from '../../../ui/icons.ts';
import { Kbd } from '../../../ui/keyboard/kbd.tsx';
import { Menu, MenuSeparator, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { useMediaQuery } from '../../../ui/hooks/use-media-query.ts';
import type { ActionContext } from '../actions/action.ts';
import { actionsAt, nextViewMode, type FolderCommands } from '../actions/actions.ts';
import { ActionItems } from '../actions/entry-menu.tsx';
import styles from './folder-header.module.css';
import { DensityChoices, SortChoices, TileChoices } from './sort-menu.tsx';
import { TileSlider } from './tile-slider.tsx';

const viewIcons: Record<ViewMode, typeof List> = {
  list: List,
  mosaic: LayoutGrid,
  'mosaic gallery': Images,
};

/** Windows whose bar is too narrow for the slider. */
const narrowQuery = '(width < 1100px)';

interface FolderHeaderProps {
  context: ActionContext;
  commands: FolderCommands;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

/** The actions for the folder itself, independent of the selection. */
export function FolderHeader({
  context,
  commands,
  sorting,
  onSort,
  folderName,
}: FolderHeaderProps & { folderName: string }) {
  const { t } = useTranslation('files');
  const isNarrow = useMediaQuery(narrowQuery);
  const next = nextViewMode(context.viewMode);
  const NextIcon = viewIcons[next];
  const creating = actionsAt('newMenu', context);
  return (
    <div className={styles.header} role="group" aria-label={t('actionsLabel')}>
      <BaseButton
        className={styles.search}
        aria-label={t('searchIn', { folder: folderName })}
        aria-keyshortcuts="Control+F"
        onClick={commands.search}
      >
        <Search />
        <span className={styles.searchText}>{t('searchIn', { folder: folderName })}</span>
        <Kbd shortcut="Mod+K" />
      </BaseButton>
      <IconButton
        label={t('switchViewTo', { view: t(`views.${next}`) })}
        icon={<NextIcon />}
        onClick={commands.switchView}
      />
      {context.viewMode !== 'list' && !isNarrow && <TileSlider />}
      <MenuTrigger>
        <IconButton label={t('sortBy')} icon={<ArrowUpDown />} />
        <Menu placement="bottom end">
          <SortChoices sorting={sorting} onSort={onSort} />
          {context.viewMode === 'list' ? <DensityChoices /> : isNarrow && <TileChoices />}
        </Menu>
      </MenuTrigger>
      <IconButton
        label={t('actions.toggleSelecting')}
        icon={<SquareCheck />}
        isPressed={context.isSelecting}
        onClick={commands.toggleSelecting}
      />
      <IconButton
        label={t('actions.toggleDetails')}
        shortcut="Mod+I"
        icon={<Info />}
        isPressed={context.areDetailsOpen}
        onClick={commands.toggleDetails}
      />
      {context.can.execute && context.hasCommands && (
        <IconButton
          label={t('actions.toggleShell')}
          shortcut="Ctrl+`"
          icon={<SquareTerminal />}
          isPressed={context.isShellOpen}
          onClick={commands.toggleShell}
        />
      )}
      {creating.length > 0 && (
        <>
          <MenuTrigger>
            <Button icon={<Upload />}>{t('upload')}</Button>
            <Menu placement="bottom end">
              <ActionItems actions={actionsAt('uploadMenu', context)} commands={commands} />
            </Menu>
          </MenuTrigger>
          <MenuTrigger>
            <Button variant="primary" endIcon={<ChevronDown />}>
              {t('new')}
            </Button>
            <Menu placement="bottom end">
              <ActionItems actions={creating} commands={commands} />
            </Menu>
          </MenuTrigger>
        </>
      )}
    </div>
  );
}

/** The same actions on phones, in a menu; creating entries has its own round button. */
export function PhoneFolderMenu({ context, commands, sorting, onSort }: FolderHeaderProps) {
  const { t } = useTranslation('files');
  const isOnEntries = context.count > 0;
  return (
    <MenuTrigger>
      <IconButton label={t('moreActions')} icon={<EllipsisVertical />} hasTooltip={false} />
      <Menu placement="bottom end">
        <ActionItems
          actions={actionsAt(isOnEntries ? 'entryMenu' : 'phoneMenu', context)}
          commands={commands}
        />
        {!isOnEntries && (
          <>
            <MenuSeparator />
            <SortChoices sorting={sorting} onSort={onSort} />
          </>
        )}
      </Menu>
    </MenuTrigger>
  );
}
