import { useState, useSyncExternalStore, type Ref } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { FolderFilter } from '../../ui/fields/folder-filter.tsx';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { ListFooter } from '../../ui/list-footer.tsx';
import { useReloadOnReturn } from '../../ui/hooks/use-reload-on-return.ts';
import { ContextMenu } from '../../ui/overlays/context-menu.tsx';
import { MenuItem } from '../../ui/overlays/menu.tsx';
import { SelectionBar } from '../../ui/selection/selection-bar.tsx';
import { everything, isRestricted, type TrashFilter } from './load-trash.ts';
import type { MenuRequest } from './list/menu-request.ts';
import { TrashList, type TrashListHandle } from './list/trash-list.tsx';
import { readTrashContext, trashActionsAt, type TrashCommands, type TrashContext } from './trash-actions.ts';
import type { TrashHost } from './trash-host.ts';
import type { TrashModel } from './trash-model.ts';
import { totalSize } from './trash-texts.ts';
import styles from './trash-view.module.css';

/** Returns {@link readTrashContext} and renders again whenever it may have changed. */
export function useTrashContext(model: TrashModel, host: TrashHost): TrashContext {
  useSyncExternalStore(model.subscribe, model.getSnapshot);
  return readTrashContext(model, host);
}

interface TrashViewProps {
  model: TrashModel;
  host: TrashHost;
  commands: TrashCommands;
  filter: TrashFilter;
  onFilter: (filter: TrashFilter) => void;
  listRef: Ref<TrashListHandle>;
}

/** Shows the trash: filters, list, selection bar and menus. */
export function TrashView({ model, host, commands, filter, onFilter, listRef }: TrashViewProps) {
  const { t } = useTranslation('trash');
  const context = useTrashContext(model, host);
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const [last, setLast] = useState(menu);
  // The menu keeps its content while it closes.
  if (menu !== null && menu !== last) setLast(menu);
  useReloadOnReturn(model);
  return (
    <div className={styles.view}>
      {(context.total > 0 || isRestricted(filter)) && (
        <div className={styles.filters}>
          <div className={styles.chosen}>
            <SegmentedControl
              label={t('filters.label')}
              value={filter.isMine ? 'mine' : 'everyone'}
              onChange={(value) => onFilter({ ...filter, isMine: value === 'mine' })}
              options={[
                { value: 'everyone', label: t('filters.everyone') },
                { value: 'mine', label: t('filters.mine') },
              ]}
            />
            {filter.below !== '' && (
              <FolderFilter folder={filter.below} onClear={() => onFilter({ ...filter, below: '' })} />
            )}
          </div>
          <p className={styles.kept}>
            {keptText(t, host.keptDays)} {host.isPhone && <Sum model={model} />}
          </p>
        </div>
      )}
      {model.phase === 'truncated' && (
        <Banner
          tone="warning"
          text={t('truncated')}
          label={t('retry', { ns: 'common' })}
          onAction={commands.reload}
        />
      )}
      <TrashList
        model={model}
        host={host}
        onMenu={setMenu}
        emptyState={<EmptyTrash filter={filter} keptDays={host.keptDays} onFilter={onFilter} />}
        handleRef={listRef}
      />
      {context.count === 0 && context.total > 0 && (
        <ListFooter isWideOnly>
          <Sum model={model} />
        </ListFooter>
      )}
      {context.count > 0 && (
        <SelectionBar
          label={t('selectionLabel')}
          text={selectionText(t, model, context)}
          clearLabel={t('actions.clearSelection')}
          onClear={commands.clearSelection}
          actions={trashActionsAt('selection', context).map(({ id, icon, isDangerous }) => ({
            id,
            label: t(`actions.${id}`),
            icon,
            isDangerous,
            run: commands[id],
          }))}
        />
      )}
      <ContextMenu
        label={t('menuLabel')}
        at={menu?.at ?? null}
        focus={last?.isByKey ? 'first' : 'menu'}
        onClose={() => setMenu(null)}
      >
        {trashActionsAt(last?.place ?? 'listMenu', context).map(({ id, icon: Icon, keys, isDangerous }) => (
          <MenuItem
            key={id}
            icon={<Icon />}
            shortcut={keys[0]}
            tone={isDangerous ? 'danger' : 'neutral'}
            onAction={commands[id]}
          >
            {t(`actions.${id}`)}
          </MenuItem>
        ))}
      </ContextMenu>
    </div>
  );
}

type Translate = ReturnType<typeof useTranslation<'trash'>>['t'];

const keptText = (t: Translate, days: number): string =>
  days === 0 ? t('keptWithoutLimit') : t('kept', pluralValues(days));

function selectionText(t: Translate, model: TrashModel, { count }: TrashContext): string {
  const { bytes } = totalSize(model.selectedItems());
  return bytes > 0
    ? t('selectedWithSize', { ...pluralValues(count), size: formatSize(bytes) })
    : t('selected', pluralValues(count));
}

/** The number of items and their size, once the list is complete. */
function Sum({ model }: { model: TrashModel }) {
  const { t } = useTranslation('trash');
  if (model.phase !== 'ready' || model.count === 0) return null;
  const { bytes, isPartial } = totalSize(model.items);
  const values = { ...pluralValues(model.count), size: formatSize(bytes) };
  return <span className={styles.sum}>{isPartial ? t('sumAtLeast', values) : t('sum', values)}</span>;
}

interface EmptyTrashProps {
  filter: TrashFilter;
  keptDays: number;
  onFilter: (filter: TrashFilter) => void;
}

function EmptyTrash({ filter, keptDays, onFilter }: EmptyTrashProps) {
  const { t } = useTranslation('trash');
  if (isRestricted(filter)) {
    return (
      <EmptyState
        illustration="trash"
        title={t('empty.noMatchTitle')}
        actions={<Button onClick={() => onFilter(everything)}>{t('empty.showAll')}</Button>}
      >
        {noneText(t, filter)}
      </EmptyState>
    );
  }
  return (
    <EmptyState illustration="trash" title={t('empty.title')}>
      {keptDays === 0 ? t('empty.textWithoutLimit') : t('empty.text', pluralValues(keptDays))}
    </EmptyState>
  );
}

function noneText(t: Translate, { query, below }: TrashFilter): string {
  if (query !== '') return t('empty.noMatch', { query });
  return below === '' ? t('empty.noneMine') : t('empty.noneBelow');
}
