import type { Sorting } from '@filestead/contract/users';
import { isAscending } from '@filestead/contract/values/listing-columns';
import { memo, useSyncExternalStore } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import parts from '../../../../ui/selection/row-parts.module.css';
import { ArrowDown, ArrowUp } from '../../../../ui/icons.ts';
import type { ScatteredLook } from '../listing-options.ts';
import type { ListingModel } from '../model/listing-model.ts';
import type { ColumnSet } from '../columns.tsx';
import styles from '../listing.module.css';

/** The checkbox that selects all shown entries: empty, mixed or full. */
function SelectAll({ model }: { model: ListingModel }) {
  const { t } = useTranslation('listing');
  const state = useSyncExternalStore(model.subscribe, () =>
    model.selectedCount === 0 ? 'false' : model.isAllSelected ? 'true' : 'mixed',
  );
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={state}
      className={`${parts.checkbox} ${styles.selectAll}`}
      aria-label={t('selectAll')}
      onClick={() => (state === 'true' ? model.clearSelection() : model.selectAll())}
    />
  );
}

/** The sorting after a click on a column: the other direction, or the default direction of another column. */
export const sortingAfterClick = (old: Sorting, by: Sorting['by']): Sorting => ({
  by,
  asc: old.by === by ? !old.asc : false,
});

export interface ColumnHeaderProps {
  readonly model: ListingModel;
  readonly columns: ColumnSet;
  readonly onSort: (sorting: Sorting) => void;
  readonly scattered: ScatteredLook | undefined;
  /** The order of the rows; null if they are in an order of their own. */
  readonly sorting: Sorting | null;
}

/** The column headers, which sort the listing. They stay at the top while the rows scroll. */
export const ColumnHeader = memo(function ColumnHeader({
  model,
  columns,
  onSort,
  scattered,
  sorting: shown,
}: ColumnHeaderProps) {
  const { t } = useTranslation('listing');
  const modelSorting = useSyncExternalStore(model.subscribe, () => model.sorting);
  const sorting = scattered ? shown : modelSorting;
  const sort = (by: Sorting['by']): void => {
    const next = sortingAfterClick(sorting ?? { by: 'kind', asc: false }, by);
    model.sort(next);
    onSort(next);
  };
  const direction = sorting !== null && isAscending(sorting) ? 'ascending' : 'descending';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <div role="row" aria-rowindex={1} className={styles.header}>
      {columns.columns.map(({ key, attributes }) => {
        const isFixed = key === 'tags' || (key === 'kind' && scattered);
        const text =
          key === 'tags'
            ? t('frame.tags', { ns: 'app' })
            : (scattered?.headers[key] ?? t(`columns.${key}.header`));
        return (
          <div
            key={key}
            {...attributes}
            role="columnheader"
            aria-sort={isFixed ? undefined : sorting?.by === key ? direction : 'none'}
          >
            {key === 'name' && <SelectAll model={model} />}
            {isFixed ? (
              <span className={styles.headerText}>{text}</span>
            ) : (
              <button type="button" className={styles.headButton} onClick={() => sort(key)}>
                {text}
                {sorting?.by === key && <Arrow aria-hidden="true" />}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
});
